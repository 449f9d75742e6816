"""Claims as numbers: pure functions of frames, with no service and no screen in them."""

from warranty.analysis.comparison import Changes, compare
from warranty.analysis.cube import ClaimCube
from warranty.analysis.periods import Period, Step
from warranty.analysis.readings import covered, trends
from warranty.analysis.selection import Choice, Selection, choices
from warranty.analysis.trends import (
    RESOLVED,
    Bars,
    ByProduct,
    DaysToClaim,
    Figure,
    Grid,
    Headline,
    OverTime,
    Trends,
)

__all__ = [
    "RESOLVED",
    "Bars",
    "ByProduct",
    "Changes",
    "Choice",
    "ClaimCube",
    "DaysToClaim",
    "Figure",
    "Grid",
    "Headline",
    "OverTime",
    "Period",
    "Selection",
    "Step",
    "Trends",
    "choices",
    "compare",
    "covered",
    "trends",
]

"""Claims as numbers: pure functions of frames, with no service and no screen in them."""

from warranty.analysis.comparison import Changes, compare
from warranty.analysis.cube import ClaimCube
from warranty.analysis.periods import Period, Step
from warranty.analysis.selection import Selection, choices
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
    covered,
    trends,
)

__all__ = [
    "RESOLVED",
    "Bars",
    "ByProduct",
    "Changes",
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

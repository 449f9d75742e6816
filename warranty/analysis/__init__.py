"""Claims as numbers: pure functions of frames, with no service and no screen in them."""

from warranty.analysis.against import Compared, comparable
from warranty.analysis.answers import how_it_changed, which_leads
from warranty.analysis.comparison import Changes, compare
from warranty.analysis.cube import ClaimCube
from warranty.analysis.figures import Base, Change, Figure, Form, Verdict
from warranty.analysis.of_claims import base_of, conditions
from warranty.analysis.periods import Period, Step
from warranty.analysis.pick import NO_PICK, ChartPick, shown_word
from warranty.analysis.selection import Selection, choices
from warranty.analysis.trends import (
    DAYS_A_BAR,
    Bars,
    ByProduct,
    DaysToClaim,
    Grid,
    Headline,
    OpenByAge,
    OverTime,
    Trends,
    covered,
    trends,
)

"""Claims as numbers: pure functions of frames, with no service and no screen in them."""

from warranty.claims.analysis.against import Compared, comparable, why_not_comparable
from warranty.claims.analysis.comparison import Changes, compare
from warranty.claims.analysis.cube import ClaimCube
from warranty.claims.analysis.figures import Base, Change, Figure, Verdict
from warranty.claims.analysis.of_claims import base_of, conditions
from warranty.claims.analysis.periods import Period, Step
from warranty.claims.analysis.pick import NO_PICK, ChartPick, shown_word
from warranty.claims.analysis.selection import Selection, choices
from warranty.claims.analysis.trends import DAYS_A_BAR, ByProduct, OpenByAge, OverTime, Trends, covered, trends

"""The papers that are printed on: sheets, and a till's rolls, which are as long as what stands on them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

PaperName = Literal["A4", "A5", "80", "58"]


@dataclass(frozen=True, slots=True)
class Paper:
    """Millimetres of a paper; one without a height is a roll, whose margins its printer leaves white."""

    width: float
    height: float | None
    margin: float


PAPERS: Final[Mapping[PaperName, Paper]] = {
    "A4": Paper(210, 297, 12),
    "A5": Paper(148, 210, 12),
    "80": Paper(80, None, 4),
    "58": Paper(58, None, 5),
}

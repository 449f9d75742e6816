"""Colours of statuses: the same word has the same colour on every chart, light or dark. The set of words is open."""

import hashlib
from collections.abc import Iterable
from typing import Final

# Each has at least 3:1 against the white and against the dark background (WCAG 2.2, non-text contrast).
_KNOWN: Final = {"RESOLVED": "#2E8B57", "OPEN": "#C2671A", "DENIED": "#C0405A", "IN_REVIEW": "#3F7FBF"}
_PALETTE: Final = (
    "#7A6FD0",
    "#1F8F8F",
    "#A8762A",
    "#B255A0",
    "#5B8A2E",
    "#6E7F91",
    "#CC5F43",
    "#3C82A6",
    "#94729B",
    "#8A8330",
)
OTHER: Final = "#7C8794"
MAIN: Final = "#2F7FC4"
SHADES: Final = ((0, "rgba(47,127,196,0.4)"), (1, "rgba(47,127,196,1)"))
"""From few to many, over whatever background: the faintest has 1.6:1 against both, where no claim at all has 1:1."""


def status_colours(statuses: Iterable[str]) -> dict[str, str]:
    """A colour for each status: fixed ones for the likely words, for others by the word itself.

    Words that would share a colour move on to the next free one, in the order of the alphabet; only with more
    words than colours do two share one.
    """
    given: dict[str, str] = {}
    for status in sorted(set(statuses)):
        if status in _KNOWN:
            given[status] = _KNOWN[status]
            continue
        start = hashlib.sha256(status.encode()).digest()[0]
        order = [_PALETTE[(start + step) % len(_PALETTE)] for step in range(len(_PALETTE))]
        given[status] = next((colour for colour in order if colour not in given.values()), order[0])
    return given

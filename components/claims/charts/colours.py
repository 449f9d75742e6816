"""Colours of statuses: one hue for open ones, greys for closed ones, on every chart alike. The set of words is open."""

from collections.abc import Sequence
from typing import Final

OPEN: Final = ("#B33C14", "#C77400", "#816F56")
"""By urgency. Each of these and of `CLOSED` has at least 3:1 against both backgrounds (WCAG 2.2, non-text contrast).

Any two are at least 13 apart (CIEDE2000), also for who sees no red, no green or no blue.
"""
CLOSED: Final = ("#8E949A", "#60666C")
_URGENCY: Final = ("OPEN", "IN_REVIEW", "AWAITING_PARTS")
OTHER: Final = "#7C8794"
MAIN: Final = "#2F7FC4"
_PALE: Final = 0.35


def status_colours(statuses: Sequence[str], *, closed: Sequence[str]) -> dict[str, str]:
    """A colour for each status: likely open words have a fixed one, others the next free one, then all the last.

    Of the `closed` words the first, which most claims come to, has a grey of its own.
    """
    given = dict(zip(_URGENCY, OPEN, strict=True))
    given = {word: colour for word, colour in given.items() if word in statuses and word not in closed}
    free = [colour for colour in OPEN if colour not in given.values()]
    for word in sorted(set(statuses) - {*given, *closed}):
        given[word] = free.pop(0) if free else OPEN[-1]
    return {word: given.get(word) or CLOSED[word != closed[0]] for word in statuses}


def pale(colour: str) -> str:
    """The same hue so pale that black is read on it: for chips, whose word the platform writes in black."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * _PALE):02X}" for part in parts)

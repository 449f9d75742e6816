"""Colours of statuses: the same word has the same colour on every chart, light or dark. The set of words is open."""

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np

COLOURS: Final = ("#2A7A57", "#E70958", "#C68600", "#7A86FE", "#07A882", "#6B3AFF", "#B22399", "#666A00")
"""Each has at least 3:1 against the white and against the dark background (WCAG 2.2, non-text contrast).

Any two of them, and each and `OTHER`, are at least 13 apart (CIEDE2000), also for who sees no red, no green or no blue.
"""
_FIXED: Final = dict(
    zip(("RESOLVED", "DENIED", "OPEN", "IN_REVIEW", "REPLACED", "AWAITING_PARTS"), COLOURS, strict=False)
)
OTHER: Final = "#7C8794"
MAIN: Final = "#2F7FC4"
SHADES: Final = ((0, "rgba(47,127,196,0.4)"), (1, "rgba(47,127,196,1)"))
"""From few to many, over whatever background: the faintest has 1.6:1 against both, where no claim at all has 1:1."""
_PALE: Final = 0.35
_LINEAR, _SEEN = 0.04045, (0.2126, 0.7152, 0.0722)
_MIDDLE: Final = 0.179
"""The relative luminance (WCAG 2.2) to which black and white have the same contrast."""


def status_colours(statuses: Sequence[str]) -> dict[str, str]:
    """A colour for each status, the most frequent first: as many as there are colours have one, the others are grey.

    Likely words have a fixed one, others one by the word itself; where that is taken, the next free one in the order
    of the alphabet.
    """
    shown = statuses[: len(COLOURS)]
    given = {status: _FIXED[status] for status in shown if status in _FIXED}
    for status in sorted(set(shown) - given.keys()):
        start = hashlib.sha256(status.encode()).digest()[0] % len(COLOURS)
        in_turn = (*COLOURS[start:], *COLOURS[:start])
        # First what no likely word has: that one may come with another filter.
        order = sorted(in_turn, key=list(_FIXED.values()).__contains__)
        given[status] = next(colour for colour in order if colour not in given.values())
    return {status: given.get(status, OTHER) for status in statuses}


def ink_on(colour: str) -> str:
    """What is read on a colour: black or white, whichever is the further from it."""
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    light = np.where(parts <= _LINEAR, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return "#000000" if float(light @ _SEEN) > _MIDDLE else "#FFFFFF"


def pale(colour: str) -> str:
    """The same hue so pale that black is read on it: for chips, whose word the platform writes in black."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * _PALE):02X}" for part in parts)

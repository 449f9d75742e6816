"""What the rooms need to know of the page that the platform draws: its markup and Markdown, a colour of its own."""

import re
from typing import Final

from warranty.language import isolated

CHART_BACKGROUND: Final = "#000038"  # platform: markup #000038
"""Stands for the page's own colour in a chart that has the platform's theme: what looks like a gap between two bars."""
# The platform makes links, icons and its own sign of a text once more after its Markdown is read, escaped or not.
_READ_AGAIN: Final = re.compile(r"(?<=:)(?=//|material/|streamlit:)|(?<=@)(?=\S)|(?<=www)(?=\.)", re.IGNORECASE)
# Not a hyphen or a point within or after a word: a label is read aloud with its signs of escape.
_TURNS: Final = re.compile(r"(?!(?<=\w)[-.](?=\w)|(?<=\w )-(?= \w)|(?<=[^\W\d])\.)[\\`*_{}\[\]#+\-.|>~$:<]")
_CUT: Final = ":gray[]"
"""Parts two texts and shows nothing; in what is copied from the screen there is nothing of it."""


def plain(text: str) -> str:
    """What people typed, as Markdown that shows it as it is: no link, no icon, and nothing around it turns."""
    return isolated(_CUT.join(_escaped(part) for part in _READ_AGAIN.split(text)))


def _escaped(text: str) -> str:
    return _TURNS.sub(r"\\\g<0>", text)


def place_of(key: str) -> str:
    """The class that the platform gives to the widget of this key; a link to `#` and this leads there."""
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key)

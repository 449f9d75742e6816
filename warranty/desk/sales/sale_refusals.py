"""Which line of a sale a refusal is about, read off its sentences where they say so.

The interface says that messages name the product and the order, or the term and the plans, without showing the
wording (Errors). So the line is looked for by what a sentence may name, the surest first; where nothing fits, no
line is blamed.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from warranty.desk.journal import ItemLine

_POSITION: Final = re.compile(r"\bline_items[\[.](\d{1,9})(?!\d)")
_NUMBER: Final = re.compile(r"\bline_item_id[^0-9a-z]{0,6}(\d{1,15})(?!\d)", re.IGNORECASE)
_PLACE_FIRST: Final = re.compile(r"^line_items(\[\d{1,9}\]|\.\d{1,9})[.:\s]*")
_SHORTEST_NAME: Final = 3
"""A SKU such as 24 would be found in every sentence about 24 months."""


def concerned(sentences: Iterable[str], items: Sequence[ItemLine], *, order_id: str = "") -> frozenset[int]:
    """The positions of the lines that the sentences are about, from 0; empty where they do not say.

    `items` are the lines as they were sent, in their order.
    """
    text = "\n".join(sentences)
    if order_id:
        text = text.replace(order_id, " ")
    if not text.strip():
        return frozenset()
    numbers = {int(number) for number in _NUMBER.findall(text)}
    for found in (
        {int(number) for number in _POSITION.findall(text)},
        {place for place, item in enumerate(items) if item.line_item_id in numbers},
        _naming(text, [(item.product_id, *item.members) for item in items]),
        _naming(text, [(item.title,) for item in items]),
    ):
        if known := frozenset(range(len(items))) & found:
            return known
    return frozenset({0}) if len(items) == 1 else frozenset()


def without_place(sentence: str) -> str:
    """A sentence of a refusal as it reads at its line: without the place that it begins with."""
    return _PLACE_FIRST.sub("", sentence)


def _naming(text: str, names: Sequence[Sequence[str]]) -> set[int]:
    """The lines one of whose names stands in the text as a word of its own: `TV-5` is not named by `TV-55`."""
    return {
        place
        for place, called in enumerate(names)
        for name in map(str.strip, called)
        if len(name) >= _SHORTEST_NAME and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE)
    }

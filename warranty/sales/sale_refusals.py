"""Which line of a sale a refusal is about, read off its sentences where they say so.

The interface says that messages name the product and the order, or the term and the plans, without showing the
wording (Errors). So the line is looked for by what a sentence may name, the surest first; where nothing fits, no
line is blamed.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from warranty.journal import ItemLine

_POSITION: Final = re.compile(r"\bline_items[\[.](\d{1,9})(?!\d)")
_NUMBER: Final = re.compile(r"\bline_item_id[^0-9a-z]{0,6}(\d{1,15})(?!\d)", re.IGNORECASE)
_SHORTEST_NAME: Final = 3
"""A SKU such as 24 would be found in every sentence about 24 months."""


def concerned(sentences: Iterable[str], items: Sequence[ItemLine], *, order_id: str = "") -> frozenset[int]:
    """The positions of the lines that the sentences are about, from 0; empty where they do not say.

    `items` are the lines as they were sent, in their order.
    """
    text = "\n".join(sentences).replace(order_id, " ") if order_id else "\n".join(sentences)
    if not text.strip():
        return frozenset()
    for names in (_positions, _numbers, _products, _titles):
        found = frozenset(place for place in names(text, items) if place < len(items))
        if found:
            return found
    return frozenset({0}) if len(items) == 1 else frozenset()


def _positions(text: str, _items: Sequence[ItemLine]) -> set[int]:
    return {int(number) for number in _POSITION.findall(text)}


def _numbers(text: str, items: Sequence[ItemLine]) -> set[int]:
    named = {int(number) for number in _NUMBER.findall(text)}
    return {place for place, item in enumerate(items) if item.line_item_id in named}


def _products(text: str, items: Sequence[ItemLine]) -> set[int]:
    return _naming(text, items, lambda item: [item.product_id, *item.members])


def _titles(text: str, items: Sequence[ItemLine]) -> set[int]:
    return _naming(text, items, lambda item: [item.title])


def _naming(text: str, items: Sequence[ItemLine], names: Callable[[ItemLine], list[str]]) -> set[int]:
    """The lines whose name stands in the text as a word of its own: `TV-5` is not named by `TV-55`."""
    return {
        place
        for place, item in enumerate(items)
        for name in names(item)
        if len(name.strip()) >= _SHORTEST_NAME
        and re.search(rf"(?<![\w-]){re.escape(name.strip())}(?![\w-])", text, re.IGNORECASE)
    }

"""What would be sent of each order, and what stands against it: each fault by row, column and field.

Nothing is decided in silence: what an order leaves out, what is taken from elsewhere and what the service will do
with it stands in the answer.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from pydantic import ValidationError

from warranty.files.catalogue import EMPTY, Catalogue
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.judging import GUESSABLE, LEFT_OUT, Fault, Judged
from warranty.files.order_files.layouts import FIELDS, Layout
from warranty.files.order_files.source import SourceOrder
from warranty.journal import SentBefore
from warranty.language import N_, _
from warranty.resources import Order, problems
from warranty.resources.money import format_price

__all__ = [
    "GUESSABLE",
    "SENT_BEFORE",
    "Assessed",
    "Choices",
    "Fault",
    "assess",
    "changes",
    "without_duplicates",
]


@dataclass(frozen=True, slots=True)
class Assessed:
    """An order as it would be sent, or the faults that stand against it, or why it is left out.

    `remarks` tell what is left out of it or will be changed, `country` is its code if known, `raised` are the decisions
    that it gives cause for, each with the texts that it is about.
    """

    number: int
    name: str
    row: int
    order_id: str
    order: Order | None
    faults: tuple[Fault, ...] = ()
    left_out: str | None = None
    remarks: tuple[str, ...] = ()
    country: str = ""
    raised: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)

    @property
    def sendable(self) -> bool:
        """Whether it goes out as it is."""
        return not self.faults and self.left_out is None


SENT_BEFORE: Final = N_("sent before")
_NOTHING_RAISED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
_NOTHING_SENT: Final[Mapping[str, SentBefore]] = MappingProxyType({})


def without_duplicates(
    assessed: Iterable[Assessed], *, column: str, settled: Mapping[str, str] = MappingProxyType({})
) -> list[Assessed]:
    """The same, where the second order of one id has a fault, also one that seemed sent: what was sent is the first.

    `settled` names the orders of the file by their ids that went out before the others were looked at again.
    """
    seen, judged = dict(settled), []
    for found in assessed:
        first = found.name
        if found.order_id and found.left_out in {None, SENT_BEFORE}:
            first = seen.setdefault(found.order_id, found.name)
        judged.append(
            found if first == found.name else _with_id_of(found, _SAME_IN_FILE, column, order=first)
        )
    return judged


_SAME_IN_FILE: Final = N_("The order id is the same as that of {order}: give each order an id of its own")
_SAME_SENT: Final = N_(
    "The order id is the same as that of another order which was sent before: give each order an id of its own"
)


def _with_id_of(found: Assessed, words: str, column: str, **values: str) -> Assessed:
    fault = Fault(found.row, column, None, "order_id", _(words, **values), found.order_id)
    others = [known for known in found.faults if known.field != "order_id"]
    return replace(found, order=None, left_out=None, faults=(*others, fault))


def assess(
    source: SourceOrder,
    layout: Layout,
    choices: Choices,
    *,
    sent_before: Mapping[str, SentBefore] = _NOTHING_SENT,
    catalogue: Catalogue = EMPTY,
    currency: str = "USD",
) -> Assessed:
    """Judge one order; category and image come from the catalogue where the file has none."""
    judged = Judged(source, layout, choices, catalogue, currency)
    content = judged.content()
    found = Assessed(
        number=source.number,
        name=source.name,
        row=source.row,
        order_id=str(content["order_id"]),
        order=None,
        remarks=(*source.remarks, *judged.remarks),
        country=judged.country.code if judged.country else "",
        raised={kind: tuple(texts) for kind, texts in judged.raised.items()} or _NOTHING_RAISED,
    )
    kinds = () if source.damage else judged.of_all
    if why := next((kind for kind in kinds if getattr(choices, kind) == "leave out"), None):
        return replace(found, left_out=LEFT_OUT[why])
    sent = sent_before.get(found.order_id)
    if sent is not None and not sent.is_of(
        found.name, {item["product_id"] for item in content["line_items"]}
    ):
        return _with_id_of(found, _SAME_SENT, choices.id_label(layout))
    if sent is not None:
        found = replace(found, raised={**found.raised, "sent_before": (found.order_id,)})
    if sent is not None and choices.sent_before == "leave out":
        return replace(found, left_out=SENT_BEFORE)
    if not content["line_items"] and source.lines and not judged.faults:
        return replace(found, left_out=N_("none of its lines is sent"))
    try:
        order = Order.model_validate(content)
    except ValidationError as error:
        judged.faults += [judged.fault(problem.path, problem.message) for problem in problems(error)]
        order = None
    # Of several faults of one cell, the first says it.
    faults = {(fault.line, fault.field or fault.message): fault for fault in reversed(judged.faults)}
    return replace(found, order=None if faults else order, faults=tuple(reversed(faults.values())))


def changes(source: SourceOrder, order: Order) -> list[str]:
    """What is sent in other words than the file has it, as “file → sent”."""
    address = order.billing_address
    pairs = [
        (source.values.get(name, ""), getattr(address, name) or "")
        for name in FIELDS
        if hasattr(address, name)
    ]
    pairs += [(next(iter(source.ids.values()), ""), order.order_id)] if len(source.ids) == 1 else []
    lines = {line.values.get("sku") or line.values.get("title", ""): line.values for line in source.lines}
    for item in order.line_items:
        values = lines.get(item.product_id, {})
        day = item.product_delivery_date
        pairs += [
            (values.get("price", ""), format_price(item.product_price)),
            (values.get("quantity", ""), str(item.units)),
        ]
        pairs += [
            (values.get("title", ""), item.product_title),
            (values.get("delivery_date", ""), f"{day or ''}"),
        ]
    return [f"{text} → {sent}" for text, sent in pairs if text and sent and text != sent]

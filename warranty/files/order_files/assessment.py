"""What would be sent of each order, and what stands against it: each fault by row, column and field.

Nothing is decided in silence: what an order leaves out, what is taken from elsewhere and what the service will do
with it stands in the answer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from pydantic import ValidationError

from warranty.client.resources import Order, problems
from warranty.client.resources.money import format_price
from warranty.files.catalogue import EMPTY, Catalogue
from warranty.files.order_files.decisions import DECISIONS, Choices
from warranty.files.order_files.judging import GUESSABLE, Fault, Judge
from warranty.files.order_files.source import Layout, SentBefore, SourceOrder
from warranty.language import N_, _

__all__ = ["GUESSABLE", "Assessed", "Choices", "Fault", "assess", "changes", "without_duplicates"]

_NOTHING_RAISED: Final[Mapping[str, list[str]]] = MappingProxyType({})


@dataclass(slots=True)
class Assessed:
    """An order as it would be sent, or the faults that stand against it, or why it is left out.

    `remarks` tell what is left out of it or will be changed, `country` is its code if known, `raised` are the decisions
    that it gives cause for, each with the texts that it is about.
    """

    number: int
    name: str
    row: int
    order_id: str
    order: Order | None = None
    faults: tuple[Fault, ...] = ()
    left_out: str | None = None
    remarks: tuple[str, ...] = ()
    country: str = ""
    raised: Mapping[str, list[str]] = field(default_factory=dict)

    @property
    def sendable(self) -> bool:
        """Whether it goes out as it is."""
        return not self.faults and self.left_out is None


def without_duplicates(
    assessed: Iterable[Assessed], *, column: str, settled: Mapping[str, str] = MappingProxyType({})
) -> list[Assessed]:
    """The same, where the second order of one id has a fault, also one that seemed sent: what was sent is the first.

    `settled` names the orders of the file by their ids that went out before the others were looked at again.
    """
    seen, judged = dict(settled), []
    for found in assessed:
        first = found.name
        if found.order_id and found.left_out in {None, DECISIONS["sent_before"].left_out}:
            first = seen.setdefault(found.order_id, found.name)
        words = N_("The order id is the same as that of {order}: give each order an id of its own")
        judged.append(found if first == found.name else _with_id_of(found, column, _(words, order=first)))
    return judged


def _with_id_of(found: Assessed, column: str, words: str) -> Assessed:
    fault = Fault(found.row, column, None, "order_id", words, found.order_id)
    others = [known for known in found.faults if known.field != "order_id"]
    return replace(found, order=None, left_out=None, faults=(*others, fault))


def assess(
    source: SourceOrder,
    layout: Layout,
    choices: Choices,
    *,
    sent_before: Mapping[str, SentBefore] = MappingProxyType({}),
    catalogue: Catalogue = EMPTY,
    currency: str = "USD",
) -> Assessed:
    """Judge one order; category and image come from the catalogue where the file has none."""
    judge = Judge(source, layout, choices, catalogue, currency)
    content = judge.content()
    sent = sent_before.get(content["order_id"])
    is_same = sent is not None and sent.is_of(source.name, {item["product_id"] for item in content["line_items"]})
    if is_same:
        judge.raised["sent_before"] = [content["order_id"]]
    found = Assessed(
        source.number,
        source.name,
        source.row,
        content["order_id"],
        remarks=(*source.remarks, *judge.remarks),
        country=judge.country.code if judge.country else "",
        raised=judge.raised or _NOTHING_RAISED,
    )
    for kind in () if source.damage else judge.of_all:
        if choices[kind] == "leave out":
            found.left_out = DECISIONS[kind].left_out
            return found
    if is_same and choices["sent_before"] == "leave out":
        found.left_out = DECISIONS["sent_before"].left_out
    elif sent is not None and not is_same:
        words = _(
            "The order id is the same as that of another order which was sent before: give each order an id of its own"
        )
        return _with_id_of(found, choices.id_label(layout), words)
    elif not content["line_items"] and source.lines and not judge.faults:
        found.left_out = N_("none of its lines is sent")
    else:
        try:
            found.order = Order.model_validate(content)
        except ValidationError as error:
            judge.faults += [judge.fault(problem.path, problem.message) for problem in problems(error)]
        # Of several faults of one cell, the first says it.
        faults = {(fault.line, fault.field or fault.message): fault for fault in reversed(judge.faults)}
        found.faults = tuple(reversed(faults.values()))
        found.order = None if faults else found.order
    return found


def changes(source: SourceOrder, order: Order) -> list[str]:
    """What is sent in other words than the file has it, as “file → sent”."""
    address = order.billing_address
    pairs = [(text, getattr(address, name, "")) for name, text in source.values.items()]
    pairs += [(next(iter(source.ids.values()), ""), order.order_id)] if len(source.ids) == 1 else []
    lines = {line.values.get("sku") or line.values.get("title", ""): line.values for line in source.lines}
    for item in order.line_items:
        sent = {
            "price": format_price(item.product_price),
            "quantity": str(item.units),
            "title": item.product_title,
            "delivery_date": f"{item.product_delivery_date or ''}",
        }
        values = lines.get(item.product_id, {})
        pairs += [(values.get(name, ""), text) for name, text in sent.items()]
    return [f"{text} → {sent}" for text, sent in pairs if text and sent and text != sent]

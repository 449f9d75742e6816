"""The basket of a new order: its lines as typed, and everything that changes them. Nothing is drawn here.

A line is a small mapping of texts, as the person sees them; `bundle` names the bundle that it belongs to, if any,
and `looked_up` the SKU that the catalogue was asked for last: it fills a line once, so a cleared field stays empty.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

from components import session
from components.forms.draft_form import DraftForm
from warranty.files.catalogue import Catalogue, CatalogueProduct
from warranty.resources import as_whole
from warranty.resources.money import format_price, price_or_none

Line = dict[str, str]

FIELDS: Final = (
    "product_id",
    "product_title",
    "product_price",
    "quantity",
    "category",
    "product_delivery_date",
    "image",
)
_MOST_UNDONE: Final = 10


@dataclass(frozen=True, slots=True)
class Added:
    """What a scanned code became: the line, and whether it was in the basket before or in the catalogue."""

    line: Line
    was_there: bool
    is_known: bool


def new_line(**values: str) -> Line:
    """An empty line item with an id of its own, so that its fields stay its own when others go."""
    return {"id": uuid.uuid4().hex[:8], "quantity": "1", **values}


def is_filled(line: Mapping[str, str]) -> bool:
    """Whether something was typed into this row."""
    return any(line.get(field, "").strip() for field in FIELDS if field != "quantity")


def name_of(line: Mapping[str, str], number: int) -> str:
    """What a line is called: its title or its SKU, else its place."""
    return line.get("product_title", "").strip() or line.get("product_id", "").strip() or f"Item {number}"


def field_key(form: DraftForm, line: Mapping[str, str], field: str) -> str:
    """The key of a field's widget."""
    return form.widget_key(f"line.{line['id']}.{line.get('renewed', '0')}.{field}")


def basket(form: DraftForm) -> list[Line]:
    """The lines as they stand now, with what was typed since the last run."""
    return [_as_typed(form, line) for line in form.kept("line_items", [])]


def keep(form: DraftForm, lines: Sequence[Line], **more: Any) -> None:
    """Make these the lines of the basket."""
    form.keep_all({"line_items": list(lines), **more})


def keep_typed(form: DraftForm) -> None:
    """Store at once what was typed into a line; for callbacks."""
    keep(form, basket(form))
    form.try_to_store()


def renewed(line: Line, **changes: str) -> Line:
    """A line changed by code: its widgets are mounted anew, since mounted ones could send their old values back."""
    return {**line, **changes, "renewed": str(int(line.get("renewed", "0")) + 1)}


def _as_typed(form: DraftForm, line: Line) -> Line:
    typed = dict(line)
    for field in FIELDS:
        key = field_key(form, line, field)
        if session.is_filled(key):
            value: Any = session.value_of(key, "")
            typed[field] = value.isoformat() if isinstance(value, date) else str(value or "")
    return typed


def scanned(lines: Sequence[Line], code: str, catalogue: Catalogue) -> tuple[list[Line], Added]:
    """The basket after a scan: one unit more of a product that is there, else a new line, filled from the catalogue."""
    product = catalogue.find(code)
    sku = product.sku if product else code.strip()
    kept = [line for line in lines if is_filled(line)]
    for place, line in enumerate(kept):
        if line.get("product_id", "").strip().casefold() == sku.casefold() and not line.get("bundle"):
            quantity = line.get("quantity", "").strip()
            units = as_whole(quantity)
            more = quantity if units is None else str(units + 1)
            kept[place] = renewed(line, quantity=more)
            return kept, Added(kept[place], was_there=True, is_known=product is not None)
    line = new_line(product_id=sku)
    if product:
        line |= _told(product) | {"looked_up": sku}
    return [*kept, line], Added(line, was_there=False, is_known=product is not None)


def completed(line: Line, catalogue: Catalogue) -> Line:
    """A line whose SKU was typed by hand, its empty fields filled from the catalogue."""
    sku = line.get("product_id", "").strip()
    product = catalogue.find(sku)
    if product is None or line.get("looked_up") == sku:
        return line
    looked_up = {**line, "looked_up": sku}
    if line.get("product_title", "").strip():
        return looked_up
    empty = {field: value for field, value in _told(product).items() if not line.get(field, "").strip()}
    return renewed(looked_up, **empty)


def _told(product: CatalogueProduct) -> Line:
    """What the catalogue tells of a product, in the fields of a line."""
    return {
        "product_title": product.title,
        "product_price": "" if product.price is None else format_price(product.price),
        "category": product.category,
        "image": product.image,
    }


def remove(form: DraftForm, line_id: str) -> None:
    """Take a line out, to be undone; for callbacks."""
    lines = basket(form)
    place = next((place for place, line in enumerate(lines) if line["id"] == line_id), None)
    if place is None:
        return
    undone = [*form.kept("removed", []), {"place": place, "line": lines[place]}][-_MOST_UNDONE:]
    keep(form, lines[:place] + lines[place + 1 :], removed=undone)


def undo(form: DraftForm) -> None:
    """Put back the line that was removed last; for callbacks."""
    *earlier, last = form.kept("removed", [])
    lines = basket(form)
    line = {**last["line"], "id": uuid.uuid4().hex[:8]}
    keep(form, [*lines[: last["place"]], line, *lines[last["place"] :]], removed=earlier)


def price_of(line: Mapping[str, str]) -> Decimal | None:
    """The price of one unit; None where it cannot be read."""
    return price_or_none(line.get("product_price", ""))


def far_from_catalogue(line: Mapping[str, str], catalogue: Catalogue) -> Decimal | None:
    """The catalogue's price of a product, where the line's is more than ten times it, or less than a tenth of it."""
    price, product = price_of(line), catalogue.find(line.get("product_id", ""))
    usual = product.price if product else None
    if not price or not usual or usual / 10 <= price <= usual * 10:
        return None
    return usual


def is_meant(line: Mapping[str, str]) -> str:
    """The draft's name for "this price is meant": of this line at this price only."""
    return f"line.{line['id']}.meant.{price_of(line)}"


def units_of(line: Mapping[str, str]) -> int | None:
    """How many units; None where that is no whole number of 1 or more."""
    return as_whole(line.get("quantity", "").strip() or "1") or None


def total_of(
    lines: Iterable[Mapping[str, str]], units_of: Callable[[Mapping[str, str]], int | None] = units_of
) -> Decimal | None:
    """What the lines cost together; None where the price or the units of one of them cannot be read."""
    total = Decimal("0.00")
    for line in lines:
        price, units = price_of(line), units_of(line)
        if price is None or units is None:
            return None
        total += price * units
    return total


def as_date(text: str) -> date | None:
    """A calendar date from the draft's text."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None

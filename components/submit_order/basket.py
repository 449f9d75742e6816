"""The basket of a new order: its lines as typed, and everything that changes them. Nothing is drawn here.

A line is a small mapping of texts, as the person sees them. Its fields are fields of the draft like any other
(`line_items.<id>.product_price`); beside them the draft's `line_items` hold, for each line, its id, the bundle that it
belongs to, if any, and the SKU that the catalogue was asked for last (`looked_up`): it fills a line once, so a cleared
field stays empty.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

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


def new_line(**values: str) -> Line:
    """An empty line item with an id of its own, so that its fields stay its own when others go."""
    return {"id": uuid.uuid4().hex[:8], "quantity": "1", **values}


def is_filled(line: Mapping[str, str]) -> bool:
    """Whether something was typed into this row."""
    return any(line.get(field) for field in FIELDS if field != "quantity")


def name_of(line: Mapping[str, str], number: int) -> str:
    """What a line is called: its title or its SKU, else its place."""
    return line.get("product_title") or line.get("product_id") or f"Item {number}"


def field_of(line: Mapping[str, str], field: str) -> str:
    """The draft's name for a field of a line."""
    return f"line_items.{line['id']}.{field}"


def basket(form: DraftForm) -> list[Line]:
    """The lines as they stand now."""
    return [
        {**line, **{field: _held(form, field_of(line, field)) for field in FIELDS}}
        for line in form.kept("line_items", [])
    ]


def keep(form: DraftForm, lines: Sequence[Line], **more: Any) -> None:
    """Make these the lines of the basket; only fields whose text is another are mounted anew."""
    texts = {field_of(line, field): line.get(field, "") for line in lines for field in FIELDS}
    beside = [{name: text for name, text in line.items() if name not in FIELDS} for line in lines]
    form.put_all(
        {field: text for field, text in texts.items() if text != _held(form, field)},
        line_items=beside,
        **more,
    )


def _held(form: DraftForm, field: str) -> str:
    return str(form.kept(field, "") or "").strip()


def scanned(lines: Sequence[Line], code: str, catalogue: Catalogue) -> tuple[list[Line], str]:
    """The basket after a scan, and what to say: one unit more of a product that is there, else a new line."""
    product = catalogue.find(code)
    sku = product.sku if product else code.strip()
    kept = [line for line in lines if is_filled(line)]
    for place, line in enumerate(kept):
        if line.get("product_id", "").casefold() == sku.casefold() and not line.get("bundle"):
            units = as_whole(line["quantity"])
            more = line["quantity"] if units is None else str(units + 1)
            kept[place] = {**line, "quantity": more}
            return kept, f"{line.get('product_title') or code}: now {more}"
    if product is None:
        said = f"{code} is not in the catalogue: type its title and price"
        return [*kept, new_line(product_id=sku)], said
    return [*kept, new_line(product_id=sku, looked_up=sku, **_told(product))], f"Added: {product.title}"


def completed(line: Line, catalogue: Catalogue) -> Line:
    """A line whose SKU was typed by hand, its empty fields filled from the catalogue."""
    sku = line.get("product_id", "")
    product = catalogue.find(sku)
    if product is None or line.get("looked_up") == sku:
        return line
    if line.get("product_title"):
        return {**line, "looked_up": sku}
    empty = {field: text for field, text in _told(product).items() if not line.get(field)}
    return {**line, **empty, "looked_up": sku}


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


def is_meant(line: Mapping[str, str]) -> str:
    """The draft's name for "this price is meant": of this line at this price only."""
    return field_of(line, f"meant.{price_of(line)}")


def units_of(line: Mapping[str, str]) -> int | None:
    """How many units; None where that is no whole number of 1 or more."""
    return as_whole(line.get("quantity") or "1") or None


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

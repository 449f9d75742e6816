"""What is wrong with the input, as data: where, and a sentence for the person who typed it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from warranty.client.resources.words import is_blank
from warranty.language import N_, _

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One fault: the path of the field, named as in the interface, and what to do about it."""

    path: Path
    message: str


_WANTED: Final[Mapping[str, str]] = {
    "state": N_("Choose a state (or county, province)"),
    "country": N_("Enter a country"),
    "country_code": N_("Enter the country code as two letters, such as US"),
    "first_name": N_("Enter a first name"),
    "last_name": N_("Enter a last name"),
    "address1": N_("Enter the street and number"),
    "city": N_("Enter a city"),
    "zip": N_("Enter a postal code"),
    "email": N_("Enter an e-mail address"),
    "order_id": N_("Enter an order number"),
    "id": N_("Enter an order number"),
    "line_items": N_("Add at least one item"),
    "billing_address": N_("Enter the billing address"),
    "product_id": N_("Enter the product's SKU"),
    "product_title": N_("Enter the product's title"),
    "product_price": N_("Enter a price"),
    "warranty_offer_id": N_("Enter the offer id"),
    "warranty_duration": N_("Choose a term in months"),
    "warranty_price": N_("Enter the price that the customer paid"),
    "category": N_("Enter a category"),
    "src": N_("Enter the address of the image"),
}

_NAMES: Final[Mapping[str, str]] = {
    "product_id": N_("SKU"),
    "product_title": N_("title"),
    "product_price": N_("price"),
    "product_delivery_date": N_("delivery date"),
    "zip": N_("postal code"),
    "address1": N_("street and number"),
    "address2": N_("second address line"),
    "province_code": N_("province code"),
    "merchant_external_id": N_("merchant"),
    "merchant_id": N_("merchant"),
    "mfw_duration_months": N_("manufacturer warranty in months"),
    "mfw_start_date": N_("manufacturer warranty starts"),
    "claim_dates": N_("claim dates"),
    "claimDateRange": N_("claim dates"),
    "warranty_start_dates": N_("warranty start dates"),
    "warrantyStartDateRange": N_("warranty start dates"),
    "customerEmail": N_("customer e-mail"),
    "billing_address": N_("billing address"),
    "category": N_("category"),
    "city": N_("city"),
    "country": N_("country"),
    "country_code": N_("country code"),
    "email": N_("email"),
    "first_name": N_("first name"),
    "id": N_("id"),
    "last_name": N_("last name"),
    "line_item_id": N_("line item id"),
    "line_items": N_("line items"),
    "order_id": N_("order number"),
    "phone": N_("phone"),
    "products": N_("products"),
    "quantity": N_("quantity"),
    "shipping_address": N_("shipping address"),
    "src": N_("src"),
    "state": N_("state"),
    "variant_id": N_("variant id"),
    "warranty": N_("warranty"),
    "warranty_duration": N_("warranty duration"),
    "warranty_id": N_("warranty id"),
    "warranty_offer_id": N_("warranty offer id"),
    "warranty_price": N_("warranty price"),
    "warranty_program_id": N_("warranty program id"),
}

_OURS: Final = "warranty_"
_GENERAL: Final = frozenset(f"{_OURS}{kind}" for kind in ("price", "date", "whole_number", "time", "range", "text"))
"""Sentences that any field of their kind may say: the field's name is put before them."""


def problems(error: ValidationError, names: Mapping[str, str] = _NAMES) -> list[FieldProblem]:
    """List every fault in the order of the fields, with paths named as in the interface.

    A rule about several fields is placed at the field where it can be corrected. `names` are the labels that a screen
    gives to fields of the interface, where they are others than usual.
    """
    return [_problem(fault, {**_NAMES, **names}) for fault in error.errors(include_url=False)]


def field_name(path: Path, names: Mapping[str, str] = _NAMES) -> str:
    """Give the field's name as people read it: the last word of the path, without underscores."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    label = names.get(name, name.replace("_", " "))
    return label and _(label)


def _problem(fault: Mapping[str, Any], names: Mapping[str, str]) -> FieldProblem:
    context = fault.get("ctx", {})
    path: Path = (*fault["loc"], *context.get("at", ()))
    return FieldProblem(path, _sentence(fault, path, names))


def _sentence(fault: Mapping[str, Any], path: Path, names: Mapping[str, str]) -> str:
    kind, message = fault["type"], fault["msg"]
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    if kind in {"missing", "blank"} or (
        kind != "value_error" and not kind.startswith(_OURS) and is_blank(fault["input"])
    ):
        if name in _WANTED:
            return _(_WANTED[name])
        return _("Enter the {field}", field=field_name(path, names)) if name else _("Enter a value")
    if kind.startswith(_OURS):
        label = field_name(path, names)
        return f"{label[:1].upper()}{label[1:]}: {message}" if kind in _GENERAL and path else message
    if kind == "string_type":
        return _("Give the {field} as text, not as a number", field=field_name(path, names))
    return _("The {field} cannot be read: check it", field=field_name(path, names) or _("input"))

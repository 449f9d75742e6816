"""What is wrong with the input, as data: where, and a sentence for the person who typed it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from warranty.resources.words import is_blank

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One fault: the path of the field, named as in the interface, and what to do about it."""

    path: Path
    message: str


_WANTED: Final[Mapping[str, str]] = {
    "state": "Enter a state: the service requires one in every country",
    "country": "Enter a country",
    "country_code": "Enter the country code as two letters, such as US",
    "first_name": "Enter a first name",
    "last_name": "Enter a last name",
    "address1": "Enter the street and number",
    "city": "Enter a city",
    "zip": "Enter a postal code",
    "email": "Enter an e-mail address",
    "order_id": "Enter an order id",
    "id": "Enter an order id",
    "line_items": "Add at least one item",
    "billing_address": "Enter the billing address",
    "product_id": "Enter the product's SKU",
    "product_title": "Enter the product's title",
    "product_price": "Enter a price",
    "warranty_offer_id": "Enter the offer id",
    "warranty_duration": "Choose a term in months",
    "warranty_price": "Enter the price that the customer paid",
    "category": "Enter a category",
    "src": "Enter the address of the image",
}

_NAMES: Final[Mapping[str, str]] = {
    "product_id": "SKU",
    "product_title": "title",
    "product_price": "price",
    "product_delivery_date": "delivery date",
    "zip": "postal code",
    "address1": "street and number",
    "address2": "second address line",
    "province_code": "province code",
    "merchant_external_id": "merchant",
    "merchant_id": "merchant",
    "mfw_duration_months": "manufacturer warranty in months",
    "mfw_start_date": "manufacturer warranty starts",
    "claim_dates": "claim dates",
    "claimDateRange": "claim dates",
    "warranty_start_dates": "warranty start dates",
    "warrantyStartDateRange": "warranty start dates",
    "customerEmail": "customer e-mail",
}

_OURS: Final = "warranty_"
_GENERAL: Final = frozenset(
    f"{_OURS}{kind}" for kind in ("price", "date", "whole_number", "time", "range", "text")
)
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
    return names.get(name, name.replace("_", " "))


def _problem(fault: Mapping[str, Any], names: Mapping[str, str]) -> FieldProblem:
    context = fault.get("ctx", {})
    path: Path = (*fault["loc"], *context.get("at", ()))
    return FieldProblem(path, _sentence(fault, path, names))


def _sentence(fault: Mapping[str, Any], path: Path, names: Mapping[str, str]) -> str:
    kind, said = fault["type"], fault["msg"]
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    if kind in {"missing", "blank"} or (
        kind != "value_error" and not kind.startswith(_OURS) and is_blank(fault["input"])
    ):
        return _WANTED.get(name, f"Enter the {field_name(path, names)}" if name else "Enter a value")
    if kind.startswith(_OURS):
        label = field_name(path, names)
        return f"{label[:1].upper()}{label[1:]}: {said}" if kind in _GENERAL and path else said
    if kind == "string_type":
        return f"Give the {field_name(path, names)} as text, not as a number"
    return f"The {field_name(path, names) or 'input'} cannot be read: check it"

"""Warranties sold after the order, and completed sales that include warranties.

Interface: POST /api/post-purchase-checkout; Checkout request, POST /api/checkout.
"""

from collections.abc import Hashable, Iterable
from typing import Annotated, Final, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from warranty.client.resources.base import Received, Sent
from warranty.client.resources.money import Price
from warranty.client.resources.words import (
    CalendarDate,
    OfferId,
    OptionalText,
    OrderId,
    Required,
    RequiredCountryCode,
    RequiredEmail,
    RequiredOfferId,
    at_least_one,
    refusal,
    whole_number,
)
from warranty.language import N_, _

LARGEST_SALE_QUANTITY: Final = 20
"""Above this, one line item of a sale is refused (Limits)."""

_ONCE: Final = {
    "line_item_id": N_("Item {line_item_id} of the order is in this sale twice: put each item in once"),
    "warranty_offer_id": N_("The same offer is in this sale twice: an offer can be bought once in one sale"),
}

SaleQuantity = Annotated[int | None, BeforeValidator(whole_number(1, LARGEST_SALE_QUANTITY))]
LineItemId = Annotated[int | None, BeforeValidator(whole_number(0))]


def _empty_as_none(value: object) -> object:
    return None if value in ([], ()) else value


class SaleProduct(Sent):
    """A member of a bundled warranty: it only locates the offer; a price sent with it is informational."""

    product_id: OptionalText = None
    variant_id: OptionalText = None
    product_title: str | None = None
    product_price: Price | None = None

    @model_validator(mode="after")
    def _names_a_product(self) -> Self:
        if self.product_id is None and self.variant_id is None:
            raise refusal("warranty_member", _("Name each product of the bundle by its SKU or its variant id"))
        return self


class WarrantySelector(Sent):
    """The term that was sold and what the customer paid for it."""

    warranty_duration: Annotated[int, BeforeValidator(whole_number(1))]
    warranty_price: Price
    warranty_id: OptionalText = None
    warranty_program_id: OptionalText = None


class SaleLineItem(Sent):
    """One warranty sold on one item of the order."""

    warranty_offer_id: OfferId = None
    product_id: OptionalText = None
    variant_id: OptionalText = None
    products: Annotated[tuple[SaleProduct, ...] | None, BeforeValidator(_empty_as_none)] = None
    line_item_id: LineItemId = None
    quantity: SaleQuantity = None
    warranty: WarrantySelector | None = None

    @property
    def units(self) -> int:
        """The number of units covered: 1 where no quantity is given."""
        return self.quantity or 1

    @model_validator(mode="after")
    def _identifies_its_offer(self) -> Self:
        if (self.product_id, self.variant_id, self.products) != (None, None, None):
            return self
        if self.warranty is not None and self.line_item_id is None:
            words = _("Say which item this term is for: enter its SKU, or the number of its line in the order")
            raise refusal("warranty_term_without_item", words, at=("product_id",))
        if self.warranty is None and self.warranty_offer_id is None:
            words = _("Say what was sold: enter the item's SKU, or the id of the offer")
            raise refusal("warranty_no_offer", words, at=("product_id",))
        return self


class Sale(Sent):
    """A post-purchase sale: all of its line items are recorded, or none.

    `id` is the order id as it was sent with the order. What can be known beforehand is checked here (Rules);
    whether an offer is unsold, only the service knows.
    """

    id: OrderId
    line_items: Annotated[tuple[SaleLineItem, ...], at_least_one(N_("Add at least one item to the sale"))]

    @field_validator("line_items", mode="after")
    @classmethod
    def _each_once(cls, line_items: tuple[SaleLineItem, ...]) -> tuple[SaleLineItem, ...]:
        for name, sentence in _ONCE.items():
            values = [getattr(item, name) for item in line_items]
            twice = repeated(value.lower() if isinstance(value, str) else value for value in values)
            if twice is not None:
                words = _(sentence, line_item_id=values[twice])
                raise refusal(f"warranty_{name}_twice", words, at=(twice, name))
        return line_items


def repeated(values: Iterable[Hashable | None]) -> int | None:
    """Give the position of the first value that stood earlier already; None counts as no value."""
    seen: set[Hashable] = set()
    for position, value in enumerate(values):
        if value in seen:
            return position
        if value is not None:
            seen.add(value)
    return None


class SaleReceipt(Received):
    """The warranty order that the service made (interface: Post-purchase order record)."""

    id: Required


class CustomerAddress(Sent):
    """A customer's address on a checkout: billing or shipping."""

    first_name: Required = Field(repr=False)
    last_name: Required = Field(repr=False)
    address1: Required = Field(repr=False)
    address2: str | None = Field(default=None, repr=False)
    city: Required = Field(repr=False)
    state: Required = Field(repr=False)
    zip: Required = Field(repr=False)
    country: Required
    country_code: RequiredCountryCode


class CheckoutLineItem(Sent):
    """One warranty purchased; the manufacturer's own is told only by aftermarket and extension programs."""

    warranty_offer_id: RequiredOfferId
    quantity: Annotated[int | None, BeforeValidator(whole_number(1))] = None
    mfw_duration_months: Annotated[int | None, BeforeValidator(whole_number(0))] = None
    mfw_start_date: CalendarDate = None


class Checkout(Sent):
    """A completed sale that includes warranties. The service mails the customer each time it is told."""

    id: OrderId
    email: RequiredEmail = Field(repr=False)
    phone: str | None = Field(default=None, repr=False)
    line_items: Annotated[tuple[CheckoutLineItem, ...], at_least_one(N_("Add at least one warranty"))]
    billing_address: CustomerAddress
    shipping_address: CustomerAddress | None = None
    merchant_id: OptionalText = None


class CheckoutReceipt(Received):
    """The service took the checkout; its answer is not shown (Endpoints), an `id` is kept if one came."""

    id: str | None = None

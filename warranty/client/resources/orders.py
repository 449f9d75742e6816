"""Orders sold without a warranty, and what the service answers (interface: Order, POST /api/carts)."""

from string import ascii_letters, digits
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from warranty.client.resources.base import Received, Sent
from warranty.client.resources.money import Price
from warranty.client.resources.words import (
    UUID,
    CalendarDate,
    CountryCode,
    Email,
    OptionalText,
    OrderId,
    Required,
    at_least_one,
    is_blank,
    refusal,
    whole_number,
)
from warranty.language import N_, _

STORED_QUANTITY_LIMIT: Final = 20
"""A larger quantity of an order line is stored as this (Limits)."""

Quantity = Annotated[int | None, BeforeValidator(whole_number(1))]
_LONGEST_COUNTER: Final = 19
_SHORTEST_UNGUESSABLE: Final = 8
SEQUENTIAL: Final = N_(
    "This number is easy to guess, and anyone who guesses it can open the customer's page. Use a new number instead."
)
SHORT: Final = N_(
    "This number is short enough to be guessed, and anyone who guesses it can open the customer's page. "
    "Use a new number instead."
)


class Breadcrumb(Sent):
    """One step of the product's category path; read when the warranty is priced."""

    category: str


class Meta(Sent):
    """Product metadata."""

    breadcrumbs: tuple[Breadcrumb, ...] | None = None


class Image(Sent):
    """A product image, by its address."""

    src: str


class Detail(Sent):
    """What the landing page shows beside the title, and what helps to classify the product."""

    images: tuple[Image, ...] | None = None


def category_steps(path: str) -> list[str]:
    """The steps of a category path as people write it (`Electronics > Audio`), the widest first."""
    return [step.strip() for step in path.split(">") if step.strip()]


def shown_as(category: str, image: str = "") -> dict[str, Any]:
    """The `meta` of a product of this category path and the `detail` with its image; without what is empty."""
    found: dict[str, Any] = {}
    if steps := category_steps(category):
        found["meta"] = {"breadcrumbs": [{"category": step} for step in steps]}
    if image:
        found["detail"] = {"images": [{"src": image}]}
    return found


class Product(Sent):
    """A product with its price, as a member of a bundle (interface: Line item of an order, Bundle entry)."""

    product_id: Required
    product_title: Required
    product_price: Price
    quantity: Quantity = None
    product_delivery_date: CalendarDate = None
    meta: Meta | None = None
    detail: Detail | None = None

    @property
    def units(self) -> int:
        """The number of units bought: 1 where no quantity is given."""
        return self.quantity or 1


class LineItem(Product):
    """A line of an order: one product, or a bundle where `products` has two or more entries."""

    products: tuple[Product, ...] | None = None

    @property
    def is_bundle(self) -> bool:
        """Two or more products on one line are a bundle; one is not (Limits)."""
        return self.products is not None and len(self.products) >= 2

    @property
    def stored_quantity(self) -> int:
        """The quantity that the service keeps: above 20 it stores 20 (Limits)."""
        return min(self.units, STORED_QUANTITY_LIMIT)


class BillingAddress(Sent):
    """Where the customer is reached: a state in every country, and an e-mail or a phone number."""

    state: Required = Field(repr=False)
    country: Required
    first_name: Required = Field(repr=False)
    last_name: str | None = Field(default=None, repr=False)
    phone: str | None = Field(default=None, repr=False)
    email: Email | None = Field(default=None, repr=False, validate_default=True)
    address1: str | None = Field(default=None, repr=False)
    address2: str | None = Field(default=None, repr=False)
    city: str | None = Field(default=None, repr=False)
    zip: str | None = Field(default=None, repr=False)
    country_code: CountryCode | None = None
    province_code: str | None = Field(default=None, repr=False)

    @field_validator("email", mode="after")
    @classmethod
    def _e_mail_or_phone(cls, email: str | None, info: ValidationInfo) -> str | None:
        if is_blank(email) and "phone" in info.data and is_blank(info.data["phone"]):
            words = _("Enter an e-mail address or a phone number: the link reaches the customer there")
            raise refusal("warranty_contact", words)
        return email


class Order(Sent):
    """An order sold without a warranty (interface: Order, POST /api/carts)."""

    order_id: OrderId
    line_items: Annotated[tuple[LineItem, ...], at_least_one(N_("Add at least one item"))]
    billing_address: BillingAddress
    merchant_external_id: OptionalText = None


class OrderReceipt(Received):
    """What the service answered to an order (interface: POST /api/carts, Responses).

    `warrantable_products` is three-valued: True or False as the service said it, None where it said nothing.
    `already_known` is True where the answer carried no such field at all: the order id was sent before and
    nothing changed. `after_silence` is True where the client had sent the order a first time within this same
    call and got no usable answer: then `already_known` may speak of that first sending.
    """

    url: str
    warrantable_products: bool | None = None
    already_known: bool = False
    after_silence: bool = False


def order_id_warning(order_id: str) -> str | None:
    """Give a sentence where the order id looks sequential or short, None where it looks random.

    Such an order is warned of, never refused (interface: Order, order_id). A numeric id, or one number behind a prefix
    ("#1001", "ORD-000123", "2026-000123"), counts as sequential.
    """
    order_id = order_id.strip()
    if not order_id or UUID.fullmatch(order_id):
        return None
    if _is_counter(order_id) and sum(mark.isdigit() for mark in order_id) <= _LONGEST_COUNTER:
        return _(SEQUENTIAL)
    if sum(mark.isalnum() for mark in order_id) < _SHORTEST_UNGUESSABLE:
        return _(SHORT)
    return None


def _is_counter(order_id: str) -> bool:
    """Whether digits, once begun, go on to the end, broken by nothing but signs; one last letter may stand there."""
    begins = next((place for place, mark in enumerate(order_id) if mark in digits), None)
    if begins is None:
        return False
    tail = order_id[begins:]
    return not any(mark in ascii_letters for mark in (tail[:-1] if tail[-1] in ascii_letters else tail))

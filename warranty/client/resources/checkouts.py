"""Completed sales that include warranties (interface: Checkout request, POST /api/checkout)."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from warranty.client.resources.base import Received, Sent
from warranty.client.resources.words import (
    CalendarDate,
    OptionalText,
    OrderId,
    Required,
    RequiredCountryCode,
    RequiredEmail,
    RequiredOfferId,
    at_least_one,
    whole_number,
)
from warranty.language import N_


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

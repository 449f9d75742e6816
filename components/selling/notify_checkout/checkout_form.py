"""The form of a completed checkout: sale, customer, warranties, addresses (interface: Checkout request)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import streamlit as st

from components.navigation import go_to
from components.selling.notify_checkout.lines import (
    Line,
    checkout_lines,
    field_of,
    item_lines,
    line_names,
    lines_of,
    order_plans,
    product_plans,
    recognise,
    unit_problems,
)
from components.selling.orders.order_actions import order_actions
from components.selling.orders.plan_choice import usual_prices
from components.selling.sending.ending import went_through
from components.selling.sending.own_drafts import Sending
from components.selling.sending.send_once import Sendable, checked_as
from components.ui.forms.address import address_fields
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.reach import phone_problem, reach_fields
from components.words.amounts import each_of, plan_words
from components.words.attempts import order_words, short_id, sold_words
from warranty.client.resources import Checkout
from warranty.desk.journal import Attempt, ItemLine
from warranty.language import N_, _
from warranty.settings import Settings
from warranty.settings.values import Merchant

_REQUIRED: Final = ("first_name", "last_name", "address1", "city", "state", "zip")
_SHIPPING: Final = {"same": N_("Billing address"), "other": N_("Another address"), "none": N_("Nothing is shipped")}


@dataclass(frozen=True, slots=True)
class EnteredCheckout(Sendable):
    """What stands in the form, in the interface's own words, and the lines it came from."""

    content: dict[str, Any]
    lines: list[Line]
    phone_problem: str = ""

    def checked(self) -> tuple[Checkout | None, dict[str, str]]:
        """The checkout, or the faults by field of the form."""
        faults = unit_problems(self.content["line_items"], self.lines)
        if self.phone_problem:
            faults["phone"] = self.phone_problem
        return checked_as(Checkout, self.content, faults, self._field)

    def _field(self, path: tuple[str | int, ...]) -> str:
        is_same = self.content["shipping_address"] is self.content["billing_address"]
        return "" if is_same and path[0] == "shipping_address" else field_of(path, self.lines)

    @property
    def names(self) -> dict[str, str]:
        """What the addresses are called in the summary of faults, and the warranties where there are several."""
        addresses = {"billing_address.": _("Billing address"), "shipping_address.": _("Shipping address")}
        return addresses | (line_names(self.lines) if len(self.lines) > 1 else {})

    @property
    def items(self) -> tuple[ItemLine, ...]:
        """What was sold, for the journal."""
        return item_lines(self.content["line_items"], self.lines)

    def words(self, currency: str) -> list[str]:
        """Its plans, as far as they are known, the order, and who gets the e-mail."""
        order_id, email = self.content["id"], self.content["email"]
        sent = zip(self.items, self.content["line_items"], strict=True)
        plans = [_plan_words(item, line["warranty_offer_id"], currency) for item, line in sent]
        order, welcome = order_words(order_id), _("Welcome e-mail to {email}", email=email)
        return [*(plans or [_("No plan yet.")]), *[order] * bool(order_id), *[welcome] * bool(email)]


def _plan_words(item: ItemLine, offer_id: str, currency: str) -> str:
    if item.title or item.product_id:
        return sold_words(item, currency)
    plan = plan_words(item.term_months, item.warranty_type) or _("Offer {offer}", offer=short_id(offer_id))
    return plan + each_of(item.quantity)


def checkout_form(checkout: Sending) -> EnteredCheckout:
    """Draw the form, keep its draft, and give what was entered."""
    runtime, form, settings = checkout.runtime, checkout.form, checkout.runtime.settings
    prices = usual_prices(runtime.shop_files)
    st.header(_("Plans sold"), anchor=False)
    with st.container():  # what is below stays mounted when plans appear
        listed = product_plans(runtime, form, prices)
        sold = checkout_lines(form, aftermarket=settings.aftermarket, unfolded=not runtime.service.client.has("offers"))
    drawn = lines_of(form)
    st.header(_("Customer"), anchor=False)
    order_id = form.text("id", _("Order number"))
    with st.container():
        before = runtime.desk.activity.order_timeline(checkout.operator, order_id) if order_id else ()
        order_actions(before, currency=settings.currency, apart_from=form.draft_id, concerns="notify_checkout")
        if order_id and not form.is_locked:
            _sold_without_a_plan(order_id, before)
            listed += order_plans(runtime, form, order_id, prices)
    recognise(form, listed)
    if lines_of(form) != drawn:  # what was chosen here stands above
        st.rerun()
    country = form.content.get("billing_address.country", settings.country)
    reach = reach_fields(form, country=country)
    merchant = _merchant(form, settings.merchants)
    st.header(_("Billing address"), anchor=False)
    billing = _address(form, "billing_address", settings)
    shipping = _shipping(form, billing, settings)
    form.save()
    return EnteredCheckout(
        content={
            "id": order_id,
            "email": reach.get("email", ""),
            "phone": reach.get("phone"),
            "line_items": [entered for _line, entered in sold],
            "billing_address": billing,
            "shipping_address": shipping,
            "merchant_id": merchant,
        },
        lines=[line for line, _entered in sold],
        phone_problem=phone_problem(reach.get("phone", ""), country),
    )


def _sold_without_a_plan(order_id: str, before: Sequence[Attempt]) -> None:
    """An order that this desk sent was sold without a plan: one that is bought for it now is recorded as a sale."""
    if not any(one.operation == "submit_order" and not one.state.nothing_written for one in before):
        return
    st.warning(_("**This order was sold without a plan.** If the customer is buying one now, record the sale."))
    if st.button(_("Record a sale on this order"), key="sale-instead", icon=":material/verified_user:"):
        go_to("record_sale", order=order_id)


def _merchant(form: DraftForm, merchants: Sequence[Merchant]) -> str | None:
    if not merchants:
        return None
    names = {merchant.id: merchant.name for merchant in merchants}
    return form.choice("merchant_id", _("Merchant (only if you were told to name one)"), names, None)


def _shipping(form: DraftForm, billing: dict[str, Any], settings: Settings) -> dict[str, Any] | None:
    words = {name: _(text) for name, text in _SHIPPING.items()}
    chosen = form.choice("shipping", _("Shipped to"), words, "same", as_buttons=True, required=True)
    if chosen == "none":
        return None
    if chosen == "other":
        st.header(_("Shipping address"), anchor=False)
        return _address(form, "shipping_address", settings)
    return billing


def _address(form: DraftForm, name: str, settings: Settings) -> dict[str, Any]:
    return address_fields(form, name, country=settings.country, state=settings.state, required=_REQUIRED)


def checkout_review(entered: EnteredCheckout, currency: str) -> None:
    """Draw the checkout in short, and what it sets off."""
    st.header(_("This checkout"), anchor=False)
    for words in entered.words(currency):
        st.text(words)
    if entered.lines:
        st.caption(_("Once sent, the customer gets the welcome e-mail. An active subscription gets the other items."))


def checkout_result(checkout: Sending, attempt: Attempt) -> None:
    """Draw a checkout that the service took, or that a person found taken."""
    settled = _("**The checkout went through**, as it was settled.")
    # The journal holds no customers: only the tab that sent it still knows the address.
    of_whom = filter(None, (order_words(attempt.order_id), checkout.form.content.get("email", "")))
    ahead = _("The welcome e-mail leads the customer to the portal, to see their plans and file claims.")
    went_through(
        checkout,
        attempt,
        _("**The checkout went through.**") if attempt.settled is None else settled,
        sold=[*(sold_words(item, checkout.runtime.settings.currency) for item in attempt.items), ", ".join(of_whom)],
        copied=_("Copy the service's number"),
        first=partial(st.text, ahead),
        following=_("Next checkout"),
    )

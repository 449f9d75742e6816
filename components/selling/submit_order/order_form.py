"""The form of a new order: items, customer, order id; and beside it the basket in short.

Gives an order that may be sent, or says what is wrong.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Final

import streamlit as st

from components.navigation import go_to
from components.platform import session
from components.selling.orders.order_actions import order_actions
from components.selling.sending.own_drafts import Sending, open_draft
from components.selling.sending.send_once import Sendable, checked_as
from components.selling.submit_order.basket import (
    Line,
    called,
    field_of,
    is_meant,
    line_items_of,
    name_of,
    price_doubt,
    price_of,
    price_problem,
    total_of,
    units_of,
)
from components.selling.submit_order.line_items_editor import line_items_editor
from components.system.customer_screen.shown import ShownItem, basket, tell
from components.ui.forms.address import address_fields
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.reach import one_reach_field, reach_faults
from components.ui.frame.ask_first import ask_first
from components.words.amounts import money
from warranty.access import Operator
from warranty.client.resources import Order, order_id_warning
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptState
from warranty.files.catalogue import Catalogue
from warranty.language import _, ngettext
from warranty.language.written import number
from warranty.places.countries import states
from warranty.settings import Settings

_MADE: Final = uuid.UUID("5a1f6c1e-6c0b-4d0e-9b7e-0f3d2c7a9b41")
"""What the ids that are made of drafts' ids are derived in; another one would give drafts that wait other order ids."""
_OWN: Final = "own-order-id"

open_order = partial(open_draft, screen="submit_order", about="order_id", copies=True, called=called)
"""The person's draft of this screen: its order id may become another in the end, and its basket goes along."""


@dataclass(frozen=True, slots=True)
class EnteredOrder(Sendable):
    """What stands in the form, in the interface's own words, not yet checked; and the rows it came from."""

    content: dict[str, Any]
    lines: tuple[Line, ...]
    row_ids: tuple[tuple[str, ...], ...]
    doubted: Mapping[str, str]
    """What nobody has said is meant, or nobody can be reached by, as faults by field."""

    def checked(self) -> tuple[Order | None, dict[str, str]]:
        """The order, or the faults by field (`billing_address.state`, `line_items.<row id>.product_price`)."""
        return checked_as(Order, self.content, self.doubted, self._field)

    @property
    def total(self) -> Decimal | None:
        """What the items cost together; None while a price or quantity is not known."""
        return total_of(self.lines) if self.lines else None

    @property
    def names(self) -> dict[str, str]:
        """What each item is called in the summary of faults, where there are several."""
        names = {field_of(line, ""): name_of(line, number) for number, line in enumerate(self.lines, 1)}
        return names if len(names) > 1 else {}

    def _field(self, path: tuple[str | int, ...]) -> str:
        if len(path) < 2 or path[0] != "line_items" or not isinstance(path[1], int):
            return ".".join(map(str, path))
        rows, rest, item = self.row_ids[path[1]], path[2:], self.content["line_items"][path[1]]
        if rest == ("product_price",) and "products" in item and not item["product_price"]:
            return ""  # a bundle has no total where a member has no price: that is told at the member alone
        row = rows[0]
        if len(rest) >= 2 and rest[0] == "products" and isinstance(rest[1], int):
            row, rest = rows[rest[1]], rest[2:]
        name = {"meta": "category", "detail": "image"}.get(str(rest[0]), str(rest[0])) if rest else ""
        return f"line_items.{row}.{name}"


def order_form(
    form: DraftForm, *, settings: Settings, catalogue: Catalogue, story: Callable[[str], Sequence[Attempt]]
) -> EnteredOrder:
    """Draw the form, keep its draft, and give what was entered; `story` gives all that was sent on an order."""
    with st.container(gap="xsmall"):
        lines = line_items_editor(form, catalogue=catalogue, currency=settings.currency)
        address = _customer_fields(form, settings)
        order_id = _order_id(form)
        order_actions(
            story(order_id) if order_id else (),
            currency=settings.currency,
            apart_from=form.draft_id,
            concerns="submit_order",
        )
        merchants = {merchant.id: merchant.name for merchant in settings.merchants}
        merchant = merchants and form.choice(
            "merchant", _("Merchant (optional)"), merchants, "", fault="merchant_external_id"
        )
    form.save()
    items = line_items_of(lines)
    content: dict[str, Any] = {
        "order_id": order_id,
        "line_items": [item for item, _ in items],
        "billing_address": address,
    }
    if merchant:
        content["merchant_external_id"] = merchant
    doubted = {
        field_of(line, "product_price"): _("Confirm this price, or correct it")
        for line in lines
        if price_doubt(line, catalogue) and not form.values.get(is_meant(line))
    }
    for line in lines:
        if problem := price_problem(line, settings.currency):
            doubted[field_of(line, "product_price")] = problem
    doubted |= reach_faults(form.content, "billing_address.", address["country_code"])
    return EnteredOrder(content=content, lines=tuple(lines), row_ids=tuple(rows for _, rows in items), doubted=doubted)


def _order_id(form: DraftForm) -> str:
    begins = session.recall(_OWN, "") == form.widget_key("order_id")
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="begin-own-id" if begins else "order-id"
    ):
        made = str(uuid.uuid5(_MADE, form.draft_id))  # always the same, wherever its tab comes back to
        order_id = form.text(
            "order_id",
            _("Order number"),
            default=made,
            autocomplete="off",
            show_fault=False,  # the button stays beside the field
        )
        is_made = order_id == made
        st.button(
            _("Type an order number") if is_made else _("Make a new number"),
            key="make-order-id",
            disabled=form.is_locked,
            on_click=_empty if is_made else _make,
            args=(form,),
        )
    form.faults.draw("order_id")
    warning = order_id_warning(order_id) if order_id else None
    with st.container():
        if warning:
            st.warning(_(warning))
    return order_id


def _make(form: DraftForm) -> None:
    form.put({"order_id": str(uuid.uuid4())})


def _empty(form: DraftForm) -> None:
    form.put({"order_id": ""})
    session.remember(_OWN, form.widget_key("order_id"))


def _customer_fields(form: DraftForm, settings: Settings) -> dict[str, str]:
    """Draw the fields and give what was entered under the interface's names; empty ones are left out."""
    st.header(_("Customer"), anchor=False)
    country = form.content.get("billing_address.country", settings.country)
    address = address_fields(
        form,
        "billing_address",
        country=settings.country,
        state=settings.state,
        required=("first_name",),
        reach=partial(one_reach_field, form, "billing_address.", country),
    )
    province = address.get("state", "")
    if province in states(address["country_code"]):
        address["province_code"] = province
    return address


def next_order(desk: Desk, operator: Operator) -> None:
    """Open New order with an empty form: an order that was begun, or that nobody knows the end of, waits as it is.

    May raise `JournalUnavailable`.
    """
    form = DraftForm.open(desk, operator, "submit_order")
    sent = desk.activity.attempt_of(operator, form.draft_id)
    if sent is not None and sent.state is AttemptState.DONE:
        form.start_anew()
    else:
        form.leave()
    go_to("submit_order")


def order_summary(entered: EnteredOrder, order: Sending) -> None:
    """Draw what is about to be sent, and how all of it can be given up; the customer sees it too."""
    form, currency = order.form, order.runtime.settings.currency
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="order-head"
    ):
        st.header(_("This order"), anchor=False, width="content")
        if called(form.content) and not form.is_locked and order.attempt is None:  # else "More" says what can be done
            ask_first(  # a customer who walks away leaves a basket behind
                _("Discard this order"),
                _("Yes, discard"),
                lost=_("Items and customer are erased here. Nothing was sent."),
                key=f"discard-{form.draft_id}",
                on_click=form.start_anew,
            )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _in_short(entered, {**entered.doubted, **form.faults.unsettled}, currency)
    tell(order.runtime.customer_screens, order.operator, basket(_seen(entered), currency=currency))


def _in_short(entered: EnteredOrder, doubted: Mapping[str, str], currency: str) -> None:
    if not entered.lines:
        st.caption(_("No items yet."))
        return
    units = sum(units_of(line) or 0 for line in entered.lines)
    words = _("no total yet") if entered.total is None else money(entered.total, currency)
    items = ngettext("{n} item", "{n} items", units, n=number(units))
    with st.container(key="order-total", width="content"):
        st.text(f"{items}, {words}", width="content")
    address = entered.content["billing_address"]
    reach = address.get("email") or address.get("phone")
    if any(f"billing_address.{field}" in doubted for field in ("reach", "email", "phone")):
        reach = ""
    words = _("Link goes to {reach}", reach=reach) if reach else _("Link goes to: enter an e-mail or a phone")
    st.text(words, width="content")


def _seen(entered: EnteredOrder) -> list[ShownItem]:
    """The items as their customer sees them: by title, a SKU where that is all there is."""
    return [
        ShownItem(line.get("product_title") or line.get("product_id") or "", units_of(line) or 1, price_of(line))
        for line in entered.lines
    ]

"""The form of a new order: items, customer, order id. Gives an order that may be sent, or says what is wrong."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import streamlit as st
from pydantic import ValidationError

from components.platform import session
from components.selling.orders.order_actions import order_actions
from components.selling.sending.own_drafts import open_draft
from components.selling.submit_order.basket import Line, called, field_of, is_meant, line_items_of, name_of, price_doubt
from components.selling.submit_order.customer import customer_fields
from components.selling.submit_order.line_items_editor import line_items_editor
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.reach import phone_problem
from warranty.client.resources import Order, order_id_warning
from warranty.client.resources.problems import problems
from warranty.client.resources.words import UUID
from warranty.desk.journal import Attempt
from warranty.files.catalogue import Catalogue
from warranty.language import _
from warranty.settings import Settings

_MADE: Final = uuid.UUID("5a1f6c1e-6c0b-4d0e-9b7e-0f3d2c7a9b41")
"""What the ids that are made of drafts' ids are derived in; another one would give drafts that wait other order ids."""
_OWN: Final = "own-order-id"

open_order = partial(open_draft, screen="submit_order", about="order_id", copies=True, called=called)
"""The person's draft of this screen: its order id may become another in the end, and its basket goes along."""


@dataclass(frozen=True, slots=True)
class EnteredOrder:
    """What stands in the form, in the interface's own words, not yet checked; and the rows it came from."""

    content: dict[str, Any]
    lines: tuple[Line, ...]
    row_ids: tuple[tuple[str, ...], ...]
    doubted: Mapping[str, str]
    """Prices that nobody has said are meant, as faults by field."""

    def checked(self) -> tuple[Order | None, dict[str, str]]:
        """The order, or the faults by field (`billing_address.state`, `line_items.<row id>.product_price`)."""
        address = self.content["billing_address"]
        phone = phone_problem(address.get("phone", ""), address["country_code"])
        faults = dict(self.doubted) | ({"billing_address.phone": phone} if phone else {})
        try:
            order = Order.model_validate(self.content)
        except ValidationError as error:
            found = problems(error)
            members = {fault.path[1] for fault in found if "products" in fault.path[2:3]}
            for fault in found:
                # A bundle has no total where a member has no price: that is told at the member alone.
                if fault.path[2:] != ("product_price",) or fault.path[1] not in members:
                    faults.setdefault(self._field(fault.path), fault.message)
            return None, faults
        return (None, faults) if faults else (order, {})

    @property
    def names(self) -> dict[str, str]:
        """What each item is called in the summary of faults, where there are several."""
        names = {field_of(line, ""): name_of(line, number) for number, line in enumerate(self.lines, 1)}
        return names if len(names) > 1 else {}

    def _field(self, path: tuple[str | int, ...]) -> str:
        if len(path) < 2 or path[0] != "line_items" or not isinstance(path[1], int):
            return ".".join(map(str, path))
        rows, rest = self.row_ids[path[1]], path[2:]
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
        address = customer_fields(form, country=settings.country)
        order_id = _order_id(form)
        order_actions(
            story(order_id) if order_id else (),
            currency=settings.currency,
            apart_from=form.draft_id,
            concerns="submit_order",
        )
        merchants = {merchant.id: merchant.name for merchant in settings.merchants}
        merchant = form.choice("merchant", _("Merchant (optional)"), merchants, "") if merchants else ""
        form.fault(("merchant_external_id", form.widget_key("merchant")))
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
    return EnteredOrder(content=content, lines=tuple(lines), row_ids=tuple(rows for _, rows in items), doubted=doubted)


def made_order_id(draft_id: str) -> str:
    """The order id that a draft begins with: always the same one, wherever its tab comes back to."""
    return str(uuid.uuid5(_MADE, draft_id))


def _order_id(form: DraftForm) -> str:
    begins = session.recall(_OWN, "") == form.widget_key("order_id")
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="begin-own-id" if begins else "order-id"
    ):
        order_id = form.text(
            "order_id",
            _("Order id"),
            default=made_order_id(form.draft_id),
            autocomplete="off",
            told=False,  # the button stays beside the field
        )
        is_made = UUID.fullmatch(order_id)
        st.button(
            _("Use our own number") if is_made else _("Make a new id"),
            key="make-order-id",
            disabled=form.is_locked,
            on_click=_empty if is_made else _make,
            args=(form,),
        )
    form.fault(("order_id", form.widget_key("order_id")))
    warning = order_id_warning(order_id) if order_id else None
    with st.container():
        if warning:
            st.warning(_(warning))
    return order_id


def _make(form: DraftForm) -> None:
    form.put("order_id", str(uuid.uuid4()))


def _empty(form: DraftForm) -> None:
    form.put("order_id", "")
    session.remember(_OWN, form.widget_key("order_id"))

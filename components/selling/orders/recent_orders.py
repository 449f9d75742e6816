"""Orders of this desk, from the journal and without a call: one of them is opened, or chosen for a sale."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.browser_part import copy_button
from components.ui.frame.plain_table import plain_table
from components.words.attempts import amount_of, items_words, short_id, short_moment
from warranty.access import Operator
from warranty.desk import Desk
from warranty.desk.journal import Attempt
from warranty.language import N_, _
from warranty.language.written import price

SHOWN: Final = 8
"""As long as the ids that nobody counts up: of a shorter one the beginning may be that of many."""
NONE_YET: Final = N_("No orders yet. They appear here once they are sent.")
_NAMES: Final = "first-names"


def recent_orders(desk: Desk, operator: Operator) -> None:
    """Draw the search, and the orders of which one is opened; reads nothing while it is closed."""
    with st.expander(_("Recent orders"), key="recent-orders", on_change="rerun") as box:
        if not box.open:
            return
        text = st.text_input(
            _("Order number or title"), key="recent-orders-text", type="search", max_chars=200, placeholder=_("Search")
        )
        searched = (text or "").strip()
        found = desk.activity.recent_orders(operator, searched, SHOWN)
        if found:
            orders_table(found, desk, operator, searched=searched, on_open=_open)
        else:
            st.caption(_("No order found.") if searched else _(NONE_YET))
        if found or not searched:
            st.caption(_("Type more of the order number or title for others, and for those of a file."))


def orders_table(
    orders: Sequence[Attempt], desk: Desk, operator: Operator, *, searched: str, on_open: Callable[[str], object]
) -> None:
    """Draw the orders in the order given; one that is pressed is handed to the callback `on_open`, by its id."""
    names: Mapping[str, str] = session.recall(_NAMES, {})
    with_plan, now = desk.activity.with_plan(operator, orders), desk.now()
    declined, unconfirmed = desk.activity.declined(operator, orders), desk.activity.unconfirmed(operator, orders)

    def plan(order: Attempt) -> str:
        if order.order_id in unconfirmed:
            return _("To check")
        if order.order_id in with_plan:
            return _("Sold")
        if order.result.warrantable_products is False:
            return _("Nothing to offer")
        return _("Declined") if order.order_id in declined else _("Not yet")

    def row(order: Attempt) -> tuple[str, ...]:
        amount = amount_of(order)
        return (
            order.order_id,
            " · ".join(filter(None, (items_words(order.items), names.get(order.order_id)))),
            short_moment(order.started_at, now),
            "" if amount is None else price(amount),
            plan(order),
        )

    plain_table(
        "recent-orders-table",
        _("Orders of this desk that match:") if searched else _("Recent orders, those without a plan first:"),
        {"order": _("Order"), "time": _("Time"), "amount": _("Amount"), "plan": _("Plan")},
        [row(order) for order in orders],
        open_label=_("Open order"),
        on_open=on_open,
        wide=["amount"],
    )


def remember_name(order_id: str, first_name: str) -> None:
    """Have the order listed with its customer's first name in this tab, which alone knows it once it is sent."""
    names: Mapping[str, str] = session.recall(_NAMES, {})
    session.remember(_NAMES, dict([*names.items(), (order_id, first_name)][-SHOWN:]))


def shown_order(read: Callable[[str], Attempt | None]) -> Attempt | None:
    """The order that the address of this screen names (`?order=...`), if this desk sent it."""
    order_id = st.query_params.get("order")
    if not order_id:
        return None
    attempt = read(order_id)
    if attempt is None:
        st.warning(_("This desk has not sent that order."))
    return attempt


def copy_order_id(order_id: str, *, place: str) -> None:
    """Draw the beginning of an order's id; a press copies the whole, and says it."""
    short = short_id(order_id)
    copy_button(short, order_id, kind="id", name=_("Copy order number {order}", order=short), place=place)


def link_of(order: Attempt | None) -> str | None:
    """The link of an order that may be handed out at once: the service took it from here, and has plans to offer."""
    if order is None or order.result.already_known is not False or order.result.warrantable_products is False:
        return None
    return order.result.landing_url


def _open(order_id: str) -> None:
    st.query_params.from_dict({"order": order_id})

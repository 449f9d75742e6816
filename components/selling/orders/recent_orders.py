"""Orders of this desk, from the journal and without a call: the link again, on to a sale, or into a form."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components.navigation import go_to
from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.ui.forms.draft_form import DraftForm
from components.words.attempts import items_words, moment, short_id
from warranty.desk.journal import Attempt
from warranty.language import N_, _, ngettext
from warranty.language.written import number

SHOWN: Final = 8
"""As long as the ids that nobody counts up: of a shorter one the beginning may be that of many."""
NONE_YET: Final = N_("No orders yet. They appear here once they are sent.")


def recent_orders(find: Callable[[str, int], list[Attempt]]) -> None:
    """Draw the search; reads nothing while it is closed."""
    with st.expander(_("Recent orders"), key="recent-orders", on_change="rerun") as box:
        if not box.open:
            return
        text = (
            st.text_input(
                _("Order number or title"),
                key="recent-orders-text",
                type="search",
                max_chars=200,
                placeholder=_("Search"),
            )
            or ""
        )
        found = find(text, SHOWN)
        if not found:
            st.caption(_("No order found.") if text.strip() else _(NONE_YET))
        for order in found:
            _row(order)
        if len(found) == SHOWN:
            st.caption(
                _(
                    "The newest {n} are shown. Type more of the order number or the title to find others.",
                    n=number(SHOWN),
                )
            )


def order_choices(form: DraftForm, orders: Sequence[Attempt], *, field: str) -> None:
    """Draw the orders in the order given; a click puts the order's id into the field of the draft."""
    for order in orders:
        st.button(
            f"{plain(items_words(order.items))} · {moment(order.started_at)} · {plain(short_id(order.order_id))}",
            key=f"recent-{order.attempt_id}",
            on_click=form.put,
            args=({field: order.order_id},),
            width="stretch",
        )


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


def _row(order: Attempt) -> None:
    count = sum(item.quantity for item in order.items)
    units = ngettext("{n} unit", "{n} units", count, n=number(count))
    place, words = f"recent-{order.attempt_id}", items_words(order.items)
    with st.container(horizontal=True, vertical_alignment="center", border=True, gap="small"):
        with st.container(gap="xxsmall"):
            st.text(words)
            st.caption(plain(f"{moment(order.started_at)} · {units}"))
        copy_order_id(order.order_id, place=place)
        if link := link_of(order):
            copy_button(_("Copy link"), link, kind="plain", name=_("Copy link: {order}", order=words), place=place)
        for label, screen in ((_("Open order"), "submit_order"), (_("Record a sale"), "record_sale")):
            if st.button(label, key=f"recent-{screen}-{order.attempt_id}"):
                go_to(screen, order=order.order_id)

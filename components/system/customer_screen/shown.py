"""What a customer may see, as values for the customer's screen: products, units, prices, plans and the link.

A tab tells it when that is another than it told last. Built from named fields alone, so that nothing else of an order
or a sale can come along. Prices are texts of digits: the screen writes them as its customer reads them.
"""

import contextlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import streamlit as st

from components.people.sign_in.guarded_login import address_of_tab, wait_words
from components.platform import session
from components.platform.paths import path_of
from components.ui.frame.ask_first import OwnDialog
from components.ui.frame.code_to_scan import code_to_scan
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.client.resources import PurchaseWarranties
from warranty.desk.journal import ItemLine
from warranty.errors import JournalUnavailable
from warranty.language import _
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.tills.customer_screens import CODE_LENGTH, CustomerScreens

Shown = Mapping[str, Any]
MOST_LINES: Final = 40
_LONGEST_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class ShownItem:
    """A product in the customer's basket; `price` of one unit, None where it is not known yet."""

    name: str
    units: int
    price: Decimal | None


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """A plan on a product, offered or sold."""

    name: str
    months: int | None
    kind: str
    price: Decimal | None
    units: int = 1


def basket(items: Sequence[ShownItem], *, currency: str) -> Shown | None:
    """The basket as it is; nothing while it is empty."""
    return {"kind": "basket", "currency": currency, **_items(items)} if items else None


def link(
    url: str, items: Sequence[ShownItem], offers: Sequence[ShownPlan], *, currency: str, works_later: bool
) -> Shown:
    """The landing page's link, with the order that it is of and the plans that it offers, as far as they are known."""
    return {
        "kind": "link",
        "currency": currency,
        "url": url,
        "later": works_later,
        "plans": [_plan(offer) for offer in offers[:MOST_LINES]],
        **_items(items),
    }


def plans(bought: Sequence[ShownPlan], *, currency: str, sold: bool) -> Shown | None:
    """The plans that the customer is about to pay, or has paid; nothing while none is chosen."""
    if not bought:
        return None
    return {
        "kind": "sold" if sold else "plans",
        "currency": currency,
        "plans": [_plan(plan) for plan in bought[:MOST_LINES]],
        "total": _total((plan.price, plan.units) for plan in bought),
    }


def sold_plans(items: Iterable[ItemLine]) -> list[ShownPlan]:
    """The plans of a sale that was sent."""
    return [
        ShownPlan(
            one.title or one.product_id, one.term_months, one.warranty_type or "", one.warranty_price, one.quantity
        )
        for one in items
    ]


def offered_plans(answer: PurchaseWarranties | None) -> list[ShownPlan]:
    """The plans that can still be bought on an order, by its items."""
    return [
        ShownPlan(name, offer.warranty_duration, offer.warranty_type or "", offer.warranty_price)
        for line in (answer.line_items if answer else ())
        for name in [line.product_title or line.product_id or ""]
        for offer in line.offers
        if not offer.is_bought
    ]


def _items(items: Sequence[ShownItem]) -> dict[str, Any]:
    return {
        "items": [
            {"name": item.name[:_LONGEST_NAME], "units": item.units, "price": _text(item.price)}
            for item in items[-MOST_LINES:]
        ],
        "count": sum(item.units for item in items),
        "total": _total((item.price, item.units) for item in items),
    }


def _plan(plan: ShownPlan) -> dict[str, Any]:
    return {
        "name": plan.name[:_LONGEST_NAME],
        "months": plan.months,
        "kind": plan.kind[:_LONGEST_NAME],
        "price": _text(plan.price),
        "units": plan.units,
    }


def _total(prices: Iterable[tuple[Decimal | None, int]]) -> str | None:
    total = Decimal("0.00")
    for price, units in prices:
        if price is None:
            return None
        total += price * units
    return _text(total)


def _text(price: Decimal | None) -> str | None:
    return None if price is None else f"{price:.2f}"


EVERYTHING: Final = ("basket", "link", "plans", "sold")
_TOLD: Final = "customer-screen-told"
_AGAIN_SECONDS: Final = 60
"""What still stands is told anew with the next run, so that it does not end while somebody works at it."""


def tell(
    screens: CustomerScreens, operator: Operator, shown: Shown | None, *, ends: Sequence[str] = EVERYTHING
) -> None:
    """Show this, or the shop's name alone; that ends what is of these kinds.

    An empty screen is told only by the tab that told something: another tab of the person may be at a basket. A
    journal that is away now is told with the next run; meanwhile the counter goes on.
    """
    nothing: tuple[Shown | None, float] = (None, 0.0)
    last, shown_at = session.recall(_TOLD, nothing)
    if shown is None and (last is None or last["kind"] not in ends):
        return
    if shown == last and time.monotonic() - shown_at < _AGAIN_SECONDS:
        return
    with contextlib.suppress(JournalUnavailable):
        if screens.count(operator.username, operator.at.till_id):
            screens.show(operator.username, shown, operator.at.till_id)
            session.remember(_TOLD, (shown, time.monotonic()))


def tell_anew() -> None:
    """Tell all of it with the next run: a screen was connected."""
    session.forget(_TOLD)


OWN_SCREEN: Final = OwnDialog("customer-screen")
_CODE: Final = "customer-screen-code"
_LONGEST_ENTRY: Final = 3 * CODE_LENGTH


def connecting(screens: CustomerScreens, operator: Operator, tries: SignInTries) -> None:
    """Draw the dialog, if it is open; say that a screen was connected."""
    form, done = partial(_form, screens, operator, tries), _("The customer's screen is connected.")
    OWN_SCREEN.draw(_("Customer's screen"), form, done=done)


def _form(screens: CustomerScreens, operator: Operator, tries: SignInTries) -> bool:
    connect = reporting_outage(partial(_connect, screens, operator, tries))
    disconnect = reporting_outage(partial(_disconnect, screens, operator))
    if screens.count(operator.username, operator.at.till_id):
        st.success(_("A customer's screen is connected. It shows the basket, the link and the plans."))
        st.button(_("Disconnect"), key="disconnect-screen", on_click=disconnect, width="stretch")
    _where(customer_address(st.context.url or ""))
    with st.form("connect-screen", border=False):
        label = _("Code on the customer's screen")
        st.text_input(label, key=_CODE, max_chars=_LONGEST_ENTRY, autocomplete="off", placeholder="ABC DEF")
        if OWN_SCREEN.problem:
            st.error(OWN_SCREEN.problem)
        return st.form_submit_button(_("Connect"), type="primary", on_click=connect, width="stretch")


def customer_address(page: str) -> str:
    """The address of the customer's page, beside that of the page which a person is at."""
    parts = urlsplit(page)
    return f"{parts.scheme}://{parts.netloc}{path_of('customer')}"


def _where(address: str) -> None:
    words, code = st.columns([3, 2], vertical_alignment="center")
    with words:
        st.markdown(_("Open this on the second screen. It shows a code:"))
        st.code(address, language=None, wrap_lines=True)
        st.link_button(
            _("Open on this computer"), address, icon=":material/open_in_new:", width="stretch", key="open-screen"
        )
    with code:
        code_to_scan(address, alt=_("QR code of the customer's screen"))


def _connect(screens: CustomerScreens, operator: Operator, tries: SignInTries) -> None:
    code = str(session.value_of(_CODE, ""))
    name, address = f"a customer's screen\n{operator.username}", address_of_tab()
    wait = tries.begin(name, address)
    if wait > timedelta(0):
        OWN_SCREEN.refuse(wait_words(wait))
    elif screens.pair(code, operator.username, operator.at.till_id):
        tries.succeeded(name, address)
        tell_anew()
        OWN_SCREEN.close()
    else:
        OWN_SCREEN.refuse(_("No screen shows this code now. Look at it again: it changes every five minutes."))


def _disconnect(screens: CustomerScreens, operator: Operator) -> None:
    screens.disconnect(operator.username)
    tell_anew()

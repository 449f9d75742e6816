"""Acts on what the page's router caught (components/platform/page_keys.html): codes, and keys that open a screen.

Each comes with a number and stays in the browser until it was taken, so none is lost in a run that is cut off, and none
is taken twice (docs/platform-notes/keys.md).
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Final

import streamlit as st

from components.claims.screen import tab_filter
from components.claims.screen.claims_filter import ClaimsFilter
from components.gate import recheck
from components.keys.finding import found, is_customer
from components.keys.part import KEY, keys_part
from components.keys.places import BASKET, Known, Place, place_of
from components.navigation import SCREENS, go_to
from components.platform import session
from components.selling.orders.product_scan import PRODUCTS_GO_TO
from components.ui.frame.actions import Action
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.client.resources.landing import is_of_another_keyboard
from warranty.errors import JournalUnavailable
from warranty.language import N_, _

_HEARD: Final = "keys-heard"
_LONGEST: Final = 254
_MOST_HANDED: Final = 200
_WANTED: Final = "keys-wanted"
_FOUND: Final = "keys-found"
CAN_BE_SCANNED: Final = N_("You can scan an order's QR code or id, a warranty's id, or a product of the catalogue.")
_OF_THE_PART: Final = {
    "keys": N_("Keys"),
    "close": N_("Close"),
    "find": N_("Search screens, orders, customers, products"),
    "by": N_("Name, order number, e-mail, SKU"),
    "nothing": N_("Nothing found."),
}
_EVERYWHERE: Final = (
    *((screen.key, screen.title) for screen in SCREENS if screen.key),
    ("Ctrl+K", N_("Finds a screen, an action, an order, a customer's claims, a product")),
    (N_("A scan"), N_("Opens the product, order or warranty")),
    (N_("? or F1"), N_("These keys")),
    ("Esc", N_("Closes what is open")),
)
_OF_A_SCREEN: Final = {
    "submit_order": (
        ("Enter", N_("In the scan field: adds the item; in the empty field: goes on to the customer")),
        ("Ctrl+Enter", N_("Send order")),
        ("Alt+N", N_("Next order")),
        ("Alt+X", N_("The customer declines the plan; once more: takes it back")),
    ),
    "record_sale": (("Ctrl+Enter", N_("Record sale")),),
    "notify_checkout": (("Ctrl+Enter", N_("Send checkout")),),
}


@dataclass(frozen=True, slots=True)
class _Heard:
    """Up to which number a page was heard, what is still to be done of it, and what the page is told."""

    mount: str = ""
    taken: int = 0
    waiting: tuple[tuple[int, str, str], ...] = ()
    basket: tuple[tuple[int, str], ...] = ()
    reply: tuple[int, str] = (0, "")


def key_router(screen: str, operator: Operator, known: Known, actions: Sequence[Action]) -> None:
    """Draw what the router speaks with, on every screen.

    `screen` is the name of the one that is shown; `actions` is what the field finds to do.
    """

    @st.fragment
    def listen() -> None:
        recheck()
        _act(screen, known, actions)
        heard = session.recall(_HEARD, _Heard())
        keys_part(
            {
                "tab": session.tab_name(),
                "mount": heard.mount,
                "taken": heard.taken,
                "basket": heard.basket,
                "said": heard.reply,
                "help": keys_of(screen),
                "words": part_words(),
                "found": _found(operator, known, actions),
            },
            heard=_hear,
            looked=_look,
        )

    with st.container(key="key-router"):  # takes no room on the screen (desk.css)
        listen()


def _of_the_page(name: str) -> Any:
    nothing: dict[str, Any] = {}
    return session.value_of(KEY, nothing).get(name)


def _hear() -> None:
    request = _of_the_page("asked")
    if not request:
        return
    heard = session.recall(_HEARD, _Heard())
    if request["mount"] != heard.mount:
        heard = _Heard(mount=str(request["mount"]))
    new = [
        (int(number), str(kind), str(text)[:_LONGEST])
        for number, kind, text in request["all"]
        if int(number) > heard.taken
    ]
    if new:
        session.remember(_HEARD, replace(heard, taken=new[-1][0], waiting=(*heard.waiting, *new)))


def _look() -> None:
    wanted = _of_the_page("wanted")
    if wanted:
        session.remember(_WANTED, (int(wanted["number"]), str(wanted["text"])[:_LONGEST]))


def _found(operator: Operator, known: Known, actions: Sequence[Action]) -> dict[str, Any]:
    """What was found last; what is wanted is looked for once, however often the part is drawn."""
    nothing = {"number": 0, "text": "", "all": []}
    wanted: tuple[int, str] | None = session.recall(_WANTED, None)
    if wanted is not None:
        try:
            results = found(wanted[1], operator, known, actions)
        except JournalUnavailable:
            results = []
        answer = {"number": wanted[0], "text": wanted[1], "all": [astuple(one) for one in results]}
        session.remember(_FOUND, answer)
        session.forget(_WANTED)
    return session.recall(_FOUND, nothing)


def _act(screen: str, known: Known, actions: Sequence[Action]) -> None:
    """Do what is waiting, one after the other; where a screen is drawn anew for it, what is left waits for that run."""
    while (heard := session.recall(_HEARD, _Heard())).waiting:
        (number, kind, text), *rest = heard.waiting
        heard = replace(heard, waiting=tuple(rest))
        place: Place | None = None
        if kind == "go":
            place = next((Place(each.name) for each in SCREENS if each.name == text), None)
        elif kind == "order":
            place = Place("submit_order", (("order", text),))
        elif kind == "sent":
            place = Place("activity", (("days", "all"), ("find", text)))
        elif kind == "customer" and is_customer(text):
            place = Place("claims")
            tab_filter.fill_fields(ClaimsFilter(period="", email=text))  # personal data: in no address
        elif kind in {"scan", "product"}:
            heard, place = _taken(heard, number, text, screen, known)
        session.remember(_HEARD, heard)
        if place is not None:
            go_to(place.screen, **dict(place.parameters))
        act = next((each.act for each in actions if kind == "do" and each.name == text), None)
        if act is not None:
            reporting_outage(act)()
            st.rerun()


def _taken(heard: _Heard, number: int, code: str, screen: str, known: Known) -> tuple[_Heard, Place | None]:
    """What a code changes, and the screen to go to, if any."""
    try:
        place = place_of(code, known)
        words = " ".join((_("Nothing here knows the code {code}.", code=code), _(CAN_BE_SCANNED)))
        if is_of_another_keyboard(code):
            words = _("The scanner is set to another keyboard than this computer: set both to the same language")
    except JournalUnavailable:
        place = None
        words = _("Nobody can tell now what {code} is. Scan it again in a minute.", code=code)
    here = screen in {BASKET.screen, session.recall(PRODUCTS_GO_TO, "")}
    if place == BASKET or (place is None and here):  # there: a product that the catalogue does not know
        basket = (*heard.basket, (number, code))[-_MOST_HANDED:]
        return replace(heard, basket=basket), None if here else BASKET
    return (heard, place) if place else (replace(heard, reply=(number, words)), None)


def keys_of(screen: str) -> tuple[tuple[str, str], ...]:
    """The keys of a screen, its own first."""
    return tuple((_(keys), _(words)) for keys, words in (*_OF_A_SCREEN.get(screen, ()), *_EVERYWHERE))


def part_words() -> dict[str, str]:
    """What the list of keys and the field that finds things say, by name."""
    return {name: _(words) for name, words in _OF_THE_PART.items()}

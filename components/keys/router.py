"""Acts on what the page's router caught (components/platform/page_keys.js): codes, and keys that open a screen.

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
from components.keys.finding import BASKET, Known, Place, found, is_customer, place_of
from components.navigation import SCREENS, go_to
from components.platform import session
from components.platform.browser_part import BASE_CSS, BrowserPart
from components.selling.orders.product_scan import PRODUCTS_GO_TO
from components.ui.forms.pick_list import LIST_JS
from components.ui.frame.actions import Action
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.client.resources.landing import is_of_another_keyboard
from warranty.errors import JournalUnavailable
from warranty.language import N_, _

KEY: Final = "keys"

_HTML: Final = """
<p role="status"></p>
<dialog id="keys" aria-labelledby="keys-title">
  <h2 id="keys-title"></h2>
  <dl></dl>
  <form method="dialog"><button></button></form>
</dialog>
<dialog id="find" aria-labelledby="find-title">
  <label id="find-title" for="find-text"></label>
  <input id="find-text" type="text" role="combobox" maxlength="254"
    autocomplete="off" spellcheck="false" aria-autocomplete="list">
  <ul role="listbox" aria-labelledby="find-title"></ul>
  <small role="status"></small>
</dialog>
"""
_CSS: Final = (
    BASE_CSS
    + """
p {
  box-sizing: border-box; position: fixed; bottom: 1rem; left: 50%; transform: translateX(-50%); margin: 0;
  width: max-content; max-width: min(40rem, 94vw); padding: 0.75rem 1rem; overflow-wrap: anywhere;
  color: var(--st-background-color); background: var(--st-text-color); border-radius: var(--st-base-radius);
}
p:empty { padding: 0; }
dialog#find { margin-top: 4.5rem; }
h2 { margin: 0 0 0.5rem; font-size: 1.25rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 1rem; margin: 0 0 1rem; }
dt { font-weight: 600; white-space: nowrap; }
dd { margin: 0; }
label { display: block; margin-bottom: 0.5rem; }
input { width: 100%; font-size: 1.125rem; cursor: text; }
ul { list-style: none; max-height: 60vh; margin: 0.5rem 0 0; padding: 0; overflow-y: auto; }
li { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: center; min-height: 2.75rem; padding: 0 0.75rem; }
b { margin-left: auto; font-weight: inherit; }
li[aria-selected="true"] { background: var(--st-secondary-background-color); box-shadow: inset 3px 0; }
"""
)
_JS: Final = (
    LIST_JS
    + """
const make = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text }, more);

export default function ({ parentElement, data, setStateValue }) {
  const desk = window.deskKeys, part = (name) => parentElement.querySelector(name);
  const line = part("p"), help = part("#keys"), find = part("#find");
  const field = part("input"), list = part("ul"), rows = rowsBelow(field, list);
  const said = { h2: "keys", button: "close", label: "find" };
  for (const [name, words] of Object.entries(said)) part(name).textContent = data.words[words];
  field.placeholder = data.words.by;
  const isNew = desk.part !== line || desk.tab !== data.tab;  // another server knows of nothing that was asked for
  [desk.part, desk.tab] = [line, data.tab];
  // One at a time: what is sent while the server opens another screen would still be about the one before.
  desk.send = () => {
    clearTimeout(desk.again);
    desk.sent = desk.asked.at(-1)[0];
    setStateValue("asked", { mount: desk.mount, all: desk.asked, tab: data.tab });
    desk.again = setTimeout(() => { if (desk.asked.length) desk.send(); }, 5000);
  };
  desk.changed = () => { if (!desk.sent) desk.send(); };
  desk.tell = (words, forNow = false) => {
    desk.forNow = forNow;
    if (line.textContent !== words) line.textContent = words;
  };
  desk.close = () => {
    clearTimeout(desk.typing);
    help.close();
    find.close();
  };
  desk.open = (what) => {
    desk.close();
    if (what === "find") {
      field.value = "";
      show([]);
      find.showModal();
      look();
      return;
    }
    part("dl").replaceChildren(...data.help.flatMap(([keys, words]) => [make("dt", keys), make("dd", words)]));
    help.showModal();
  };

  // What is found comes for a text, and stands only while that is in the field.
  const look = () => setStateValue("wanted", { number: (desk.looks = (desk.looks ?? 0) + 1), text: field.value });
  const pick = (place) => {
    const chosen = desk.found?.[place];
    if (!chosen) return;
    const here = { "open-keys": () => desk.open("keys"), "switch-person": () => window.deskTill.leave() };
    if (chosen[0] === "here") here[chosen[1]]();
    else desk.ask(chosen[0], chosen[1]);
  };
  const show = (found) => {
    desk.found = found;
    rows.show(found.map(() => ""), pick, 0);
    found.forEach(([, , words, about, key], number) => {
      list.children[number].append(make("strong", words), make("span", about), make("b", key));
    });
  };
  field.oninput = () => {
    clearTimeout(desk.typing);
    desk.typing = setTimeout(look, 120);
  };
  field.onkeydown = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      rows.step(by);
    }
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (data.found.text === field.value) pick(field.at);
    else {
      desk.picks = field.value;  // typed faster than it was found
      clearTimeout(desk.typing);
      look();
    }
  };

  if (data.mount === desk.mount) {
    desk.asked = desk.asked.filter(([number]) => number > data.taken);
    if (data.taken >= desk.sent) desk.sent = 0;
    desk.give(data.basket);
    desk.added();
    if (desk.forNow && !desk.asked.length) desk.tell("");
    if (data.said[0] !== desk.said) desk.tell(data.said[1]);
    desk.said = data.said[0];
  }
  if (find.open && data.found.text === field.value && data.found.number !== desk.shown) {
    desk.shown = data.found.number;
    show(data.found.all);
    part("small").textContent = data.found.all.length ? "" : data.words.nothing;
    if (desk.picks === field.value) pick(0);
    desk.picks = undefined;
  }
  if (isNew || !desk.sent) queueMicrotask(() => desk.asked.length && desk.send());
}
"""
)
_PART: Final = BrowserPart(KEY, _JS, _HTML, _CSS)
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
        _PART.draw(
            key=KEY,
            default={"asked": {}, "wanted": {}},
            on_asked_change=_hear,
            on_wanted_change=_look,
            data={
                "tab": session.tab_name(),
                "mount": heard.mount,
                "taken": heard.taken,
                "basket": heard.basket,
                "said": heard.reply,
                "help": keys_of(screen),
                "words": {name: _(words) for name, words in _OF_THE_PART.items()},
                "found": _found(operator, known, actions),
            },
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
    new = [(int(at), str(kind), str(text)[:_LONGEST]) for at, kind, text in request["all"] if int(at) > heard.taken]
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

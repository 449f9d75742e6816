"""Acts on what the page's router caught (components/frame/page_keys.html): codes, and keys that open a screen.

Each comes with a number and stays in the browser until it was taken, so none is lost in a run that is cut off, and none
is taken twice (docs/platform-notes/keys.md).
"""

from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from components import session
from components.browser_part import browser_part
from components.gate import recheck
from components.keys.places import BASKET, Known, Place, place_of
from components.keys.words import CAN_BE_SCANNED, keys_of
from components.navigation import SCREENS, go_to
from warranty.errors import JournalUnavailable

_KEY: Final = "keys"
_HEARD: Final = "keys-heard"
_LONGEST: Final = 200
_MOST_HANDED: Final = 200

_HTML: Final = """
<p role="status"></p>
<dialog aria-labelledby="keys-title">
  <h2 id="keys-title">Keys</h2>
  <dl></dl>
  <form method="dialog"><button>Close</button></form>
</dialog>
"""
_CSS: Final = """
p, dialog { font-family: var(--st-font); color: var(--st-text-color); background: var(--st-background-color); }
p {
  position: fixed; z-index: 1000100; bottom: 1rem; left: 50%; transform: translateX(-50%); margin: 0;
  max-width: min(40rem, 90vw); padding: 0.75rem 1rem; overflow-wrap: anywhere;
  color: var(--st-background-color); background: var(--st-text-color); border-radius: var(--st-base-radius);
}
p:empty { padding: 0; }
dialog { width: min(32rem, 90vw); border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); }
dialog::backdrop { background: rgb(0 0 0 / 50%); }
h2 { margin: 0 0 0.5rem; font-size: 1.25rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 1rem; margin: 0 0 1rem; }
dt { font-weight: 600; white-space: nowrap; }
dd { margin: 0; }
button {
  min-height: 2.75rem; padding: 0 1rem; font: inherit; color: var(--st-text-color); cursor: pointer;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
"""
_JS: Final = """
export default function ({ parentElement, data, setStateValue }) {
  const desk = window.deskKeys;
  const [line, help, list] = ["p", "dialog", "dl"].map((name) => parentElement.querySelector(name));
  const isNew = desk.part !== line;
  desk.part = line;
  desk.screens = data.screens;
  desk.changed = () => setStateValue("asked", { mount: desk.mount, all: desk.asked });
  desk.tell = (words, forNow = false) => {
    desk.forNow = forNow;
    if (line.textContent !== words) line.textContent = words;
  };
  desk.open = () => {
    const one = (name, text) => Object.assign(document.createElement(name), { textContent: text });
    list.replaceChildren(...data.help.flatMap(([keys, words]) => [one("dt", keys), one("dd", words)]));
    if (!help.open) help.showModal();
  };
  desk.close = () => help.close();
  if (data.mount === desk.mount) {
    desk.asked = desk.asked.filter(([number]) => number > data.taken);
    desk.give(data.basket);
    if (desk.forNow && !desk.asked.length) desk.tell("");
    if (data.said[0] !== desk.said) desk.tell(data.said[1]);
    desk.said = data.said[0];
  }
  if (isNew && desk.asked.length) desk.changed();
}
"""


@dataclass(frozen=True, slots=True)
class _Heard:
    """Up to which number a page was heard, what is still to be done of it, and what the page is told."""

    mount: str = ""
    taken: int = 0
    waiting: tuple[tuple[int, str, str], ...] = ()
    basket: tuple[tuple[int, str], ...] = ()
    said: tuple[int, str] = (0, "")


def key_router(screen: str, known: Known) -> None:
    """Draw what the router speaks with, on every screen; `screen` is the name of the one that is shown."""

    @st.fragment
    def listen() -> None:
        recheck()
        _act(screen, known)
        heard = session.recall(_HEARD, _Heard())
        browser_part(_KEY, _JS, _HTML, _CSS)(
            key=_KEY,
            data={
                "mount": heard.mount,
                "taken": heard.taken,
                "basket": heard.basket,
                "said": heard.said,
                "screens": {each.key: each.name for each in SCREENS if each.key},
                "help": keys_of(screen),
            },
            default={"asked": {}},
            on_asked_change=_hear,
        )

    with st.container(key="keys"):  # takes no room on the screen (desk.css)
        listen()


def _hear() -> None:
    asked: Any = session.value_of(_KEY, {}).get("asked")
    if not asked:
        return
    heard = session.recall(_HEARD, _Heard())
    if asked["mount"] != heard.mount:
        heard = _Heard(mount=str(asked["mount"]))
    new = [
        (int(number), str(kind), str(text)[:_LONGEST])
        for number, kind, text in asked["all"]
        if int(number) > heard.taken
    ]
    if new:
        session.remember(_HEARD, replace(heard, taken=new[-1][0], waiting=(*heard.waiting, *new)))


def _act(screen: str, known: Known) -> None:
    """Do what is waiting, one after the other; where that is another screen, what is left waits for the run there."""
    while (heard := session.recall(_HEARD, _Heard())).waiting:
        (number, kind, text), *rest = heard.waiting
        heard = replace(heard, waiting=tuple(rest))
        place: Place | None = None
        if kind == "go":
            place = next((Place(each.name) for each in SCREENS if each.name == text), None)
        else:
            try:
                place = place_of(text, known)
                words = f"Nothing here knows the code {text}. {CAN_BE_SCANNED}"
            except JournalUnavailable:
                words = f"Nobody can tell now what {text} is. Scan it again in a minute."
            if place is None and screen == BASKET.screen:
                place = BASKET  # an item that the catalogue does not know
            if place is None:
                heard = replace(heard, said=(number, words))
            elif place == BASKET:
                heard = replace(heard, basket=(*heard.basket, (number, text))[-_MOST_HANDED:])
                place = None if screen == BASKET.screen else BASKET
        session.remember(_HEARD, heard)
        if place is not None:
            go_to(place.screen, **dict(place.asked))

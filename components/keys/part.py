"""The part of the key router that a browser shows: one line, the list of keys, and the field that finds things."""

from collections.abc import Callable
from typing import Any, Final

from components.platform.browser_part import BrowserPart
from components.ui.forms.pick_list import LIST_JS

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
_CSS: Final = """
p, dialog { font-family: var(--st-font); color: var(--st-text-color); background: var(--st-background-color); }
p {
  box-sizing: border-box; position: fixed; bottom: 1rem; left: 50%; transform: translateX(-50%); margin: 0;
  width: max-content; max-width: min(40rem, 94vw); padding: 0.75rem 1rem; overflow-wrap: anywhere;
  color: var(--st-background-color); background: var(--st-text-color); border-radius: var(--st-base-radius);
}
p:empty { padding: 0; }
dialog {
  box-sizing: border-box; width: min(36rem, 94vw); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
dialog#find { margin-top: 4.5rem; }
dialog::backdrop { background: rgb(0 0 0 / 50%); }
h2 { margin: 0 0 0.5rem; font-size: 1.25rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 1rem; margin: 0 0 1rem; }
dt { font-weight: 600; white-space: nowrap; }
dd { margin: 0; }
button, input {
  box-sizing: border-box; min-height: 2.75rem; padding: 0 1rem; font: inherit; color: var(--st-text-color);
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
button { cursor: pointer; }
label { display: block; margin-bottom: 0.5rem; }
input { width: 100%; font-size: 1.125rem; }
:is(button, input):focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
ul { list-style: none; margin: 0.5rem 0 0; padding: 0; }
li {
  display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: center; min-height: 2.75rem; padding: 0 0.75rem;
  cursor: pointer;
}
b { margin-left: auto; font-weight: inherit; }
ul { max-height: 60vh; overflow-y: auto; }
li[aria-selected="true"] {
  background: var(--st-secondary-background-color); box-shadow: inset 3px 0 var(--st-primary-color);
}
"""
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


def keys_part(data: dict[str, Any], *, heard: Callable[[], None], looked: Callable[[], None]) -> None:
    """Draw it; `heard` is called when the page asked for something, `looked` when it looks for a text."""
    _PART.draw(key=KEY, data=data, default={"asked": {}, "wanted": {}}, on_asked_change=heard, on_wanted_change=looked)

"""A list that is typed into: the exact code or name first, then what begins so, then what contains it.

One or two letters are a code, or begin a name. Enter takes what is exact or fits alone; what fits several is chosen by
arrow or mouse. What is nothing in the list chooses nothing and says so. The platform's own list takes scattered
letters, too: `MA` chose Maine there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import streamlit as st

from components.platform import session
from components.platform.browser_part import BrowserPart
from warranty.language import _


class Option(NamedTuple):
    """A value, the words it is shown in, and what else people type for it."""

    value: str
    label: str
    other_names: tuple[str, ...] = ()


_HTML: Final = """
<div class="desk-list"><label></label>
<input type="text" role="combobox" aria-autocomplete="list" aria-expanded="false" autocomplete="off" spellcheck="false">
<span aria-hidden="true">▾</span><ul role="listbox" hidden></ul><small role="status"></small></div>
"""
LIST_CSS: Final = """
.desk-list { position: relative; font-family: var(--st-font); font-size: 0.875rem; color: var(--st-text-color); }
.desk-list label { display: block; margin-bottom: 0.375rem; }
.desk-list > span { display: block; position: absolute; right: 0.75rem; margin-top: -1.85rem; pointer-events: none; }
.desk-list input {
  box-sizing: border-box; width: 100%; height: 2.5rem; padding: 0 2rem 0 0.75rem; font: inherit;
  color: inherit; background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
.desk-list input:disabled { opacity: 0.6; }
.desk-list ul {
  position: absolute; z-index: 1000; left: 0; right: 0; max-height: 15rem; overflow-y: auto; margin: 2px 0 0;
  padding: 0; list-style: none; background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius); box-shadow: 0 4px 12px rgb(0 0 0 / 25%);
}
.desk-list li { margin: 0; padding: 0.5rem 0.75rem; cursor: pointer; }
.desk-list :is(input:focus, [aria-selected=true]) { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
@media (pointer: coarse) { .desk-list :is(input, li) { min-height: 2.75rem; font-size: 1rem; } }
.desk-list small { font-size: 0.875rem; }
"""
LIST_JS: Final = """
let lists = 0;

// The rows of a list below a field, which keeps the focus and says which of them is pointed at.
function rowsBelow(field, list) {
  field.id ||= `desk-list-${lists += 1}`;
  list.id = `${field.id}-options`;
  field.setAttribute("aria-controls", list.id);
  const point = (place) => {
    field.at = place;
    [...list.children].forEach((row, number) => row.setAttribute("aria-selected", number === place));
    const row = list.children[place];
    row?.scrollIntoView({ block: "nearest" });
    row ? field.setAttribute("aria-activedescendant", row.id) : field.removeAttribute("aria-activedescendant");
  };
  const show = (texts, choose, place = -1) => {
    list.replaceChildren(...texts.map((textContent, number) => {
      const row = Object.assign(document.createElement("li"), { id: `${list.id}-${number}`, textContent });
      row.setAttribute("role", "option");
      row.onmousedown = (event) => event.preventDefault();  // the field keeps the focus
      row.onclick = () => choose(number);
      return row;
    }));
    list.hidden = !texts.length;
    field.setAttribute("aria-expanded", String(texts.length > 0));
    point(place);
  };
  const step = (by) => {
    const rows = list.children.length;
    point(rows ? (field.at + by + rows + (field.at < 0 && by < 0)) % rows : -1);
  };
  return { point, show, step, close: () => show([]) };
}
"""
_JS: Final = (
    LIST_JS
    + """
const folded = (text) => text.normalize("NFKD").replace(/\\p{M}/gu, "").replace(/[.,]/g, " ").toLowerCase()
  .replace(/\\s+/g, " ").trim().replace(/\\b(\\w) (?=\\w\\b)/g, "$1");

export default function ({ parentElement, data, setStateValue }) {
  const part = (name) => parentElement.querySelector(name);
  const field = part("input"), list = part("ul"), note = part("small"), { nothing, several } = data.words;
  const rows = rowsBelow(field, list);
  part("label").htmlFor = field.id;
  part("label").textContent = data.label;
  field.setAttribute("aria-label", data.label);
  Object.assign(field, { disabled: data.disabled, placeholder: data.placeholder });
  const options = data.labels.map((label, place) => ({ value: data.values[place], label, place }));
  const namesOf = (option) => option.names ??= [  // when they are needed: every run draws all lists
    option.value, option.label, option.label.replace(/\\s*\\([^()]*\\)$/, ""), ...data.other_names[option.place],
  ].map(folded);
  const labelOf = (value) => options.find((option) => option.value === value)?.label ?? value;
  // What a run brings that did not know yet what was chosen here is older than that.
  if (!field.typed && data.time >= (field.time ?? 0))
    Object.assign(field, { chosen: data.chosen, value: labelOf(data.chosen) });

  const isShort = (text) => text.replace(/[^\\p{L}\\p{N}]/gu, "").length < 3;
  const begins = (names, text) => (isShort(text) ? names.slice(1, 2) : names).some((name) => name.startsWith(text));
  const at = (text) => isShort(text) ? ` ${text}` : text;  // of a short text the beginning of a word
  const contains = (names, text) => names.some((name) => ` ${name}`.includes(at(text)));
  const rank = (names, text) => names.includes(text) ? 0 : begins(names, text) ? 1 : contains(names, text) ? 2 : 3;
  const found = (typed = field.typed || !data.values.includes(field.chosen) ? field.value : "") => {
    const text = folded(typed);
    if (!typed.trim()) return options.map((option) => [1, option]);
    if (!text) return [];
    const ranked = options.map((option) => [rank(namesOf(option), text), option]).filter(([place]) => place < 3);
    return ranked.sort(([a], [b]) => a - b);
  };
  const say = () => {
    const text = field.value.trim(), is_well = !text || data.labels.includes(text);
    const which = () => found(text).length ? list.hidden ? several : "" : nothing.replace("{text}", text);
    note.textContent = is_well ? "" : which();
  };
  const isSure = ([first, second], text) => text && first
    && (first[0] === 0 || (second?.[0] !== first[0] && !(first[0] === 2 && isShort(folded(text)))));
  const open = () => {
    const ranked = found(), fits = ranked.map(([, option]) => option), text = field.value.trim();
    const place = field.typed ? isSure(ranked, text) ? 0 : -1 : fits.findIndex(({ value }) => value === field.chosen);
    rows.show(fits.map(({ label }) => label), (number) => choose(fits[number].value), place);
    say();
  };
  const choose = (value) => {
    const is_new = value !== field.chosen;
    Object.assign(field, { typed: false, chosen: value, value: labelOf(value) });
    if (document.activeElement === field) field.select();
    rows.close();
    say();
    if (!is_new) return;
    field.time = Date.now();
    setStateValue("choice", { value, time: field.time });
  };
  // Left without Enter: what was typed whole, or begins one alone, is chosen; else the text stays to be seen.
  const leave = () => {
    const text = field.value.trim(), fits = found(), [first] = fits;
    const fitting = text && first && (first[0] === 0 || (first[0] === 1 && fits.length === 1));
    if (field.typed) choose(fitting ? first[1].value : text);
    rows.close();
  };
  field.onfocus = () => field.select();
  field.onmousedown = (event) => {  // the next letter begins anew
    if (field.typed) return;
    event.preventDefault();
    field.focus();
    field.select();
  };
  field.onclick = () => { if (list.hidden) open(); };
  field.oninput = () => { field.typed = true; open(); };
  field.onblur = leave;
  field.onkeydown = (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) open();
      rows.step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && !list.hidden && field.at >= 0) {
      list.children[field.at].click();
    } else if (event.key === "Enter") leave();
    else if (event.key === "Escape" && (field.typed || !list.hidden)) {
      event.stopPropagation();
      Object.assign(field, { typed: false, value: labelOf(field.chosen) });
      rows.close();
      say();
    }
  };
  if (document.activeElement !== field) say();
}
"""
)
_LIST: Final = BrowserPart("pick_list", _JS, _HTML, LIST_CSS, isolate_styles=False)


def pick_list(
    label: str,
    value: str,
    *,
    key: str,
    options: Sequence[Option],
    placeholder: str = "",
    disabled: bool = False,
    on_change: Callable[..., None] | None = None,
    args: tuple[Any, ...] = (),
    max_chars: int = 100,
) -> str:
    """Draw the list and give the chosen value; a text that is none of the `options` comes back as it was typed."""
    part = f"{key}:list"

    def picked() -> None:
        session.fill(key, _chosen(_heard(part), session.value_of(key, value), max_chars))
        if on_change is not None:
            on_change(*args)

    is_new = not session.is_filled(key)
    session.fill_new({key: value})
    held = str(session.value_of(key, value))
    with st.container(key=key):  # by its name the summary of faults leads here
        drawn = _LIST.draw(
            key=part,
            data={
                "label": label,
                "chosen": held,
                "time": _heard(part).get("time", 0),
                "values": [option.value for option in options],
                "labels": [option.label for option in options],
                "other_names": [option.other_names for option in options],
                "placeholder": placeholder,
                "words": {
                    "nothing": _("Nothing in the list is called “{text}”.", text="{text}"),
                    "several": _("Choose one from the list."),
                },
                "disabled": disabled,
            },
            default={"choice": {}},
            on_choice_change=picked,
        )
    if is_new and drawn.choice:  # chosen before the server began anew
        held = _chosen(drawn.choice, value, max_chars)
        session.fill(key, held)
    return held


def _heard(part: str) -> Mapping[str, Any]:
    """What the browser said last: a value, and when; empty where nothing yet."""
    state: Mapping[str, Any] = session.value_of(part, {})
    return state.get("choice") or {}


def _chosen(heard: Mapping[str, Any], before: str, max_chars: int) -> str:
    """What the browser says was chosen; what no list of ours says changes nothing."""
    chosen = heard.get("value")
    return chosen[:max_chars] if isinstance(chosen, str) else before

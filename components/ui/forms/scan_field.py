"""The scan field: keeps the focus, takes codes as fast as a scanner types them, and loses none.

A text field of the platform holds one value: of two codes that arrive within one run of the script the first is
gone. The page keeps a numbered list of codes (platform/page_keys.js) until the script says up to which number it has
them (docs/platform-notes/scan-field.md).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from components.platform import session
from components.platform.browser_part import BrowserPart
from components.ui.forms.pick_list import LIST_CSS, LIST_JS
from warranty.language import _

_HTML: Final = """
<div class="desk-list"><label></label>
<input type="text" role="combobox" aria-autocomplete="list" aria-expanded="false" autocomplete="off"
  autocapitalize="off" spellcheck="false" enterkeyhint="done">
<p role="status" aria-live="polite"></p><ul role="listbox" hidden></ul></div>
"""

_CSS: Final = (
    LIST_CSS
    + """
.desk-list label { margin-bottom: 0.25rem; }
.desk-list input, .desk-list li { font-size: 1.125rem; }
.desk-list input { height: 3rem; padding: 0 0.75rem; }
p { font-size: 0.875rem; line-height: 1.25rem; margin: 0.25rem 0 0; min-height: 1.25rem; }
p[data-heed] { font-size: 1rem; font-weight: 600; color: var(--st-orange-text-color); }
p[data-heed]::before { content: "▲ " / ""; }
"""
)

_JS: Final = (
    LIST_JS
    + """
let current = null, leads = {};

function go(label) {
  const next = label && deskPage.field(label);
  next?.focus();
  return Boolean(next);
}

// Enter leads on through the fields that an order needs, when the platform has taken what stands in them.
window.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing || !current?.isConnected) return;
  const label = deskPage.nameOf(event.target);
  if (label && event.target.value.trim() && go(leads[label])) event.preventDefault();
});

export default function ({ parentElement, data, setStateValue }) {
  const part = (name) => parentElement.querySelector(name), desk = window.deskKeys;
  const field = part("input"), list = part("ul"), told = part("p"), rows = rowsBelow(field, list);
  part("label").htmlFor = field.id;
  part("label").textContent = data.words.label;
  list.ariaLabel = data.found.length ? data.said : null;
  ({ leads } = data);
  if (field.handed === undefined) {
    field.handed = 0;
    const had = current && !current.isConnected || document.activeElement === current?.getRootNode().host;
    current = field;
    // The button that led here may still have the focus, and takes it along when it goes.
    if (had || !deskPage.stays()) {
      field.focus({ preventScroll: true });
      // The next order begins at its top, wherever the button that began it stood.
      if (field.getBoundingClientRect().bottom < 0) field.scrollIntoView({ block: "center" });
    }
  }

  const { draft } = data, taken = data.taken[desk.mount] ?? 0;
  for (const scan of desk.scans) scan[2] ||= draft;
  desk.scans = desk.scans.filter(([number, , whose]) => whose !== draft || number > taken);
  const waiting = () => desk.scans.filter(([, , whose]) => whose === draft);
  const say = () => {
    const codes = waiting().map(([, code]) => code).join(", ");
    told.textContent = codes ? `${data.words.adding} ${codes}` : field.value && data.heed ? "" : data.said;
    told.toggleAttribute("data-heed", data.heed && !codes);
  };
  const hand = () => {
    say();
    field.handed = desk.last;
    setStateValue("scans", { mount: desk.mount, codes: waiting().map(([number, code]) => [number, code]) });
  };
  const enter = () => {
    const code = field.value.trim();
    field.value = "";
    if (code) desk.scan(code);
    return code;
  };
  desk.field = { input: field, draft, hand, enter };
  say();
  if (waiting().some(([number]) => number > field.handed)) queueMicrotask(hand);  // not while it is being drawn
  desk.added();

  // The products of which a name was typed stand below the field, until one is chosen or another code comes.
  const choose = (place) => {
    rows.close();
    desk.add(data.found[place][0]);
  };
  const open = () => rows.show(data.found.map(([, label]) => label), choose);
  const asked = JSON.stringify([data.taken, data.found]);
  if (field.asked !== asked && !field.value) open();
  field.asked = asked;
  // What was pressed elsewhere changed the basket: the next code comes here.
  if (field.said !== undefined && field.said !== data.said && !deskPage.stays()) field.focus({ preventScroll: true });
  field.said = data.said;
  field.onblur = () => {
    rows.close();
    if (document.hasFocus()) enter();  // as Tab does: what was typed is not left behind by a click on Send
  };
  field.onfocus = field.onclick = () => { if (data.found.length && !field.value) open(); };
  field.oninput = () => {
    rows.close();
    say();  // a question is none any more while something else is typed
  };
  field.onkeydown = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], chord = event.ctrlKey || event.metaKey;
    if (by && data.found.length && !field.value) {
      event.preventDefault();
      if (list.hidden) open();
      rows.step(by);
    }
    if (event.key === "Escape") rows.close();
    const code = field.value.trim();
    if (event.isComposing || event.key !== "Enter" && !(event.key === "Tab" && code && !event.shiftKey)) return;
    if (!chord) event.preventDefault();
    if (event.key === "Enter" && field.at >= 0 && !code) list.children[field.at].click();
    else if (!enter() && !chord) go(leads[""]);
  };
}
"""
)
_SCAN: Final = BrowserPart("scan_field", _JS, _HTML, _CSS)

_LONGEST_CODE: Final = 200


def scan_field(
    *,
    draft: str,
    taken: Callable[[], Mapping[str, int]],
    message: str,
    heed: bool,
    found: Sequence[tuple[str, str]],
    leads: Mapping[str, str],
    key: str,
    take: Callable[[Sequence[str], Mapping[str, int]], None],
) -> None:
    """Draw the field of a draft; `take` gets the new codes, and what is `taken` with them, to be kept in one step.

    `taken` gives the number of the last code that the draft has of each page. It is asked for when codes come, since
    the run that drew the field may be older. `message` stands below the field, `heed` where it leaves something to do,
    and `found` is a list to choose from there: codes, and what they are called. `leads` says to the field of which
    label Enter goes on from which, once that holds something (from this one, when it is empty, by the name "").
    """

    def scanned() -> bool:
        state: Mapping[str, Any] = session.value_of(key, {})
        scans = state.get("scans")
        if not scans:
            return False
        mount, had = str(scans["mount"])[:20], taken()
        last = had.get(mount, 0)
        new = {int(number): str(code)[:_LONGEST_CODE] for number, code in scans["codes"] if int(number) > last}
        if new:
            take(list(new.values()), {**had, mount: max(new)})
        return bool(new)

    _SCAN.draw(
        key=key,
        data={
            "draft": draft,
            "taken": taken(),
            "said": message,
            "heed": heed,
            "found": found,
            "leads": dict(leads),
            "words": {"label": _("Scan or type a SKU or a name"), "adding": _("Adding")},
        },
        default={"scans": {}},
        on_scans_change=scanned,
    )
    if scanned():  # handed over by a page whose session was another: for what it has already nothing is called
        st.rerun()

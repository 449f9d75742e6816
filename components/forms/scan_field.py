"""The scan field: keeps the focus, takes codes as fast as a scanner types them, and loses none.

A text field of the platform holds one value: of two codes that arrive within one run of the script the first is
gone. This field keeps a numbered list of codes until the script says how many it took
(docs/platform-notes/scan-field.md).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from components import session
from components.browser_part import BrowserPart
from components.forms.coming_lines import COMING_LINES_JS
from warranty.language import _

_HTML: Final = """
<label for="scan-field"></label>
<input id="scan-field" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="done">
<p role="status" aria-live="polite"></p>
"""

_CSS: Final = """
:host, label, input, p { font-family: var(--st-font); color: var(--st-text-color); }
label { display: block; font-size: 0.875rem; margin-bottom: 0.25rem; }
input {
  box-sizing: border-box; width: 100%; height: 3rem; padding: 0 0.75rem; font-size: 1.125rem;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
input:focus { outline: 2px solid var(--st-primary-color); outline-offset: 0; }
p { font-size: 0.875rem; line-height: 1.25rem; margin: 0.25rem 0 0; min-height: 1.25rem; }
p[data-heed] { font-size: 1rem; font-weight: 600; color: var(--st-orange-text-color); }
p[data-heed]::before { content: "▲ " / ""; }
"""

_JS: Final = (
    COMING_LINES_JS
    + """
const fields = new WeakMap();
let current = null, leads = {}, leadsEmpty = {};

function go(label) {
  const next = label && document.querySelector(`input[aria-label="${label}"]:not([disabled])`);
  next?.focus();
  return Boolean(next);
}

function typesSomewhere() {
  const active = document.activeElement;
  return active && (active.isContentEditable || ["INPUT", "TEXTAREA", "SELECT", "IFRAME"].includes(active.tagName));
}

// Enter leads on through the fields that an order needs, when the platform has taken what stands in them.
window.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing || !current?.isConnected) return;
  const label = event.target.tagName === "INPUT" && event.target.getAttribute("aria-label");
  if (label && go((event.target.value.trim() ? leads : leadsEmpty)[label])) event.preventDefault();
});

export default function ({ parentElement, data, setStateValue }) {
  const field = parentElement.querySelector("input");
  parentElement.querySelector("label").textContent = data.words.label;
  let scans = fields.get(field);
  if (!scans) {
    scans = { mount: Math.random().toString(36).slice(2), last: 0, waiting: [], lines: new ComingLines() };
    fields.set(field, scans);
    const had = current && !current.isConnected || document.activeElement === current?.getRootNode().host;
    current = field;
    // The button that led here may still have the focus, and takes it along when it goes.
    if (had || !typesSomewhere()) {
      field.focus({ preventScroll: true });
      // The next order begins at its top, wherever the button that began it stood.
      if (field.getBoundingClientRect().bottom < 0) field.scrollIntoView({ block: "center" });
    }
  }
  if (data.mount === scans.mount) scans.waiting = scans.waiting.filter(([number]) => number > data.taken);
  const say = () => {
    const codes = scans.waiting.map(([, code]) => code);
    const told = parentElement.querySelector("p");
    told.textContent = codes.length ? `${data.words.adding} ${codes.join(", ")}` : data.said;
    told.toggleAttribute("data-heed", data.heed && !codes.length);
  };
  say();
  scans.lines.adding = `${data.words.adding} …`;
  scans.lines.told(data.lines, scans.waiting.length > 0);
  const add = (code) => {
    scans.last += 1;
    scans.waiting = [...scans.waiting, [scans.last, code]];
    say();
    setStateValue("scans", { mount: scans.mount, codes: scans.waiting });
    scans.lines.told(data.lines, true);
    scans.lines.add(code);
  };
  // What is typed on no field comes here (components/frame/page_keys.html); what may be an order's goes there to be
  // asked about, and comes back where it is a product's.
  window.deskKeys.settle({ input: field, add });
  ({ leads, leads_empty: leadsEmpty } = data);
  // What was pressed to choose a product is gone with the choice: the next code comes here.
  if (scans.said !== undefined && scans.said !== data.said && !typesSomewhere()) field.focus({ preventScroll: true });
  scans.said = data.said;
  field.onkeydown = (event) => {
    if (event.key === "ArrowDown") document.querySelector('[class*="st-key-offered-"] button')?.focus();
    const code = field.value.trim();
    if (event.isComposing || event.key !== "Enter" && !(event.key === "Tab" && code && !event.shiftKey)) return;
    field.value = "";
    if (!event.ctrlKey && !event.metaKey) event.preventDefault();
    if (!code) {
      if (!event.ctrlKey && !event.metaKey) go(leads[""]);
      return;
    }
    if (window.deskKeys.isOrderLike(code)) window.deskKeys.ask("scan", code);
    else add(code);
  };
  return () => scans.lines.end();
}
"""
)  # platform: markup attachShadow st-key- aria-label
_SCAN: Final = BrowserPart("scan_field", _JS, _HTML, _CSS)

_LONGEST_CODE: Final = 200


def scan_field(
    *,
    mark: Callable[[], Sequence[Any]],
    said: str,
    heed: bool,
    lines: Sequence[Sequence[str]],
    leads: Mapping[str, str],
    leads_empty: Mapping[str, str],
    key: str,
    take: Callable[[Sequence[str], Sequence[Any]], None],
) -> None:
    """Draw the field; `take` gets the codes behind `mark()`, in a callback, and the new mark to keep with their effect.

    The mark (a mount of the field, and the number of its last code) is asked for when codes come, since the run that
    drew the field may be older than the last codes. `lines` are those of the basket: id, SKU, quantity, and the codes,
    in small letters, of which one more is one unit more. `said` stands below the field, `heed` where it leaves
    something to do. `leads` says to the field of which label Enter goes on from which (from this one, when it is empty,
    by the name ""), and `leads_empty` where to from one that is empty.
    """

    def scanned() -> None:
        codes, new_mark = _new_codes(session.value_of(key, {}), mark())
        if codes:
            take(codes, new_mark)

    mount, taken = mark() or ("", 0)
    _SCAN.draw(
        key=key,
        data={
            "mount": mount,
            "taken": taken,
            "said": said,
            "heed": heed,
            "lines": list(lines),
            "leads": dict(leads),
            "leads_empty": dict(leads_empty),
            "words": {"label": _("Scan or type a SKU or a name"), "adding": _("Adding")},
        },
        default={"scans": {}},
        on_scans_change=scanned,
    )


def _new_codes(state: Any, mark: Sequence[Any]) -> tuple[list[str], list[Any]]:
    """The codes that the field holds beyond the mark, and the mark behind them."""
    mount, taken = mark or ("", 0)
    scans = state.get("scans") or {"mount": mount, "codes": []}
    if scans["mount"] != mount:
        mount, taken = str(scans["mount"]), 0
    new = {int(number): str(code)[:_LONGEST_CODE] for number, code in scans["codes"] if int(number) > taken}
    return list(new.values()), [mount, max([taken, *new])]

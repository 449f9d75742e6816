"""A page of the claims table as one of words: the table itself is a picture, of which a screen reader gets little."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.claims.screen.columns import LABELS, Sorting, field_of, written_date
from components.platform import session
from components.platform.browser_part import BrowserPart
from components.words.attempts import short_id
from components.words.statuses import status_words
from warranty.language import _
from warranty.language.written import CLOCK, DAY, number

_KEY: Final = "claims-plain-table"
_SWITCH: Final = "claims-plain"
_WANTED: Final = "claims-plain.wanted"
_HTML: Final = "<div><table><caption></caption><thead></thead><tbody></tbody></table></div>"
_CSS: Final = """
div { max-height: 80vh; overflow: auto; }
thead th {
  position: sticky; top: 0; background: var(--st-background-color); box-shadow: 0 1px var(--st-border-color);
}
table { width: 100%; border-collapse: collapse; font-family: var(--st-font); color: var(--st-text-color); }
table, button { font-size: 0.875rem; }
caption { padding-bottom: 0.5rem; text-align: left; }
th, td {
  padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--st-border-color);
}
td { min-width: 4rem; overflow-wrap: anywhere; }
button {
  min-height: 2rem; padding: 0; font: inherit; text-align: left; background: none; border: 0; cursor: pointer;
  color: var(--st-link-color); text-decoration: underline;
}
@media (pointer: coarse) { button { min-width: 2.75rem; min-height: 2.75rem; } }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""
# What is pressed has its focus again after what it did was drawn; what a customer wrote is text.
_JS: Final = """
const drawn = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const table = parentElement.querySelector("table"), told = JSON.stringify(data);
  if (drawn.get(table) === told) return;
  drawn.set(table, told);
  const root = table.getRootNode(), had = root.activeElement?.id;
  const cell = (name, text, id, said, press) => {
    const made = document.createElement(name);
    if (!press) made.textContent = text;
    else {
      const button = made.appendChild(document.createElement("button"));
      button.textContent = text;
      button.id = id;
      button.onclick = press;
      if (said) button.setAttribute("aria-label", said);
    }
    return made;
  };
  const line = (cells) => {
    const row = document.createElement("tr");
    row.append(...cells);
    return row;
  };
  table.querySelector("caption").textContent = data.caption;
  table.querySelector("thead").replaceChildren(line(data.columns.map(([name, label]) => {
    const heading = cell("th", label, name, "", () => setTriggerValue("sorts", name));
    heading.scope = "col";
    if (name === data.sorted[0]) heading.ariaSort = data.sorted[1];
    return heading;
  })));
  table.querySelector("tbody").replaceChildren(...data.rows.map((texts, place) => line(texts.map((text, column) => {
    if (column) return cell("td", text);
    const first = cell("th", text, place, `${data.open}: ${text}`, () => setTriggerValue("opens", { place }));
    first.scope = "row";
    return first;
  }))));
  if (had) root.getElementById(had)?.focus({ preventScroll: true });
}
"""
_TABLE: Final = BrowserPart("plain_table", _JS, _HTML, _CSS)


def wants_plain_table() -> bool:
    """Whether this tab wants the page of claims as words."""
    return session.value_of(_SWITCH, session.recall(_WANTED, False))


def plain_table_switch() -> None:
    """Draw the switch."""
    st.toggle(
        _("Plain table"),
        value=session.recall(_WANTED, False),
        key=_SWITCH,
        on_change=lambda: session.remember(_WANTED, session.value_of(_SWITCH, False)),
        help=_("The same rows as words, for a screen reader and for the keyboard."),
    )


def plain_table(
    rows: pd.DataFrame,
    caption: str,
    *,
    columns: Sequence[str],
    sorted_by: Sorting,
    on_open: Callable[[int], None],
    on_sort: Callable[[str], None],
) -> None:
    """Draw the rows. The first cell of one opens its claim, a heading sorts: `on_open` and `on_sort` are callbacks."""
    direction = "descending" if sorted_by.descending else "ascending"
    _TABLE.draw(
        key=_KEY,
        data={
            "caption": caption,
            "columns": [[name, _(LABELS[name])] for name in columns],
            "sorted": [sorted_by.column, direction],
            "rows": list(
                zip(*([_words(name, value) for value in rows[field_of(name)]] for name in columns), strict=True)
            ),
            "open": _("Open the claim"),
        },
        on_sorts_change=lambda: on_sort(_state()["sorts"]),
        on_opens_change=lambda: on_open(_state()["opens"]["place"]),
    )


def _state() -> Mapping[str, Any]:
    nothing: Mapping[str, Any] = {}
    return session.value_of(_KEY, nothing)


def _words(name: str, value: Any) -> str:
    """A value as it is read: days and times in the person's language, nothing where there is none."""
    if name == "claim_date":
        return written_date(value, f"{DAY}, {CLOCK}")
    if name in {"warranty_start_date", "order_date"}:
        return written_date(value)
    if name == "days_open":
        return "" if pd.isna(value) else number(value)
    if name == "status":
        return status_words(value) if value else ""
    return short_id(value) if name in {"order_id", "warranty_id"} else str(value)

"""A table of the browser's own whose rows are pressed, by mouse, thumb and key: each of its words is text to read."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from components.platform import session
from components.platform.browser_part import AS_HIGH_AS_FILLED, BrowserPart
from components.ui.frame.choices import row_height

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
  padding: 0.25rem 0.5rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--st-border-color);
}
td, tbody th { min-width: 4rem; overflow-wrap: anywhere; }
tbody tr { cursor: pointer; }
tbody tr:hover { background: var(--st-secondary-background-color); }
button {
  display: inline-flex; align-items: center; min-height: 2rem; padding: 0; font: inherit; text-align: left;
  background: none; border: 0; cursor: pointer; color: var(--st-link-color); text-decoration: underline;
}
th[aria-sort] button::after { margin-left: 0.25rem; content: "↑" / ""; }
th[aria-sort=descending] button::after { content: "↓" / ""; }
.chip { padding: 0.125rem 0.5rem; border-radius: 0.5rem; color: #000; }
div:has(> .one-line) { max-height: 29.5rem; }
.one-line :is(th, td) {
  max-width: 14rem; padding: 0.125rem 0.5rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
}
.one-line td:last-child { width: 100%; min-width: 10rem; max-width: 0; }
.one-line button { min-height: calc(var(--row) - 5px); text-decoration: none; }
.one-line tbody button { font-weight: normal; }
.one-line caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (pointer: coarse) { button, .one-line button { min-width: 2.75rem; min-height: 2.75rem; } }
@media (max-width: 640px) { .wide { display: none; } }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""
# What is pressed has its focus again after what it did was drawn; what a customer wrote is text.
_JS: Final = (
    AS_HIGH_AS_FILLED
    + """
const drawn = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const table = parentElement.querySelector("table"), root = table.getRootNode(), told = JSON.stringify(data);
  if (drawn.get(table) === told) return;
  drawn.set(table, told);
  asHighAsFilled(root);
  table.className = data.oneLine ? "one-line" : "";
  table.style.setProperty("--row", `${data.row}px`);
  const had = root.activeElement?.id, [sorted, direction] = data.sorted;
  const add = (to, name, set) => Object.assign(to.appendChild(document.createElement(name)), set);
  table.caption.textContent = data.caption;
  for (const part of [table.tHead, table.tBodies[0]]) part.replaceChildren();
  const headings = add(table.tHead, "tr");
  for (const [name, label] of data.columns) {
    const heading = add(headings, "th", { scope: "col" });
    if (name === sorted) heading.ariaSort = direction;
    if (!sorted) heading.textContent = label;
    else add(heading, "button", { id: name, textContent: label, onclick: () => setTriggerValue("sorts", name) });
  }
  for (const [id, first, ...others] of data.rows) {
    const row = add(table.tBodies[0], "tr", { onclick: () => setTriggerValue("opens", id) });
    add(add(row, "th", { scope: "row" }), "button", { id, textContent: first, ariaLabel: `${data.open}: ${first}` });
    for (const text of others) {
      const cell = add(row, "td"), colour = data.chips[row.cells.length - 1]?.[text];
      add(cell, "span", { textContent: text, className: colour ? "chip" : "" }).style.background = colour ?? "";
    }
  }
  for (const row of table.rows) for (const place of data.wide) row.cells[place].className = "wide";
  if (table.dataset.view !== data.view) table.parentElement.scrollTop = 0;
  table.dataset.view = data.view;
  if (had) root.getElementById(had)?.focus({ preventScroll: true });
}
"""
)
_NOTHING: Final[Mapping[str, Any]] = {}
_CAPTION_AND_HEADINGS: Final = 62
_ROW: Final = 41
_MOST_OF_ONE_LINE: Final = 472
_TABLE: Final = BrowserPart("plain_table", _JS, _HTML, _CSS)


def plain_table(
    key: str,
    caption: str,
    columns: Mapping[str, str],
    rows: Sequence[Sequence[str]],
    *,
    open_label: str,
    on_open: Callable[[str], object],
    sorted_by: Sequence[str] = (),
    on_sort: Callable[[str], object] | None = None,
    wide: Collection[str] = (),
    one_line: bool = False,
    view: str = "",
    chips: Mapping[str, Mapping[str, str]] = _NOTHING,
) -> None:
    """Draw the rows, each its id and then its words, of which the first name it; a phone leaves out the `wide` columns.

    `one_line`: each row is one line, as close as the person has them, whose last column takes what room is left, and
    the caption is heard alone. Another
    `view` begins at its top. `chips` gives colours to words of a column, on which black is read.

    `on_open` and `on_sort` are callbacks. `sorted_by` is a column, and its direction as a browser names it; without it
    no heading sorts.
    """
    _TABLE.draw(
        key=key,
        height=min(row_height() * (len(rows) + 1), _MOST_OF_ONE_LINE)
        if one_line
        else _CAPTION_AND_HEADINGS + _ROW * len(rows),
        data={
            "caption": caption,
            "columns": list(columns.items()),
            "sorted": list(sorted_by),
            "rows": [list(row) for row in rows],
            "open": open_label,
            "wide": [place for place, name in enumerate(columns) if name in wide],
            "oneLine": one_line,
            "row": row_height(),
            "view": view,
            "chips": {place: chips[name] for place, name in enumerate(columns) if name in chips},
        },
        on_sorts_change=lambda: on_sort and on_sort(session.value_of(key, _NOTHING)["sorts"]),
        on_opens_change=lambda: on_open(session.value_of(key, _NOTHING)["opens"]),
    )

"""A day is picked in the browser's own date field: its calendar speaks the browser's language, the platform's English
alone. The day stands in the session under the field's key, as a value of ours: code may fill it at any time.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, Literal

import streamlit as st

from components import session
from components.browser_part import BrowserPart
from components.words.days import EARLIEST, LATEST
from warranty.analysis import Period
from warranty.language import _
from warranty.language.written import dated

_HTML: Final = """
<div class="desk-day"><label><span></span><input type="date"></label><small role="status"></small></div>
"""
_CSS: Final = """
.desk-day span { display: block; font-size: 0.875rem; margin-bottom: 0.25rem; }
.desk-day .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.desk-day input {
  box-sizing: border-box; width: 100%; height: 2.5rem; padding: 0 0.75rem; font: inherit;
  font-family: var(--st-font); font-size: 0.875rem; color: var(--st-text-color); color-scheme: light dark;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
@media (pointer: coarse) { .desk-day input { height: 2.75rem; } }
.desk-day input:focus { outline: 2px solid var(--st-primary-color); outline-offset: 0; }
.desk-day input[aria-invalid] { border-color: #D33; }
.desk-day input:disabled { opacity: 0.6; }
.desk-day small { font-size: 0.875rem; }
"""
_JS: Final = """
const A_WHILE = 600;  // a year that is being typed is four years one after the other

export default function ({ parentElement, data, setStateValue }) {
  const part = (name) => parentElement.querySelector(name), field = part("input"), label = part("span");
  label.textContent = data.label;
  label.className = data.seen ? "" : "unseen";
  Object.assign(field, { min: data.first, max: data.last, disabled: data.disabled });
  // What a run brings that did not know yet what was picked here is older than that.
  if (!field.waits && data.time >= (field.time ?? 0) && field.told !== data.day) field.told = field.value = data.day;
  const tell = () => {
    clearTimeout(field.waits);
    field.waits = 0;
    const { valid, rangeUnderflow, rangeOverflow } = field.validity;
    part("small").textContent = rangeUnderflow || rangeOverflow ? data.range : "";
    if (!valid || field.value === field.told) return;
    field.told = field.value;
    field.time = Date.now();
    setStateValue("day", { day: field.value, time: field.time });
  };
  field.oninput = () => {
    clearTimeout(field.waits);
    field.waits = setTimeout(tell, A_WHILE);
  };
  field.onblur = tell;
  field.onkeydown = (event) => { if (event.key === "Enter") tell(); };
}
"""
_FIELD: Final = BrowserPart("day_field", _JS, _HTML, _CSS, isolate_styles=False)


def day_field(
    label: str,
    value: date | None,
    *,
    key: str,
    first: date = EARLIEST,
    last: date = LATEST,
    seen: bool = True,
    disabled: bool = False,
    width: int | Literal["stretch"] = "stretch",
    on_change: Callable[..., None] | None = None,
    args: tuple[Any, ...] = (),
) -> date | None:
    """Draw the field and give its day, None where it is empty; `value` is what it begins with.

    A day before `first` or after `last` is not taken, and the field says so. Without `seen` its label is for screen
    readers alone. Not for a form of the platform's, which allows no callback in it.
    """
    part = f"{key}:day"

    def picked() -> None:
        session.fill(key, _day(_said(part), session.value_of(key, value), first, last))
        if on_change is not None:
            on_change(*args)

    is_new = not session.is_filled(key)
    session.fill_new({key: value})
    held = session.value_of(key, value)
    with st.container(key=key, width=width):  # by its name the summary of faults leads here
        said = _FIELD.draw(
            key=part,
            data={
                "label": label,
                "seen": seen,
                "disabled": disabled,
                "day": held.isoformat() if held else "",
                "time": _said(part).get("time", 0),
                "first": first.isoformat(),
                "last": last.isoformat(),
                "range": _("From {first} to {last}.", first=dated(first), last=dated(last)),
            },
            default={"day": {}},
            on_day_change=picked,
        )
    if is_new and said.day:  # picked before the server began anew
        held = _day(said.day, value, first, last)
        session.fill(key, held)
    return held


def days_fields(
    labels: tuple[str, str],
    days: Period | None,
    *,
    key: str,
    first: date = EARLIEST,
    last: date = LATEST,
    seen: bool = True,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw the first and the last day of a range, beginning with `days`; what they hold gives `days_in`.

    One that would be on the wrong side of the other takes it along.
    """
    keys = _keys(key)

    def moved(place: int) -> None:
        days = days_in(key)
        if len(days) == 2 and days[1] < days[0]:
            session.fill(keys[1 - place], days[place])

    for place, day in enumerate((days.first, days.last) if days else (None, None)):
        day_field(
            labels[place],
            day,
            key=keys[place],
            first=first,
            last=last,
            seen=seen,
            width=width,
            on_change=moved,
            args=(place,),
        )


def days_in(key: str) -> tuple[date, ...]:
    """The days that the two fields of a range hold: two, one while the other is empty, or none."""
    both: tuple[date | None, ...] = tuple(session.value_of(each, None) for each in _keys(key))
    return tuple(day for day in both if day is not None)


def _keys(key: str) -> tuple[str, str]:
    return f"{key}:first", f"{key}:last"


def _said(part: str) -> Mapping[str, Any]:
    """What the browser told last: a day, and when; empty where nothing yet."""
    state: Mapping[str, Any] = session.value_of(part, {})
    return state.get("day") or {}


def _day(said: Mapping[str, Any], before: date | None, first: date, last: date) -> date | None:
    """The day that the browser tells, None where the field was emptied; what no field of ours tells changes nothing."""
    try:
        day = date.fromisoformat(said["day"]) if said["day"] else None
    except (TypeError, KeyError, ValueError):
        return before
    return day if day is None or first <= day <= last else before

"""The list of what was sent: when, what became of it, what to do next, and what, for which order, by whom it was."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from components.platform import session
from components.ui.frame.table_view import pressed_row
from components.words.attempts import (
    ENTRY_COLUMNS,
    OUTCOMES,
    amount_of,
    entry_row,
    item_name,
    next_step,
    outcome_words,
    short_id,
    short_moment,
)
from warranty.desk.journal import Attempt
from warranty.files.export import claims_csv
from warranty.language import N_, _, ngettext
from warranty.language.written import number


def activity_csv(exported: Callable[[], Sequence[Attempt]], *, zone: ZoneInfo) -> bytes:
    """The same as a file for a spreadsheet: a row for each entry, its times as in this zone."""
    added = (N_("Outcome"), N_("Warranty order number"), N_("Reference"))
    rows = [
        (
            f"{attempt.started_at.astimezone(zone):%Y-%m-%d %H:%M}",
            *entry_row(attempt)[1:4],
            "; ".join(f"{item.quantity} × {item_name(item)}" for item in attempt.items),
            "" if (amount := amount_of(attempt)) is None else str(amount),
            outcome_words(attempt.state),
            attempt.result.returned_id or "",
            attempt.attempt_id,
        )
        for attempt in exported()
    ]
    frame = pd.DataFrame(rows, columns=[_(name) for name in (*ENTRY_COLUMNS, *added)], dtype="str")
    time = _("Time")
    exact = {time: f"{time} ({zone})", _("Order"): _("Order number")}
    return claims_csv(frame.rename(columns=exact), bom=True)


def listed_words(count: int, days: str) -> str:
    """How many entries the list has, of which days, and what a click does."""
    entries = ngettext("{n} entry", "{n} entries", count, n=number(count))
    return _("{entries}, {days}. Click a row for details.", entries=entries, days=days)


def nothing_here(days: str, *, widest: bool) -> None:
    """Say what will stand where nothing of these days fits, and offer all days; `widest` where those are asked for."""
    st.info(_("Nothing was sent that matches ({days}).", days=days))
    if not widest:
        st.button(_("Show all days"), key="activity-all", on_click=session.fill, args=("days", "all"))


def journal_table(
    attempts: Sequence[Attempt], *, key: str, now: datetime, corrected: Collection[str] = frozenset()
) -> Attempt | None:
    """Draw the list and give the entry whose row was clicked; `corrected` are ids that were corrected since.

    What a person looks for stands first: a phone shows three columns.
    """
    words = {state: f"{shown.mark} {_(shown.words)}" for state, shown in OUTCOMES.items() if shown.chip}
    frame = pd.DataFrame([entry_row(attempt) for attempt in attempts], columns=list(ENTRY_COLUMNS), dtype="str")
    chips = [OUTCOMES[state].chip for state in words]
    frame["Time"] = [short_moment(attempt.started_at, now) for attempt in attempts]
    frame["Order"] = [short_id(attempt.order_id) for attempt in attempts]
    frame["Outcome"] = [[words[attempt.state]] if attempt.state in words else [] for attempt in attempts]
    frame["Next"] = [next_step(attempt, corrected=attempt.attempt_id in corrected) for attempt in attempts]
    columns = [
        "Time",
        "Items",
        "Outcome",
        *(["Next"] if frame["Next"].any() else []),
        "Kind",
        "Amount",
        "Person",
        "Order",
    ]
    return pressed_row(
        frame[columns],
        _("Everything that was sent, newest first, unknown ones on top"),
        attempts,
        key=key,
        column_config={
            "Time": st.column_config.TextColumn(_("Time"), width=95),
            "Outcome": st.column_config.MultiselectColumn(
                _("Outcome"), options=list(words.values()), color=chips, width=118
            ),
            "Next": st.column_config.TextColumn(_("Next step"), width=160),
            "Kind": st.column_config.TextColumn(_("Kind"), width=85),
            "Items": st.column_config.TextColumn(_("Items"), width=200),
            "Amount": st.column_config.TextColumn(_("Amount"), width=85, alignment="right"),
            "Person": st.column_config.TextColumn(_("Person"), width=105),
            "Order": st.column_config.TextColumn(_("Order"), width=95),
        },
    )

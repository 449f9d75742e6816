"""Which part of what was sent is asked for, kept in the address, and the list of it, on the screen and as a file."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from components.gate import guarded
from components.platform import session
from components.platform.markup import plain
from components.selling.orders.order_actions import order_actions
from components.selling.sending.ending import orders_that_came_back, way_out
from components.ui.frame.polling import poll
from components.ui.frame.table_view import file_button, pressed_row
from components.ui.in_address.filters import addressed, days_choice, one_in_address, put_in_address
from components.wiring import Runtime
from components.words.amounts import money
from components.words.attempts import (
    ENTRY_COLUMNS,
    KINDS,
    OUTCOMES,
    amount_of,
    became_words,
    entry_row,
    here,
    item_name,
    items_words,
    kind_words,
    next_step,
    outcome_words,
    short_id,
    short_moment,
    today,
    waiting_words,
)
from warranty.access import Operator, Permission
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.files.export import claims_csv
from warranty.language import N_, _, locale, ngettext, speaking
from warranty.language.written import number


@dataclass(frozen=True, slots=True)
class AskedActivity:
    """The filter of the list, whose text may be a whole order id; and the days in words."""

    filter: AttemptFilter
    days: str

    @property
    def name(self) -> str:
        """A name of this filter: a table of something else is another table, with no row picked."""
        return hashlib.sha256(repr(self.filter).encode()).hexdigest()[:12]

    @property
    def file_name(self) -> str:
        """What a file of it is called: by its days."""
        start, end = self.filter.start, self.filter.end
        days = f"{start:%Y-%m-%d}_{end - timedelta(days=1):%Y-%m-%d}" if start and end else "all-days"
        return f"activity_{days}.csv"

    def unknown(self) -> AttemptFilter:
        """The same person's attempts that need somebody, of all days: none of them may be forgotten."""
        return AttemptFilter(states=frozenset({AttemptState.UNKNOWN}), username=self.filter.username, limit=None)

    def page(self, number: int, size: int) -> AttemptFilter:
        """One page of the list, pages counted from 1."""
        return replace(self.filter, limit=size, offset=(number - 1) * size)


def activity_filters(operator: Operator, people: Mapping[str, str], *, now: datetime) -> AskedActivity:
    """Draw the filters and give what is asked for; `people` are login names with the names that colleagues read."""
    name, days = days_choice(today(now), key="days", default="7-days")
    fields = st.grid(4, min_column_width=150, gap="small")  # two a row on a phone
    with fields.cell():
        text = st.text_input(
            _("Order, SKU, title or reference"),
            key=addressed("find", None, ""),
            type="search",
            placeholder=_("Search"),
            autocomplete="off",
            max_chars=200,
        )
    with fields.cell():
        kinds = {name: _(words) for name, words in KINDS.items()}
        kind = one_in_address("kind", _("Kind"), kinds, none=_("All kinds"))
    with fields.cell():
        outcomes = {name: _(shown.words) for name, shown in OUTCOMES.items()}
        outcome = one_in_address("outcome", _("Outcome"), outcomes, none=_("All outcomes"))
    username = None  # the desk shows staff their own, whatever is asked
    if operator.may(Permission.SEE_ALL_ACTIVITY):
        with fields.cell():
            named = {name: f"{person} ({name})" for name, person in people.items()}
            username = one_in_address("person", _("Person"), named, none=_("Everybody"))
    asked = {"days": name, "find": text, "kind": kind, "outcome": outcome, "person": username}
    put_in_address(asked, defaults={"days": "7-days"})
    start, end = days.bounds(here()) if days else (None, None)
    query = AttemptFilter(
        start=start,
        end=end,
        username=username,
        operation=kind,
        states=frozenset({outcome}) if outcome else frozenset(),
        text=(text or "").strip(),
        unknown_first=True,
        limit=None,
    )
    return AskedActivity(query, days.words if days else _("all days"))


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


def csv_button(requested: AskedActivity, desk: Desk, operator: Operator) -> None:
    """Draw the button of the file, for who may take it away."""
    if not operator.may(Permission.EXPORT_ACTIVITY):
        return
    in_words_of_the_screen = speaking(str(locale()))  # made in a thread that knows no person
    exported = partial(desk.activity.attempts_to_export, operator, requested.filter)
    data = guarded(in_words_of_the_screen(partial(activity_csv, exported, zone=here())), Permission.EXPORT_ACTIVITY)
    file_button(_("Download CSV"), data, requested.file_name, key="activity-csv")


def listed_words(count: int, days: str) -> str:
    """How many entries the list has, of which days, and what a click does."""
    entries = ngettext("{n} entry", "{n} entries", count)
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
    text, chip = st.column_config.TextColumn, st.column_config.MultiselectColumn
    columns = {
        "Time": text(_("Time"), width=95),
        "Items": text(_("Items"), width=200),
        "Outcome": chip(_("Outcome"), options=list(words.values()), color=chips, width=118),
        "Next": text(_("Next step"), width=160),
        "Kind": text(_("Kind"), width=85),
        "Amount": text(_("Amount"), width=85, alignment="right"),
        "Person": text(_("Person"), width=105),
        "Order": text(_("Order"), width=95),
    }
    if not frame["Next"].any():
        del columns["Next"]
    alt = _("Everything that was sent, newest first, unknown ones on top")
    return pressed_row(frame[list(columns)], alt, attempts, key=key, column_config=columns)


_SHOWN: Final = 8
_POLL_SECONDS: Final = 1.0
_LISTED: Final = "activity-unknown"


def activity_open(unknown: Sequence[Attempt], *, runtime: Runtime, operator: Operator) -> None:
    """Draw the queue of orders and what needs a person; draws nothing where all is settled."""
    queue = runtime.desk.activity.queue(operator)
    _look_after_what_moves(queue.length, runtime, operator)
    if queue.oldest is not None:
        st.info(waiting_words(queue))
    listed = {attempt.attempt_id for attempt in unknown}
    before: tuple[Attempt, ...] = session.recall(_LISTED, ())
    session.remember(_LISTED, tuple(unknown))
    for was in (each for each in before if each.attempt_id not in listed):  # who asked reads what was found
        for now in runtime.desk.activity.order_timeline(operator, was.order_id):
            if now.attempt_id == was.attempt_id and not now.state.is_open:
                st.info(plain(f"{items_words(now.items)}: {became_words(now)}."))
    orders_that_came_back(runtime, operator)
    if not unknown:
        return
    st.warning(
        _(
            "**{n} to check: we don't know yet what went through.** Sending the same order again is harmless; "
            "never repeat a sale or a checkout before you know.",
            n=number(len(unknown)),
        )
    )
    with st.container(border=True, gap="small"):
        for attempt in unknown[:_SHOWN]:
            _row(attempt, runtime, operator)
    if len(unknown) > _SHOWN:
        st.caption(_("and {n} more: settle these first.", n=number(len(unknown) - _SHOWN)))


def _look_after_what_moves(waiting: int, runtime: Runtime, operator: Operator) -> None:
    """Draw the screen anew when something that this person has on its way has ended, or fewer orders, or more, wait."""
    own = AttemptFilter(states=frozenset({AttemptState.SENDING}), username=operator.username, limit=None)
    activity = runtime.desk.activity
    under_way = activity.count_attempts(operator, own)
    if under_way or waiting:
        poll(
            lambda: (activity.count_attempts(operator, own), activity.queue(operator).length) == (under_way, waiting),
            every=_POLL_SECONDS,
        )


def _row(attempt: Attempt, runtime: Runtime, operator: Operator) -> None:
    """What it is, what it is worth, and its one next step."""
    what, worth, step = st.columns([5, 2, 3], vertical_alignment="center", gap="small")
    with what, st.container(gap=None):
        st.markdown(f"**{kind_words(attempt.operation)}:** {plain(items_words(attempt.items))}")
        when = short_moment(attempt.started_at, runtime.desk.now())
        person, order = attempt.operator_name, short_id(attempt.order_id)
        summary = _("{when}, {person}, order {order}", when=when, person=person, order=order)
        st.caption(plain(summary))
    amount = amount_of(attempt)
    worth.text("" if amount is None else money(amount, runtime.settings.currency))

    def story() -> None:
        done = runtime.desk.activity.order_timeline(operator, attempt.order_id)
        order_actions(done, currency=runtime.settings.currency, apart_from=attempt.draft_id)

    with step, st.container(gap="xsmall"):
        way_out(attempt, runtime=runtime, operator=operator, note=N_("Settled in the activity."), story=story)

"""Which part of the activity is asked for: days, person, kind, outcome, order; kept in the address, to be shared."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import streamlit as st

from components.ui.in_address.filters import addressed, days_choice, one_in_address, put_in_address
from components.words.attempts import KINDS, OUTCOMES, here, today
from warranty.access import Operator, Permission
from warranty.desk.journal import AttemptFilter, AttemptState
from warranty.language import _


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
    with fields.cell():
        username = _person(operator, people)
    put_in_address(
        {"days": name, "find": text, "kind": kind, "outcome": outcome, "person": username}, defaults={"days": "7-days"}
    )
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


def _person(operator: Operator, people: Mapping[str, str]) -> str | None:
    if not operator.may(Permission.SEE_ALL_ACTIVITY):
        st.text_input(_("Person"), operator.name, max_chars=200, disabled=True, key="person-self")
        return None  # the desk shows staff their own, whatever is asked
    named = {name: f"{person} ({name})" for name, person in people.items()}
    return one_in_address("person", _("Person"), named, none=_("Everybody"))

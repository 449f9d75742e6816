"""The audit trail: its filters, kept in the address, its rows in words, the check of its chain; and what is held about
a customer, given out and erased.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.gate import guarded, taken_away
from components.platform import session
from components.platform.markup import plain
from components.ui.forms.faults import problem_at
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from components.ui.frame.table_view import file_button, table_view
from components.ui.in_address.filters import days_choice, one_in_address, put_in_address
from components.words.attempts import here, moment, today
from warranty.access import Operator, Permission
from warranty.commands.housekeeping.privacy import Erased, Privacy, Sought
from warranty.desk.taking_away import AuditBook, TakenAway, describe_audit
from warranty.language import N_, _, ngettext
from warranty.language.written import number
from warranty.people.audit import AuditFilter, AuditKind, AuditRow, Chain

KINDS: Final[Mapping[str, str]] = {
    AuditKind.SIGN_IN: N_("Sign-in"),
    AuditKind.WRONG_TRY: N_("Wrong try"),
    AuditKind.SIGN_OUT: N_("Sign-out"),
    AuditKind.REFUSED: N_("Refused right"),
    AuditKind.SWITCH: N_("Switch at a till"),
    AuditKind.EXPORT: N_("Exports"),
    AuditKind.LOOKED_UP: N_("Customer's claims looked up"),
    AuditKind.SETTLEMENT: N_("Settlement"),
    AuditKind.IMPORT: N_("Import"),
    AuditKind.ACCOUNT: N_("Account"),
    AuditKind.SHOP_FILE: N_("Catalogue, prices, plans sold"),
    AuditKind.SETTINGS: N_("Settings"),
    AuditKind.PRIVACY: N_("Privacy"),
    AuditKind.PURGE: N_("Removed when its time was over"),
}
_DETAILS: Final[Mapping[str, str]] = {
    "attempt": N_("entry"), "count": N_("how many"), "filter": N_("which"), "named": N_("store"), "of": N_("sent by"),
}  # fmt: skip
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]{8,15}[+-]\d\d:\d\d")


def kind_words(kind: str) -> str:
    """What a kind is called; one of another version of the program as it calls it."""
    return _(KINDS[kind]) if kind in KINDS else kind


def by_words(row: AuditRow) -> str:
    """Who did it."""
    if row.role == "program":
        return _("the program itself")
    if row.role == "command":
        return _("the command line, as {name}", name=row.username or "?")
    return row.username or _("nobody known")


def detail_words(row: AuditRow) -> str:
    """What was done, then the rest by its name; the values as they are kept, which is in English."""
    parts = [str(row.details.get("what", ""))]
    for name, value in row.details.items():
        shown = _MOMENT.sub(lambda found: moment(datetime.fromisoformat(found[0])), str(value))
        parts += [] if name == "what" else [f"{_(_DETAILS.get(name, name.replace('_', ' ')))}: {shown}"]
    return ", ".join(filter(None, parts))


def chain_words(chain: Chain) -> str:
    """Whether the chain holds, in a sentence."""
    if not chain.holds:
        return _("The chain is broken: somebody changed, removed or put in rows without this program.")
    if not chain.rows:
        return _("There are no rows yet, so there is nothing to look at.")
    return ngettext(
        "The chain holds: {rows} row, and none was changed, removed or put in.",
        "The chain holds: {rows} rows, and none was changed, removed or put in.",
        chain.rows,
        rows=number(chain.rows),
    )


_PAGE: Final = 100


def audit_filters(book: AuditBook, now: datetime) -> AuditFilter:
    """Draw the filters and give what is asked for."""
    name, days = days_choice(today(now), key="days", default="7-days")
    fields = st.columns(2)
    with fields[0]:
        people = {each: each for each in book.trail.people()}
        person = one_in_address("person", _("Person"), people, none=_("Everybody"))
    with fields[1]:
        kinds = {kind: kind_words(kind) for kind in KINDS}
        kind = one_in_address("kind", _("Kind"), kinds, none=_("All kinds"))
    put_in_address({"days": name, "person": person, "kind": kind}, defaults={"days": "7-days"})
    start, end = days.bounds(here()) if days else (None, None)
    return AuditFilter(start=start, end=end, username=person, kind=kind)


def audit_listed(book: AuditBook, query: AuditFilter) -> None:
    """Draw a page of the rows that are asked for, and all of them as a file."""
    count = book.trail.count(query)
    pages = max(1, math.ceil(count / _PAGE))
    page = st.pagination(pages, key="page") if pages > 1 else 1
    st.caption(ngettext("{rows} row", "{rows} rows", count, rows=number(count)))
    if not count:
        return
    rows = book.trail.rows(replace(query, limit=_PAGE, offset=(page - 1) * _PAGE))
    audit_table(rows, book.places())
    data = taken_away(TakenAway.AUDIT, partial(book.csv, query), count=count, subset=describe_audit(query))
    file_button(_("Download CSV"), data, "audit.csv", key="audit-csv")


def audit_table(rows: Sequence[AuditRow], places: Mapping[str, str]) -> None:
    """Draw rows, the newest first; `places` has the names of stores and tills."""
    columns = {
        _("When"): [moment(row.recorded_at) for row in rows],
        _("What"): [kind_words(row.kind) for row in rows],
        _("Who"): [by_words(row) for row in rows],
        _("Details"): [detail_words(row) for row in rows],
        _("Store, till"): [", ".join(places.get(each, each) for each in (row.store, row.till) if each) for row in rows],
        _("Address, as a code"): [row.address for row in rows],
        _("Row"): [str(row.number) for row in rows],
    }
    table_view(pd.DataFrame(columns, dtype="str"), _("Who did what, the newest first"))


def verify_button(book: AuditBook) -> None:
    """Draw the button; once it is pressed, whether the chain holds, and where it does not."""
    if not st.button(_("Verify the log"), icon=":material/link:", key="audit-verify"):
        return
    chain = book.verify()
    (st.success if chain.holds else st.error)(chain_words(chain))
    for fault in chain.faults:
        st.text(fault.words)
    if chain.without_key_to:
        st.caption(
            _(
                "Rows up to {row} were sealed without WARRANTY_AUDIT_SECRET: who may write to the database could have "
                "made them anew.",
                row=number(chain.without_key_to),
            )
        )
    if chain.rows:
        st.caption(_("The newest row, to be noted elsewhere: {row}", row=f"{chain.newest}:{chain.seal}"))


_FIELD: Final = "about-customer"
_FOUND: Final = "about-customer-found"
_ERASED: Final = "about-customer-erased"
_REFUSED: Final = "about-customer-refused"
_LONGEST: Final = 254
_PARTS: Final[Mapping[str, str]] = {
    "drafts": N_("Begun and not sent"),
    "entries": N_("Sent, and not settled yet"),
    "links": N_("Who has shown their links"),
    "imported orders": N_("Orders of an import"),
    "notes of settlements": N_("Notes of settlements"),
    "notes on days": N_("Notes on days"),
    "saved choices": N_("Saved views"),
    "audit trail": N_("Rows of the audit trail"),
}


def about_customer(privacy: Privacy, operator: Operator, *, country: str) -> None:
    """Draw the field, folded away, and what became of the last press; draws nothing for who may not see to it."""
    if not operator.may(Permission.SEE_TO_PRIVACY):
        return
    with st.expander(_("What is held about a customer"), icon=":material/person_search:", key=_FIELD + "-box"):
        with st.form(_FIELD + "-form", border=False):
            st.text_input(_("E-mail or phone of the customer"), key=_FIELD, max_chars=_LONGEST, autocomplete="off")
            problem_at(session.recall(_REFUSED, {}), _FIELD)
            look = reporting_outage(partial(_look, privacy, operator, country))
            st.form_submit_button(_("Look for it"), on_click=look)
        found: tuple[Sought, Mapping[str, int]] | None = session.recall(_FOUND, None)
        if found is not None:
            _found(privacy, operator, *found)
        erased: Erased | None = session.recall(_ERASED, None)
        if erased is not None:
            _erased(erased)


def _look(privacy: Privacy, operator: Operator, country: str) -> None:
    for name in (_FOUND, _ERASED, _REFUSED):
        session.forget(name)
    sought = Sought.read(session.value_of(_FIELD, ""), country)
    if sought is None:
        words = _("Enter a complete e-mail address, or a phone number with its area code")
        session.remember(_REFUSED, {_FIELD: words})
        return
    session.remember(_FOUND, (sought, privacy.look(operator, sought)))


def _found(privacy: Privacy, operator: Operator, sought: Sought, counts: Mapping[str, int]) -> None:
    st.text(sought.text)
    if not any(counts.values()):
        st.info(_("Nothing about this customer is kept at this desk. The service keeps its own records."))
        return
    for what, count in counts.items():
        if count:
            st.text(f"{_(_PARTS[what])}: {number(count)}")
    with st.container(horizontal=True):
        data = guarded(lambda: privacy.export(operator, sought).json, Permission.SEE_TO_PRIVACY)
        file_button(_("Download for the customer"), data, "held-about-you.json", key=_FIELD + "-file")
        ask_first(
            _("Erase"),
            _("Yes, erase"),
            lost=_(
                "All of it is erased for good. Entries stay as the shop's books, without the customer: order number, "
                "items, prices and who sent them."
            ),
            key=_FIELD + "-erase",
            on_click=partial(_erase, privacy, operator, sought),
        )


def _erase(privacy: Privacy, operator: Operator, sought: Sought) -> None:
    session.remember(_ERASED, privacy.erase(operator, sought))
    session.forget(_FOUND)
    session.clear(_FIELD)


def _erased(done: Erased) -> None:
    count = sum(done.erased.values())
    st.success(ngettext("Erased: {n} place.", "Erased: {n} places.", count))
    for environment, order in done.retained:
        st.warning(
            _(
                "Order {order} of {environment} is kept until it is sent, as the customer was promised. Erase once "
                "more then.",
                order=plain(order),
                environment=environment,
            )
        )

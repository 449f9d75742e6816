"""For managers: what the service does beyond its document, and its record by month, as this shop's desks saw it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.frame.table_view import table_view
from components.gate import taken_away
from components.words.attempts import moment
from warranty.desk.taking_away import TakenAway
from warranty.errors import JournalUnavailable
from warranty.journal.shared.observations import Sighting
from warranty.language import N_, _, locale, pgettext, speaking
from warranty.language.written import number
from warranty.observed.assumptions import contradicted
from warranty.observed.observer import ServiceSeen
from warranty.observed.record import Month
from warranty.observed.told import (
    BOUND,
    CALLS,
    COLUMNS,
    COUNTED,
    drift_json,
    month_cells,
    month_words,
    p95_words,
    record_pdf,
    sentences,
)
from warranty.settings import Settings

_KINDS: Final = {
    "HTTP status": N_("HTTP status"),
    "content type": N_("content type"),
    "shape": N_("shape"),
    "field": N_("field"),
    "type": N_("kind of value"),
    "missing": N_("missing"),
    "status word": N_("status word"),
    "form": N_("form"),
    "link": N_("link"),
    "assumption": N_("assumption"),
}
"""What there is to see beside the document, as the record has it, in words of the screen."""


def service_seen(seen: ServiceSeen, settings: Settings) -> None:
    """Draw both, folded, each with its file."""
    try:
        drift, months = seen.drift(), seen.months()
    except JournalUnavailable:
        st.warning(_("What was seen of the service cannot be read now: the record does not answer."))
        return
    made = seen.now()
    with st.expander(_("What the service does beyond its document ({n})", n=len(drift))):
        _drift(drift)
        found = partial(drift_json, drift, settings, made=made)
        taken = taken_away(TakenAway.SERVICE_DRIFT, found, count=len(drift))
        _file(_("Download for support"), "service-drift.json", taken)
    with st.expander(_("Service record: reached, refused and how long it took, by month")):
        pdf = speaking(str(locale()))(record_pdf)  # made in a thread that knows no person
        page = partial(pdf, months, settings, made=made)
        taken = taken_away(TakenAway.SERVICE_RECORD, page, count=len(months))
        _file(_("Print record"), "service-record.pdf", taken)
        _record(months[::-1])


def _drift(drift: Sequence[Sighting]) -> None:
    st.caption(
        _(
            "Words, fields and shapes in the service's answers that its document does not "
            "have. The desk works as before, and this list holds no customer data."
        )
    )
    if not drift:
        st.text(_("Nothing so far."))
        return
    rows = [
        (
            _(CALLS.get(each.oddity.operation, each.oddity.operation)),
            _(_KINDS.get(each.oddity.kind, each.oddity.kind)),
            _what(each.oddity.what),
            moment(each.first_seen),
            moment(each.last_seen),
            number(each.times),
        )
        for each in drift
    ]
    columns = [_("Call"), _("Kind"), _("What"), _("First seen"), _("Last seen"), _("Times")]
    table_view(
        pd.DataFrame(rows, columns=columns), _("What answers showed beyond the document, the newest first")
    )
    for name, first in contradicted(drift).items():
        st.text(_("Contradicts the assumption {name} since {when}", name=name, when=moment(first)))


def _what(what: str) -> str:
    """A field and what stands there (`data[].note: text`), the kind of value in the reader's word."""
    name, colon, kind = what.rpartition(": ")
    return f"{name}{colon}{_(kind)}"


def _record(months: Sequence[Month]) -> None:
    st.caption(_(COUNTED))
    table_view(
        pd.DataFrame([month_cells(month) for month in months], columns=[_(name) for name in COLUMNS]),
        _("The service by month, the newest first: calls, how many it answered, and how the others ended"),
    )
    called = [each for each in CALLS if any(each in month.p95 for month in months)]
    if called:
        st.caption(_(BOUND))
        took = [(month_words(month), *(p95_words(month, each) for each in called)) for month in months]
        table_view(
            pd.DataFrame(took, columns=[_("Month"), *(_(CALLS[each]) for each in called)]),
            _("How long 95 of 100 tries took at most, by month and call"),
        )
    refused = sentences(months[::-1])
    if refused:
        st.caption(
            _("Refused, in the service's words; what names an order, a product or a person is left out.")
        )
        table_view(
            pd.DataFrame(refused, columns=[_("Sentence"), _("Times"), pgettext("which months", "In")]),
            _("What was refused, the most frequent first"),
        )


def _file(label: str, name: str, data: Callable[[], bytes]) -> None:
    mime = f"application/{name.rpartition('.')[2]}"
    st.download_button(label, data=data, file_name=name, mime=mime, on_click="ignore", key=name)

"""For managers: what the service does beyond its document, as this shop's desks saw it."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.gate import taken_away
from components.system.connection.report import CALLS
from components.ui.frame.table_view import table_view
from components.words.attempts import moment
from warranty.desk.taking_away import TakenAway
from warranty.errors import JournalUnavailable
from warranty.language import N_, _
from warranty.language.written import number
from warranty.settings import Settings
from warranty.watch.observed.assumptions import contradicted, drift_json
from warranty.watch.observed.observations import Sighting
from warranty.watch.observed.observer import ServiceSeen

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
    """Draw it, folded, with its file."""
    try:
        drift = seen.drift()
    except JournalUnavailable:
        st.warning(_("What was seen of the service cannot be read now: the record does not answer."))
        return
    with st.expander(_("What the service does beyond its document ({n})", n=len(drift))):
        _drift(drift)
        found = partial(drift_json, drift, settings, made=seen.now())
        taken = taken_away(TakenAway.SERVICE_DRIFT, found, count=len(drift))
        st.download_button(
            _("Download for support"),
            data=taken,
            file_name="service-drift.json",
            mime="application/json",
            on_click="ignore",
        )


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
    table_view(pd.DataFrame(rows, columns=columns), _("What answers showed beyond the document, the newest first"))
    for name, first in contradicted(drift).items():
        st.text(_("Contradicts the assumption {name} since {when}", name=name, when=moment(first)))


def _what(what: str) -> str:
    """A field and what stands there (`data[].note: text`), the kind of value in the reader's word."""
    name, colon, kind = what.rpartition(": ")
    return f"{name}{colon}{_(kind)}"

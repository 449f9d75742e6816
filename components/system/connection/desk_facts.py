"""This desk as an operator asks about it: its version, addresses, journal, people, timeouts; and what the service does
beyond its document, as this shop's desks saw it.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from components.gate import taken_away
from components.system.connection.report import CALLS
from components.ui.frame.table_view import table_view
from components.words.attempts import moment
from warranty import VERSION
from warranty.access import Operator, Permission, Role
from warranty.client.credentials import token_hint
from warranty.desk import Desk
from warranty.desk.taking_away import TakenAway
from warranty.errors import JournalUnavailable
from warranty.language import N_, _, ngettext
from warranty.language.written import number
from warranty.settings import Settings
from warranty.watch.observed.observations import Sighting, contradicted, drift_json
from warranty.watch.observed.observer import ServiceSeen

if TYPE_CHECKING:  # loaded where somebody is told
    from warranty.watch.alerts.watch import Watching

_MEGABYTE: Final = 1_000_000


def desk_facts(
    settings: Settings, desk: Desk, watching: "Watching | None", operator: Operator, *, roles: Collection[Role]
) -> None:
    """Draw them folded away; what a missing setting costs is said to those who may see to it."""
    alerts = {_("Alerts by"): _alerts(settings, watching.last_alert(operator) if watching else None)}
    with st.expander(_("This desk: version, addresses, journal, accounts, timeouts")):
        for name, value in (_facts(settings, desk, operator, roles) | alerts).items():
            label, content = st.columns([1, 4], gap="small")
            label.text(name)
            content.text(value)
        if operator.may(Permission.SEE_SERVICE_DRIFT):
            for sentence in settings.consequences:
                st.info(sentence)


def _facts(settings: Settings, desk: Desk, operator: Operator, roles: Collection[Role]) -> dict[str, str]:
    journal = desk.journal_facts(operator)
    copied = _("the newest is of {when}", when=moment(journal.copied_at)) if journal.copied_at else _("none yet")
    return {
        _("Program"): f"Warranty Desk {VERSION}",
        _("Environment"): settings.environment,
        _("Service"): settings.base_url or _("not set"),
        _("Customer pages"): settings.landing_url or _("not set"),
        _("Retailer"): settings.retailer_uuid or _("not set"),
        _("Private token"): token_hint(settings.private_token),
        _("Public token"): _(
            "{token}, sent in the header {header}",
            token=token_hint(settings.public_token),
            header=settings.public_token_header,
        ),
        _("Timeouts"): _(
            "{connect} s for a connection, {read} s for an answer",
            connect=f"{settings.connect_timeout.total_seconds():g}",
            read=f"{settings.read_timeout.total_seconds():g}",
        ),
        _("Journal"): f"{journal.place}, {journal.size / _MEGABYTE:,.1f} MB",
        _("Journal's schema"): f"{journal.schema.revision}, "
        + (_("as this program makes it") if journal.schema.is_own else _("made by another version of the program")),
        _("Backup"): copied,
        _("Accounts"): _people(roles),
    }


def _people(roles: Collection[Role]) -> str:
    each = ", ".join(f"{count} {_(role.value)}" for role, count in sorted(Counter(roles).items()))
    people = ngettext("{n} person", "{n} people", len(roles), n=number(len(roles)))
    return f"{people}: {each}" if roles else _("nobody")


def _alerts(settings: Settings, last: datetime | None) -> str:
    if not settings.alert_ways:
        return _("no way is configured")
    last_alert = _("last told {when}", when=moment(last)) if last else _("nothing told yet")
    return f"{', '.join(settings.alert_ways)}; {last_alert}"


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
        label, name = _("Download for support"), "service-drift.json"
        st.download_button(label, data=taken, file_name=name, mime="application/json", on_click="ignore")


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

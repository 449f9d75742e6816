"""This desk as an operator asks about it: its version, where it speaks to, its journal, its people, its timeouts."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.words.attempts import moment
from warranty import VERSION
from warranty.access import Operator, Permission, Role
from warranty.client.credentials import token_hint
from warranty.desk import Desk
from warranty.language import _, ngettext
from warranty.language.written import number
from warranty.settings import Settings

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

"""This desk as an operator asks about it: its version, where it speaks to, its journal, its people, its timeouts."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime
from typing import Final

import streamlit as st

from components.words.amounts import counted
from components.words.attempts import moment
from warranty import VERSION
from warranty.access import Operator, Permission, Role
from warranty.desk import Desk
from warranty.settings import Settings
from warranty.settings.credentials import token_hint

_MEGABYTE: Final = 1_000_000


def desk_facts(settings: Settings, desk: Desk, operator: Operator, *, roles: Collection[Role]) -> None:
    """Draw them folded away; what a missing setting costs is said to those who may see to it."""
    with st.expander("This desk: version, addresses, journal, accounts, timeouts"):
        for name, value in _facts(settings, desk, operator, roles).items():
            label, content = st.columns([1, 4], gap="small")
            label.text(name)
            content.text(value)
        if operator.may(Permission.SEE_SERVICE_RECORD):
            for sentence in settings.consequences:
                st.info(sentence)


def _facts(settings: Settings, desk: Desk, operator: Operator, roles: Collection[Role]) -> dict[str, str]:
    journal = desk.journal_facts(operator)
    backup = f"restored from the one of {moment(journal.restored_from)}" if journal.restored_from else ""
    return {
        "Program": f"Warranty Desk {VERSION}",
        "Environment": settings.environment,
        "Service": settings.base_url or "not set",
        "Landing pages": settings.landing_url or "not set",
        "Retailer": settings.retailer_uuid or "not set",
        "Private token": token_hint(settings.private_token),
        "Public token": f"{token_hint(settings.public_token)}, sent in the header {settings.public_token_header}",
        "Timeouts": f"{settings.connect_timeout.total_seconds():g} s for a connection, "
        f"{settings.read_timeout.total_seconds():g} s for an answer",
        "Journal": f"{journal.place}, {journal.size / _MEGABYTE:,.1f} MB",
        "Journal's schema": f"{journal.schema.revision}, "
        + ("as this program makes it" if journal.schema.is_own else "made by another version of the program"),
        "Backup": backup or "its moment is not known here: the file's own date tells it",
        "Accounts": _people(roles),
        "Alerts by": _alerts(settings, desk.last_alert(operator)),
    }


def _people(roles: Collection[Role]) -> str:
    each = ", ".join(f"{number} {role.value}" for role, number in sorted(Counter(roles).items()))
    return f"{counted(len(roles), 'person', 'people')}: {each}" if roles else "nobody"


def _alerts(settings: Settings, last: datetime | None) -> str:
    if not settings.alert_ways:
        return "no way is configured"
    return f"{', '.join(settings.alert_ways)}; {f'last told {moment(last)}' if last else 'nothing told yet'}"

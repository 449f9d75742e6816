"""What the rows of the audit trail and the breaks of its chain are called on the screen."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from components.words.attempts import moment
from warranty.language import N_, _, ngettext
from warranty.language.written import number
from warranty.people.audit import AuditKind, AuditRow, Chain

KINDS: Final[Mapping[str, str]] = {
    AuditKind.SIGN_IN: N_("Sign-in"),
    AuditKind.WRONG_TRY: N_("Wrong try"),
    AuditKind.SIGN_OUT: N_("Sign-out"),
    AuditKind.REFUSED: N_("Refused right"),
    AuditKind.SWITCH: N_("Switch at a till"),
    AuditKind.EXPORT: N_("Data taken away"),
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

"""What goes out: a title, a text, and for a report a page to print. Nothing of a customer, nothing that steers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from warranty.language import N_, _
from warranty.language.written import CLOCK, DAY, dated, number
from warranty.places.people_in_text import without_addresses
from warranty.watch.alerts.alert_log import Message

_LONGEST_NAME: Final = 120
_MOST_TOLD: Final = 50
MONTHLY: Final = "monthly-report"
KINDS: Final[Mapping[str, str]] = {
    "token-refused": N_("access refused"),
    "entry-unknown": N_("outcome unknown"),
    "orders-wait": N_("orders wait"),
    "claims-incomplete": N_("claims incomplete"),
    "early-warning": N_("more claims than usual"),
}
"""The kinds of alerts, in the words of a mail's title; said with `_`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One message, whichever way it goes: `message_id` is the same however often it is sent.

    `title` is one line; `about` is what a program may read of it; `page` is a PDF, where there is one.
    """

    message_id: str
    title: str
    text: str
    about: Mapping[str, Any]
    page: bytes | None = None
    page_name: str = ""


def letter_of(message: Message, *, shop: str, environment: str) -> Letter:
    """Put alerts that were found together into words."""
    kinds = dict.fromkeys(alert.kind for alert in message.alerts)
    lines = [alert.words for alert in message.alerts[:_MOST_TOLD]]
    if len(message.alerts) > _MOST_TOLD:
        more = number(len(message.alerts) - _MOST_TOLD)
        lines.append(_("And {n} more: see Activity and docs/on-call.md.", n=more))
    text = "\n\n".join(
        [
            f"Warranty Desk, {one_line(shop)}, {environment}:",
            *lines,
            _(
                "Noticed {when}; what to do stands in docs/on-call.md. You are told once, "
                "and again if it ends and comes back.",
                when=moment(message.raised_at),
            ),
        ]
    )
    return Letter(
        message_id=message.message_id,
        title=f"{one_line(shop)}: {', '.join(_(KINDS.get(kind, kind)) for kind in kinds)}",
        text=text,
        about={
            "environment": environment,
            "raised_at": message.raised_at.isoformat(),
            "alerts": [{"kind": alert.kind, "words": alert.words} for alert in message.alerts[:_MOST_TOLD]],
            "count": len(message.alerts),
        },
    )


def one_line(text: str, *, longest: int = _LONGEST_NAME) -> str:
    """A text as the service or the shop wrote it, in one line: no mark that steers, no address, not without end."""
    plain = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    plain = without_addresses(plain)
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"


def moment(when: datetime) -> str:
    """A moment for people, in UTC: `21 Nov 2026, 10:00 UTC`."""
    return f"{dated(when.astimezone(UTC), f'{DAY}, {CLOCK}')} UTC"

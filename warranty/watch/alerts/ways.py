"""What goes out, a letter, and the ways: mail, a signed webhook, a file. Each takes it or says why it did not.

No sentence holds an address, a password or what the other side said. Mail and webhook go over verified TLS only.
"""

import base64
import hashlib
import hmac
import json
import logging
import os
import smtplib
import ssl
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, localtime
from pathlib import Path
from typing import Any, Final

import httpx

from warranty.client.tls import trust
from warranty.disk import write_private
from warranty.errors import SettingsProblem
from warranty.language import N_, _
from warranty.language.written import CLOCK, DAY, dated, number
from warranty.places.people_in_text import without_addresses
from warranty.settings import Settings
from warranty.settings.values import signing_key
from warranty.watch.alerts.alert_log import Message

_log = logging.getLogger("warranty.alerts")

_SECONDS: Final = 10
"""That each step of a sending may take."""
_TLS_AT_ONCE: Final = 465
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
    noticed = _(
        "Noticed {when}; what to do stands in docs/on-call.md. You are told once, and again if it ends and comes back.",
        when=moment(message.raised_at),
    )
    text = "\n\n".join([f"Warranty Desk, {one_line(shop)}, {environment}:", *lines, noticed])
    title = f"{one_line(shop)}: {', '.join(_(KINDS.get(kind, kind)) for kind in kinds)}"
    alerts = [{"kind": alert.kind, "words": alert.words} for alert in message.alerts[:_MOST_TOLD]]
    about: dict[str, Any] = {"environment": environment, "raised_at": message.raised_at.isoformat(), "alerts": alerts}
    about["count"] = len(message.alerts)
    return Letter(message_id=message.message_id, title=title, text=text, about=about)


def one_line(text: str, *, longest: int = _LONGEST_NAME) -> str:
    """A text as the service or the shop wrote it, in one line: no mark that steers, no address, not without end."""
    plain = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    plain = without_addresses(plain)
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"


def moment(when: datetime) -> str:
    """A moment for people, in UTC: `21 Nov 2026, 10:00 UTC`."""
    return f"{dated(when.astimezone(UTC), f'{DAY}, {CLOCK}')} UTC"


class NotTaken(Exception):
    """A way did not take a letter; the text says why."""


def mail_server(settings: Settings, context: ssl.SSLContext, *, seconds: float) -> smtplib.SMTP:
    """Connect over TLS, for somebody to sign in; raises `OSError` and `SMTPException`."""
    host, port = settings.smtp_host or "", settings.smtp_port
    if port == _TLS_AT_ONCE:
        return smtplib.SMTP_SSL(host, port, timeout=seconds, context=context)
    server = smtplib.SMTP(host, port, timeout=seconds)
    try:
        server.starttls(context=context)
    except BaseException:
        server.close()
        raise
    return server


class Mail:
    """Mail to all who are named, in one mail; it is taken once the server took it for one of them."""

    name: Final = "mail"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._trust = trust(settings.alert_ca_file)

    def send(self, letter: Letter) -> None:
        """Sign in over TLS and send."""
        try:
            with closing(mail_server(self._settings, self._trust, seconds=_SECONDS)) as server:
                if self._settings.smtp_user and self._settings.smtp_password:
                    server.login(self._settings.smtp_user, self._settings.smtp_password.get_secret_value())
                refused = server.send_message(self._mail(letter))
                with suppress(smtplib.SMTPException, OSError):  # it has been taken
                    server.quit()
        except smtplib.SMTPResponseException as problem:
            raise NotTaken(f"the mail server answered {problem.smtp_code}") from None
        except (smtplib.SMTPException, OSError) as problem:
            raise NotTaken(f"the mail server did not take it ({type(problem).__name__})") from None
        if refused:
            _log.warning("mail was not taken for %d of %d addresses", len(refused), len(self._settings.alert_mail_to))

    def _mail(self, letter: Letter) -> EmailMessage:
        sender = self._settings.smtp_from or ""
        mail = EmailMessage(policy=SMTP)
        mail["Subject"] = letter.title
        mail["From"] = sender
        mail["To"] = ", ".join(self._settings.alert_mail_to)
        mail["Date"] = format_datetime(localtime())
        mail["Message-ID"] = f"<{letter.message_id}@{sender.rpartition('@')[2]}>"
        mail["Auto-Submitted"] = "auto-generated"  # no answer of an absent reader, please
        mail.set_content(letter.text)
        if letter.page is not None:
            mail.add_attachment(letter.page, maintype="application", subtype="pdf", filename=letter.page_name)
        return mail


class Webhook:
    """A POST of JSON, signed as Standard Webhooks has it: over id, time and body, by HMAC with SHA-256."""

    name: Final = "webhook"

    def __init__(self, settings: Settings) -> None:
        if settings.alert_webhook is None or settings.alert_webhook_secret is None:
            raise SettingsProblem("WARRANTY_ALERT_WEBHOOK is not set.")
        self._address = settings.alert_webhook
        self._key = signing_key(settings.alert_webhook_secret)
        self._trust = trust(settings.alert_ca_file)

    def send(self, letter: Letter) -> None:
        """Post it; any answer but 2xx is a refusal. No redirect is followed, and no body read."""
        try:
            with httpx.HTTPTransport(verify=self._trust, trust_env=False) as transport:
                answer = transport.handle_request(self._request(letter))
                answer.close()
        except httpx.RequestError as problem:
            raise NotTaken(f"the webhook did not take it ({type(problem).__name__})") from None
        if not answer.is_success:
            raise NotTaken(f"the webhook answered {answer.status_code}")

    def _request(self, letter: Letter) -> httpx.Request:
        content = {"title": letter.title, "text": letter.text, **letter.about}
        body = json.dumps(content, ensure_ascii=False).encode()
        sent_at = str(int(time.time()))
        signed = b".".join((letter.message_id.encode(), sent_at.encode(), body))
        signature = base64.b64encode(hmac.new(self._key, signed, hashlib.sha256).digest()).decode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "warranty-desk",
            "webhook-id": letter.message_id,
            "webhook-timestamp": sent_at,
            "webhook-signature": f"v1,{signature}",
        }
        limits = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"), _SECONDS)}
        address = self._address.get_secret_value()
        return httpx.Request("POST", address, headers=headers, content=body, extensions=limits)


class AlertFile:
    """A line of JSON for each letter; a page to print is laid beside the file."""

    name: Final = "file"

    def __init__(self, settings: Settings) -> None:
        self._path = settings.alert_file or Path()

    def send(self, letter: Letter) -> None:
        """Add the line, for the owner's eyes, and see it on the disk."""
        content = {"id": letter.message_id, "title": letter.title, "text": letter.text, **letter.about}
        try:
            if letter.page is not None:
                write_private(self._path.with_name(letter.page_name), letter.page, how=os.O_TRUNC)
            line = f"{json.dumps(content, ensure_ascii=False)}\n"
            write_private(self._path, line.encode(), how=os.O_APPEND)
        except OSError as problem:
            raise NotTaken(f"the file cannot be written ({type(problem).__name__})") from None


Way = Mail | Webhook | AlertFile
"""One way out; `send` raises `NotTaken`, and may have sent the letter all the same where an answer is lost."""


def ways_of(settings: Settings) -> list[Way]:
    """Give the ways that are configured; raises `SettingsProblem` where there is none, and for a wrong CA file."""
    if not settings.alert_ways:
        raise SettingsProblem(
            "Nobody would be told: set WARRANTY_ALERT_MAIL_TO, WARRANTY_ALERT_WEBHOOK or WARRANTY_ALERT_FILE."
        )
    made: dict[str, type[Way]] = {"mail": Mail, "webhook": Webhook, "file": AlertFile}
    return [made[name](settings) for name in settings.alert_ways]

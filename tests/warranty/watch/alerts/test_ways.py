"""Mail, webhook and file: what they carry, over which lines, and what they say when they do not take a letter."""

import json
import logging
import stat
from pathlib import Path
from typing import Any

import pytest
import trustme
from hypothesis import example, given
from hypothesis import settings as tried
from hypothesis import strategies as st

from tests.warranty.watch.alerts.conftest import MakeSettings
from tests.warranty.watch.alerts.receivers import Hook, Mailbox, hook_receiver, mail_server
from warranty.clock import utc_now
from warranty.settings import load_settings
from warranty.watch.alerts import ways
from warranty.watch.alerts.alert_log import Alert, Message
from warranty.watch.alerts.ways import Letter, Mail, NotTaken, Webhook, letter_of, one_line, ways_of

LETTER = Letter(
    message_id="5f3b", title="Möbel & Söhne: access refused", text="Die Tür – the token.\n\nA second paragraph.",
    about={"environment": "sandbox"}, page=b"%PDF-1.7 page", page_name="report-2026-10.pdf",
)  # fmt: skip


@pytest.fixture
def mail_way(settings: MakeSettings, by_mail: dict[str, Any]) -> Mail:
    return Mail(settings(by_mail))


@pytest.fixture
def webhook(settings: MakeSettings, by_hook: dict[str, Any]) -> Webhook:
    return Webhook(settings(by_hook))


def test_a_mail_goes_out_over_starttls_signed_in_with_text_and_page(mail_way: Mail, mailbox: Mailbox) -> None:
    mail_way.send(LETTER)
    (mail,) = mailbox.mails
    assert mailbox.signed_in == [("desk", "planted-password")]
    assert {line.split()[0].upper() for line in mailbox.in_the_open} == {"EHLO", "STARTTLS"}
    assert mailbox.receivers == ["office@shop.example", "owner@shop.example"]
    heads = (mail["Subject"], mail["Message-ID"], mail["Auto-Submitted"])
    assert heads == (LETTER.title, "<5f3b@shop.example>", "auto-generated")
    text = mail.get_body()
    assert text is not None
    assert text.get_content().splitlines() == LETTER.text.splitlines()
    (page,) = mail.iter_attachments()
    assert (page.get_filename(), page.get_content()) == ("report-2026-10.pdf", LETTER.page)


def test_on_the_port_of_implicit_tls_no_word_is_said_before_the_handshake(
    settings: MakeSettings, by_mail: dict[str, Any], authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mail_server(authority, tls_at_once=True) as mailbox:
        monkeypatch.setattr(ways, "_TLS_AT_ONCE", mailbox.port)
        Mail(settings(by_mail, smtp_port=mailbox.port)).send(LETTER)
    assert (len(mailbox.mails), mailbox.in_the_open) == (1, [])


def test_whoever_is_not_vouched_for_or_has_no_tls_is_told_nothing(
    *, settings: MakeSettings, mail_way: Mail, by_mail: dict[str, Any], by_hook: dict[str, Any], mailbox: Mailbox,
    hook: Hook, tmp_path: Path,
) -> None:  # fmt: skip
    stranger = tmp_path / "stranger.pem"
    trustme.CA().cert_pem.write_to_path(str(stranger))
    for way in ways_of(settings(by_mail, by_hook, alert_ca_file=str(stranger))):
        with pytest.raises(NotTaken):
            way.send(LETTER)
    mailbox.says["EHLO"] = "250 localhost"  # it has no TLS at all
    with pytest.raises(NotTaken):
        mail_way.send(LETTER)
    assert (mailbox.mails, mailbox.signed_in, hook.paths) == ([], [], [])


def test_one_refused_address_costs_no_other(mail_way: Mail, mailbox: Mailbox, caplog: pytest.LogCaptureFixture) -> None:
    mailbox.says["owner@shop.example"] = "no"
    mail_way.send(LETTER)
    assert len(mailbox.mails) == 1
    assert "mail was not taken for 1 of 2 addresses" in caplog.text
    assert "owner" not in caplog.text


@pytest.mark.parametrize(("word", "answer", "said"), [
    ("AUTH", "535 wrong password planted-password", "the mail server answered 535"),
    ("taken", "451 come again", "the mail server answered 451"),
    ("RCPT", "550 office@shop.example", "the mail server did not take it (SMTPRecipientsRefused)"),
])  # fmt: skip
def test_a_refusal_is_said_without_words(mail_way: Mail, mailbox: Mailbox, word: str, answer: str, said: str) -> None:
    mailbox.says[word] = answer
    with pytest.raises(NotTaken) as refused:
        mail_way.send(LETTER)
    assert str(refused.value) == said


def test_a_server_that_breaks_off_after_it_took_a_mail_has_taken_it(mail_way: Mail, mailbox: Mailbox) -> None:
    mailbox.says["QUIT"] = ""
    mail_way.send(LETTER)
    assert len(mailbox.mails) == 1


def test_of_a_message_of_many_alerts_a_letter_tells_the_first_fifty_and_how_many_more() -> None:
    alerts = [Alert("entry-unknown", f"unknown {number}", f"Trouble {number}.") for number in range(52)]
    refused = Alert("token-refused", "token", "The token.")
    message = Message("5f3b", utc_now(), (*alerts, refused), frozenset())
    letter = letter_of(message, shop="Ours", environment="sandbox")
    assert letter.title == "Ours: outcome unknown, access refused"
    assert letter.text.count("Trouble") == len(letter.about["alerts"]) == 50
    assert "And 3 more" in letter.text
    assert letter.about["count"] == 53


def test_a_webhook_is_signed_over_its_id_its_time_and_its_body(webhook: Webhook, hook: Hook) -> None:
    webhook.send(LETTER)
    assert (hook.forged, hook.ids) == (0, ["5f3b"])
    assert hook.posts == [{"title": LETTER.title, "text": LETTER.text, "environment": "sandbox"}]
    assert hook.paths == ["/hook?token=planted-in-the-address"]


def test_the_signature_is_standard_webhooks(settings: MakeSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made with the reference library for Python."""
    monkeypatch.setattr("time.time", lambda: 1614265330)
    letter = Letter(message_id="msg_p5jXN8AQM9LWM0D4loKWxJek", title="t", text="x", about={})
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    request = Webhook(settings(alert_webhook="https://x.de", alert_webhook_secret=secret))._request(letter)
    assert request.content == b'{"title": "t", "text": "x"}'
    assert request.headers["webhook-signature"] == "v1,lLdmcsI8mwfn0RfEYgGZZJz7tFiMnTjK+4vFNBQCSok="


def test_a_redirect_is_not_followed_and_is_no_success(webhook: Webhook, hook: Hook) -> None:
    hook.status = 307
    with pytest.raises(NotTaken, match="the webhook answered 307"):
        webhook.send(LETTER)
    assert len(hook.paths) == 1


def test_in_the_sandbox_a_webhook_here_needs_no_tls(settings: MakeSettings, by_hook: dict[str, Any]) -> None:
    with hook_receiver(None) as plain:
        Webhook(settings(by_hook, alert_webhook=plain.url)).send(LETTER)
        assert len(plain.posts) == 1


def test_a_way_that_is_not_there_says_so_and_no_log_has_its_address_or_password(
    settings: MakeSettings, by_mail: dict[str, Any], by_hook: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    away = settings(
        by_mail, by_hook, smtp_port=9, alert_webhook="https://localhost:9/planted-in-the-address",
        alert_file="/none/such",
    )  # fmt: skip
    for way in ways_of(away):
        with pytest.raises(NotTaken) as problem:
            way.send(LETTER)
        assert problem.value.__cause__ is None
        assert "planted" not in str(problem.value)
    assert "planted" not in caplog.text + repr(away)


def test_a_file_gets_a_line_for_each_letter(settings: MakeSettings, by_file: dict[str, Any], tmp_path: Path) -> None:
    (way,) = ways_of(settings(by_file))
    way.send(LETTER)
    way.send(LETTER)
    path = tmp_path / "alerts.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(line["id"], line["text"]) for line in lines] == [("5f3b", LETTER.text)] * 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (tmp_path / "report-2026-10.pdf").read_bytes() == LETTER.page


ODD = ("ada@example.com", "\r\nBcc: eve@evil.example", "\n\n", "+1 617 555 0123", "\u202e", "\x00", "\x1b[2J", "TV")
HOSTILE = st.lists(st.sampled_from(ODD) | st.text(max_size=20), max_size=8).map(" ".join)


@example(product="TV\r\nBcc: eve@evil.example", shop="\u202e ada@example.com, +1 617 555 0123")
@given(product=HOSTILE, shop=HOSTILE)
@tried(max_examples=10)
def test_whatever_a_product_is_called_a_mail_has_its_heads_and_no_customer(product: str, shop: str) -> None:
    alert = Alert("early-warning", "warning x", one_line(f"{product}: 9 claims", longest=600))
    message = Message("5f3b", utc_now(), (alert,), frozenset())
    letter = letter_of(message, shop=shop, environment="sandbox")
    who = {"alert_mail_to": "a@shop.example", "smtp_host": "localhost", "smtp_from": "desk@shop.example"}
    mail = Mail(load_settings(who))._mail(letter)
    assert ("bcc" in {name.lower() for name in mail}, "eve" in str(mail["To"])) == (False, False)
    assert "\n" not in letter.title + alert.words
    assert (letter.title + alert.words).isprintable()
    assert "ada@example.com" not in mail.as_string() + json.dumps(letter.about)
    assert "617 555 0123" not in letter.text

"""What is worth telling, told once by each way, over restarts and machines; what mail, webhook and file carry."""

import json
import logging
import stat
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import trustme
from hypothesis import example, given
from hypothesis import settings as tried
from hypothesis import strategies as st
from pydantic import SecretStr

from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import PATIENCE, MakeIntent
from tests.warranty.desk.processes import PROCESSES, running
from tests.warranty.watch.alerts.conftest import MakeSettings
from tests.warranty.watch.alerts.receivers import Hook, Mailbox, hook_receiver, mail_server
from tests.warranty.watch.alerts.teller import tell_and_stop, tell_rounds, told, trouble
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.leases import Leases
from warranty.desk.journal import Attempt, AttemptState, Journal, Queue
from warranty.errors import Failure
from warranty.settings import Settings, load_settings
from warranty.watch.alerts import ways
from warranty.watch.alerts.alert_log import SAME_TROUBLE, Alert, AlertLog, Known, Message
from warranty.watch.alerts.watch import Delivered, early_warnings, orders_wait, refused_entries, token, unknown_entries
from warranty.watch.alerts.ways import Letter, Mail, NotTaken, Webhook, letter_of, one_line, ways_of

BOTH = ("mail", "webhook")


@pytest.fixture
def by_both(settings: MakeSettings, by_mail: dict[str, Any], by_hook: dict[str, Any]) -> Settings:
    return settings(by_mail, by_hook)


def words(hook: Hook) -> list[str]:
    return [alert["words"] for post in hook.posts for alert in post["alerts"]]


def test_trouble_is_told_once_and_together(journal: Journal, by_both: Settings, mailbox: Mailbox, hook: Hook) -> None:
    ways = ways_of(by_both)
    for _ in range(3):
        AlertLog(journal.database, "sandbox").note([trouble("a", "b")], ways=BOTH)
        told(journal, ways)
    assert words(hook) == ["Trouble a.", "Trouble b."]
    assert (len(mailbox.mails), len(hook.posts)) == (1, 1)
    assert AlertLog(journal.database, "sandbox").last_sent() is not None
    assert AlertLog(journal.database, "staging").last_sent() is None


def test_trouble_is_told_again_not_each_flicker(journal: Journal, clock: Clock, by_both: Settings, hook: Hook) -> None:
    alerts, ways, ids = AlertLog(journal.database, "sandbox"), ways_of(by_both), []
    again, longer = timedelta(minutes=5), SAME_TROUBLE + timedelta(minutes=1)
    for pause, found in (
        (timedelta(0), trouble("a")), (again, trouble()), (again, trouble("a")),  # it was away for a moment
        (longer, trouble("a")),  # and stood ever since
        (again, trouble()), (longer, trouble("a")),
    ):  # fmt: skip
        clock.advance(pause)
        ids.append(alerts.note([found], ways=BOTH))
        told(journal, ways)
    assert ids == [1, 0, 0, 0, 0, 1]
    assert (words(hook), len(set(hook.ids))) == (["Trouble a."] * 2, 2)


def test_what_nobody_looked_at_is_not_over(journal: Journal, clock: Clock) -> None:
    alerts = AlertLog(journal.database, "sandbox")
    assert (alerts.note([trouble("a")], ways=BOTH), alerts.note([Known("nights ")], ways=BOTH)) == (1, 0)
    clock.advance(2 * SAME_TROUBLE)
    assert alerts.note([trouble("a")], ways=BOTH) == 0


def test_a_way_that_is_down_is_told_once_up(journal: Journal, by_both: Settings, mailbox: Mailbox, hook: Hook) -> None:
    mailbox.says["MAIL"] = "421 not now"
    alerts, ways = AlertLog(journal.database, "sandbox"), ways_of(by_both)
    for name in ("a", "b"):
        alerts.note([trouble("a", name)], ways=BOTH)
        assert told(journal, ways) == Delivered({"webhook": 1}, {"mail": "the mail server answered 421"})
    assert mailbox.in_the_open.count("STARTTLS") == 2  # once for each look, not for each message
    alerts.note([trouble()], ways=BOTH)  # it is over before anybody could be mailed
    mailbox.says.clear()
    assert [told(journal, ways) for _ in range(2)] == [Delivered({"mail": 2}), Delivered()]
    assert words(hook) == ["Trouble a.", "Trouble b."]
    assert len({mail["Message-ID"] for mail in mailbox.mails}) == 2


def test_a_way_configured_later_gets_no_old_ones(journal: Journal, by_both: Settings, hook: Hook) -> None:
    AlertLog(journal.database, "sandbox").note([trouble("a")], ways=["mail"])
    told(journal, ways_of(by_both))
    assert hook.posts == []


def test_while_another_program_tells_this_does_not(journal: Journal, by_both: Settings, hook: Hook) -> None:
    AlertLog(journal.database, "sandbox").note([trouble("a")], ways=BOTH)
    with Leases(journal.database).taken("alerts sandbox", lasts=timedelta(minutes=1)):
        assert told(journal, ways_of(by_both)) == Delivered(elsewhere=True)
    assert hook.posts == []
    assert told(journal, ways_of(by_both)).taken == {"mail": 1, "webhook": 1}


@pytest.fixture
def machine(by_mail: dict[str, Any], by_hook: dict[str, Any], ca_file: str, journal_url: str) -> dict[str, Any]:
    """What a program of its own is told."""
    open_journal(journal_url).close()
    return {**by_mail, **by_hook, "alert_ca_file": ca_file, "journal_url": journal_url}


@pytest.mark.both_databases
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.long)])
def test_two_machines_tell_the_same_once(rounds: int, machine: dict[str, Any], mailbox: Mailbox, hook: Hook) -> None:
    start = PROCESSES.Barrier(2)
    first, second = (running(tell_rounds, machine, rounds, start) for _ in range(2))
    with first as (_, one), second as (_, two):
        assert (one.recv(), two.recv()) == ("finished", "finished")
    assert Counter(words(hook)) == Counter(f"Trouble {number}." for number in range(rounds))
    mailed = Counter(mail["Message-ID"] for mail in mailbox.mails)
    assert mailed == Counter(f"<{message_id}@shop.example>" for message_id in hook.ids)


@pytest.mark.parametrize(("when", "times"), [("before", 1), ("after", 2)])
def test_a_program_that_is_killed_while_it_tells_loses_nothing_and_what_goes_out_twice_has_one_id(
    *, when: str, times: int, machine: dict[str, Any], journal: Journal, by_both: Settings, hook: Hook
) -> None:
    only_hook = {name: value for name, value in machine.items() if not name.startswith(("smtp", "alert_mail"))}
    with running(tell_and_stop, only_hook, when) as (_, progress):
        assert progress.recv() == f"stands still {when}"
    assert [told(journal, ways_of(by_both)) for _ in range(2)] == [Delivered({"webhook": 1}), Delivered()]
    assert (len(hook.ids), len(set(hook.ids))) == (times, 1)


HALF_AN_HOUR = timedelta(minutes=30)


@pytest.fixture
def attempt(intent: MakeIntent) -> Attempt:
    return intent(order_id="ada@example.com").attempt(1, mark="beef")


def ended(attempt: Attempt, state: AttemptState, kind: str = "", **given: object) -> Attempt:
    failure = Failure(kind, attempt.operation, attempt.attempt_id, 401, True, ("ada.buyer@example.com",))
    values = {"attempt_id": uuid4().hex, "state": state, "failure": failure if kind else None, **given}
    return replace(attempt, **values)  # type: ignore[arg-type]


def test_an_entry_is_told_once_it_was_unknown_for_as_long_as_set(attempt: Attempt, clock: Clock) -> None:
    silent = ended(attempt, AttemptState.UNKNOWN)
    answered = ended(attempt, AttemptState.UNKNOWN, finished_at=clock.now + timedelta(hours=1))
    assert unknown_entries([silent, answered], now=clock.now + PATIENCE + HALF_AN_HOUR, after=HALF_AN_HOUR).alerts == ()
    clock.advance(timedelta(hours=1, minutes=29))
    (alert,) = unknown_entries([silent, answered], now=clock.now, after=HALF_AN_HOUR).alerts
    assert alert.words.startswith("An order has had no answer since 21 Nov 2026, 10:0")
    assert f"(reference {silent.attempt_id})" in alert.words
    assert alert.key == f"unknown {silent.attempt_id}"
    assert "ada.buyer" not in alert.words + alert.key


def test_an_operation_is_told_while_its_newest_entry_was_refused_with_401(attempt: Attempt) -> None:
    refused = ended(attempt, AttemptState.REFUSED, "CredentialRefused")
    sale = ended(attempt, AttemptState.REFUSED, "CredentialRefused", operation="record_sale")
    checkout = ended(attempt, AttemptState.REFUSED, "RequestRefused", operation="notify_checkout")
    on_its_way, untried = ended(attempt, AttemptState.SENDING), ended(attempt, AttemptState.QUEUED)
    alerts = refused_entries([on_its_way, untried, refused, checkout, sale, refused]).alerts
    assert [alert.key for alert in alerts] == ["refused submit_order", "refused record_sale"]
    for alert, what, entry in zip(alerts, ("An order", "A sale"), (refused, sale), strict=True):
        assert alert.words.startswith(f"{what} was refused with 401 on 21 Nov 2026, 10:00 UTC")
        assert entry.attempt_id in alert.words
        assert "ada.buyer" not in alert.words + alert.key
    for later in (AttemptState.DONE, AttemptState.UNKNOWN):
        assert refused_entries([ended(attempt, later), refused]).alerts == ()


def test_waiting_orders_are_told_as_one_trouble_once_the_oldest_waited_half_an_hour(clock: Clock) -> None:
    since = clock.now
    assert orders_wait(Queue(0, None), now=clock.now).alerts == ()
    clock.advance(HALF_AN_HOUR)
    assert orders_wait(Queue(2, since), now=clock.now).alerts == ()
    clock.advance(timedelta(minutes=1))
    (one,), (many,) = (orders_wait(Queue(length, since), now=clock.now).alerts for length in (1, 1200))
    assert one.key == many.key
    assert one.words.startswith("1 order has waited for the service since 21 Nov 2026, 10:00 UTC")
    assert many.words.startswith("1,200 orders have waited for the service, the oldest since 21 Nov 2026")
    assert "their customers' links do not work yet" in many.words


def test_each_machines_token_is_told_by_its_name_and_products_that_claim_more_each_for_itself() -> None:
    here, there = (token("private", SecretStr(f"planted-{place}"), refused=True) for place in ("here", "there"))
    assert here.scope != there.scope
    assert here.alerts[0].words.startswith("The service no longer accepts this shop's private token (401).")
    assert "planted" not in str(here)
    assert "no claim can be read" in token("public", SecretStr("x"), refused=True).alerts[0].words
    assert token("private", SecretStr("x"), refused=False).alerts == ()
    names = ["Lemon juicer", "Lemon juicer 2", "\x00", "x" * 100_000, "\ud800"]
    known = early_warnings({name: f"{name}: 40 claims, expected 20." for name in names})
    assert len({alert.key for alert in known.alerts}) == len(names)
    assert known.alerts[0].words == "Lemon juicer: 40 claims, expected 20."
    assert max(len(alert.key + alert.words) for alert in known.alerts) < 700
    assert all(alert.words.isprintable() for alert in known.alerts)


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
    mailbox.says |= {"owner@shop.example": "no", "QUIT": ""}  # and a server that breaks off after a mail has taken it
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


def test_of_a_message_of_many_alerts_a_letter_tells_the_first_fifty_and_how_many_more() -> None:
    alerts = [Alert("entry-unknown", f"unknown {number}", f"Trouble {number}.") for number in range(52)]
    message = Message("5f3b", utc_now(), (*alerts, Alert("token-refused", "token", "The token.")), frozenset())
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


def test_a_file_gets_a_line_for_each_letter(settings: MakeSettings, tmp_path: Path) -> None:
    path = tmp_path / "alerts.jsonl"
    (way,) = ways_of(settings(alert_file=str(path)))
    way.send(LETTER)
    way.send(LETTER)
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
    letter = letter_of(Message("5f3b", utc_now(), (alert,), frozenset()), shop=shop, environment="sandbox")
    who = {"alert_mail_to": "a@shop.example", "smtp_host": "localhost", "smtp_from": "desk@shop.example"}
    mail = Mail(load_settings(who))._mail(letter)
    assert ("bcc" in {name.lower() for name in mail}, "eve" in str(mail["To"])) == (False, False)
    assert "\n" not in letter.title + alert.words
    assert (letter.title + alert.words).isprintable()
    assert "ada@example.com" not in mail.as_string() + json.dumps(letter.about)
    assert "617 555 0123" not in letter.text

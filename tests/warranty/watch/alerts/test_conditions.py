"""What is worth telling, and that nothing of a customer is told with it."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from pydantic import SecretStr

from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import PATIENCE, MakeIntent
from warranty.desk.journal import Attempt, AttemptState, Queue
from warranty.errors import Failure
from warranty.watch.alerts.watch import early_warnings, orders_wait, refused_entries, token, unknown_entries

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
    unknown_since = clock.now + PATIENCE
    known = unknown_entries([silent, answered], now=unknown_since + HALF_AN_HOUR, after=HALF_AN_HOUR)
    assert known.alerts == ()
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
    told = [orders_wait(Queue(length, since), now=clock.now).alerts for length in (1, 1200)]
    (one,), (many,) = told
    assert one.key == many.key
    assert one.words.startswith("1 order has waited for the service since 21 Nov 2026, 10:00 UTC")
    assert many.words.startswith("1,200 orders have waited for the service, the oldest since 21 Nov 2026")
    assert "their customers' links do not work yet" in many.words


def test_a_token_is_told_by_its_name_and_a_mark_and_each_machines_token_is_its_own_trouble() -> None:
    here, there = (token("private", SecretStr(f"planted-{place}"), refused=True) for place in ("here", "there"))
    assert here.scope != there.scope
    assert here.alerts[0].words.startswith("The service no longer accepts this shop's private token (401).")
    assert "planted" not in str(here)
    assert "no claim can be read" in token("public", SecretStr("x"), refused=True).alerts[0].words
    assert token("private", SecretStr("x"), refused=False).alerts == ()


def test_products_that_claim_more_are_told_each_for_itself_whatever_they_are_called() -> None:
    names = ["Lemon juicer", "Lemon juicer 2", "\x00", "x" * 100_000, "\ud800"]
    known = early_warnings({name: f"{name}: 40 claims, expected 20." for name in names})
    assert len({alert.key for alert in known.alerts}) == len(names)
    assert known.alerts[0].words == "Lemon juicer: 40 claims, expected 20."
    assert max(len(alert.key + alert.words) for alert in known.alerts) < 700
    assert all(alert.words.isprintable() for alert in known.alerts)

"""Connection: the environment, both tokens, the last calls, the words of claims' statuses, the trainer's controls."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from streamlit.testing.v1 import AppTest

from components.words.days import service_today
from sandbox import CLOSED_STATUSES, SandboxServer
from tests.builders import LAPTOP, MANAGER, STAFF, TV, order_of
from tests.components.stage import Stage, StageWith, press, words
from tests.waiting import until
from tests.warranty.watch.alerts.receivers import SECRET, hook_receiver
from warranty import VERSION
from warranty.claims.analysis import Period
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.desk.journal import AttemptState


@pytest.fixture
def sandbox(sandbox: SandboxServer) -> SandboxServer:
    sandbox.reset("empty")
    return sandbox


def test_all_is_well_is_said_first_no_token_is_shown_and_the_last_calls_have_their_reference(stage: Stage) -> None:
    screen = stage.screen("connection")
    (first,) = screen.success
    assert "Connected." in first.value
    assert first.value.count("token in") == 2
    told, at = words(screen), stage.sandbox
    assert [part for part in ("sandbox", at.base_url) if part not in told] == []
    assert [token for token in (at.private_token, at.public_token) if token in told] == []
    stage.screen("connection")
    frame = stage.screen("connection").dataframe[0].value
    assert set(frame["Call"]) == {"Checking the tokens", "Reading claims"}
    assert set(frame["Code"]) == {"verify_credentials 200", "claims 200"}
    assert set(frame["Outcome"]) == {"Done"}
    assert frame["Reference for support"].str.len().eq(32).all()


def test_what_is_left_to_check_is_counted_and_leads_to_activity(stage: Stage) -> None:
    stage.sell(fault="drop_after_write")
    screen = stage.screen("connection", operator=MANAGER)
    assert not screen.success
    assert "1 to check" in words(screen)
    assert [button.label for button in screen.button if "Activity" in button.label] == ["Check in Activity"]


def test_an_operator_reads_version_journal_people_and_timeouts(stage: Stage, tmp_path: Path) -> None:
    told = words(stage.screen("connection", operator=MANAGER))
    of_all = (
        f"Warranty Desk {VERSION}", str(tmp_path / "journal.sqlite3"), "as this program makes it",
        "3 people: 1 administrator, 1 manager, 1 staff", "5 s for a connection, 20 s for an answer",
    )  # fmt: skip
    assert [part for part in of_all if part not in told] == []


def test_staff_read_no_manager_warning_and_a_token_nobody_judged_is_not_called_bad(stage_with: StageWith) -> None:
    bare = stage_with(purchase_warranties_path=None)
    named = "WARRANTY_PURCHASE_WARRANTIES_PATH"
    assert named not in words(bare.screen("connection", operator=STAFF))
    assert named in words(bare.screen("connection", operator=MANAGER))
    told = words(stage_with(base_url="https://127.0.0.1:9").screen("connection"))
    assert told.count("not checked, since the service could not be reached") == 2
    assert "not accepted" not in told


def test_a_token_that_is_not_recognised_is_told_with_what_to_do_and_the_services_words(stage: Stage) -> None:
    stage.sandbox.add_fault(operation="verify_credentials", kind="status", status=401)
    told = words(stage.screen("connection"))
    said = ("Private token: not accepted", "Accepted: public token in", "What to do", "Reference for support")
    assert [part for part in said if part not in told] == []


def test_tokens_are_checked_when_the_screen_opens_and_when_asked_not_at_every_redraw(stage: Stage) -> None:
    screen = stage.screen("connection", operator=MANAGER)
    press(screen, "Add fault").run()
    assert len(stage.calls("verify_credentials")) == 1
    press(screen, "Check again")
    assert len(stage.calls("verify_credentials")) == 2


def test_a_trainer_lets_the_next_order_fail_and_resets_the_sandbox_and_staff_are_not_asked(stage: Stage) -> None:
    screen = stage.screen("connection", operator=MANAGER)
    press(screen, "Add fault")
    assert "Waiting: Sending an order answers 500, for the next 3 calls" in words(screen)
    assert stage.send(order_of(TV)).state is AttemptState.QUEUED, "as it stands there, for all repeats"
    assert "Sandbox" not in [heading.value for heading in stage.screen("connection", operator=STAFF).header]
    screen = stage.screen("connection", operator=MANAGER)
    assert "The sandbox is reset" in words(press(screen, "Yes, reset it"))
    assert "The sandbox is reset" not in words(screen.run())


def test_the_sandboxs_next_day_is_the_desks_until_a_reset(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(utc_now, "ahead", timedelta())
    days = [service_today() + timedelta(days=ahead) for ahead in range(3)]
    stage.send(order_of(TV))
    screen = press(press(stage.screen("connection", operator=MANAGER), "Next day"), "Next day")
    assert "This desk goes with it" in words(screen)
    sent = stage.send(order_of(LAPTOP))
    assert sent.state is AttemptState.DONE
    assert [service_today(), sent.started_at.date()] == [days[2], days[2]]
    (listed,) = stage.screen("activity", operator=MANAGER, query={"days": "today"}).dataframe
    assert list(listed.value["Items"]) == ["Laptop 14in"], "what was sent today"
    assert "1 order · 0 sales" in words(stage.screen("shift_report", operator=MANAGER))
    stage.sandbox.add_claims([{"claim_date": f"{days[2]}T09:00:00"}])
    assert "1 claim · 0 open" in words(stage.screen("claims", operator=MANAGER, query={"period": "today"}))
    of_all: dict[str, Any] = {"operator": MANAGER, "query": {"period": "all"}}
    assert "1 claim" in words(stage.screen("claims", **of_all))
    press(stage.screen("connection", operator=MANAGER), "Yes, reset it")
    assert [service_today(), stage.runtime.desk.now().date()] == [days[0], days[0]]
    assert "1 claim" not in words(stage.screen("claims", **of_all)), "what was read tomorrow is not as of today"


def test_a_day_that_another_desk_moved_the_sandbox_to_is_ours(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(utc_now, "ahead", timedelta())
    assert stage.runtime.service.sandbox
    tomorrow = service_today() + timedelta(days=1)
    stage.sandbox.set_clock(utc_now() + timedelta(days=1))
    following = stage.runtime.service.sandbox.following()
    until(lambda: service_today() == tomorrow)
    following.stop(timeout=5)


def test_ways_of_alerts_are_named_and_the_desk_tells_of_a_refused_token(stage: Stage, stage_with: StageWith) -> None:
    assert "no way is configured" in words(stage.screen("connection"))
    with hook_receiver(None) as hook:
        given = {"alert_webhook": hook.url, "alert_webhook_secret": SECRET, "private_token": "of-last-year"}
        telling = stage_with(**given)
        assert hook.taken.wait(timeout=20)
        watching = telling.runtime.process.watching
        assert watching is not None
        watching.stop()
        told = words(telling.screen("connection"))
    assert "private token (401)" in hook.posts[0]["text"]
    assert "webhook; last told " in told
    assert "planted-in-the-address" not in told


def test_a_manager_reads_what_the_service_does_beyond_its_document(stage: Stage) -> None:
    stage.sandbox.add_fault(operation="submit_order", kind="extra_field")
    stage.send(order_of(TV))
    screen = stage.screen("connection", operator=MANAGER)
    titles = [expander.label for expander in screen.expander]
    (drift,) = [title for title in titles if title.startswith("What the service does beyond its document")]
    assert not drift.endswith("(0)")
    tables = "\n".join(str(frame.value.to_dict()) for frame in screen.dataframe)
    assert "added_without_notice: object" in tables
    assert len(screen.get("download_button")) == 1
    of_staff = stage.screen("connection", operator=STAFF)
    assert not [each.label for each in of_staff.expander if "service does" in each.label]
    assert of_staff.get("download_button") == []


TODAY: Final = datetime.now(UTC).date()
LAST_90_DAYS: Final = Period(TODAY - timedelta(days=89), TODAY)


def listed(test: AppTest) -> dict[str, str]:
    table = next(each.value for each in test.dataframe if "Counted as" in each.value)
    return dict(zip(table["Status"], table["Counted as"], strict=True))


def test_before_a_reading_the_closed_words_are_told_and_claims_read_only_when_asked(stage: Stage) -> None:
    stage.sandbox.reset("demo")
    screen = stage.screen("connection")
    assert f"Closed: {', '.join(CLOSED_STATUSES)}. Any other word is counted as open." in words(screen)
    assert len(stage.calls("claims")) == 1, "the check of the public token"
    press(screen, "Read the claims of the last 90 days")
    stage.runtime.claims.wait(ClaimQuery(claim_dates=LAST_90_DAYS.times), longest=timedelta(seconds=20))
    counted = listed(screen.run())
    assert len(stage.calls("claims")) > 1
    assert {word for word, kind in counted.items() if kind == "closed"} == set(CLOSED_STATUSES)
    assert {"OPEN", "IN_REVIEW", "AWAITING_PARTS", "Awaiting customer"} <= set(counted)


def test_the_words_last_read_are_listed_with_counts_but_not_one_customers_claims(stage: Stage) -> None:
    stage.sandbox.reset("demo")
    readings = stage.runtime.claims
    for query in (ClaimQuery(), ClaimQuery(customer_email="ada.byron@example.com")):
        readings.start(query, viewer="a tab")
        readings.wait(query, longest=timedelta(seconds=20))
    screen = stage.screen("connection")
    table = next(each.value for each in screen.dataframe if "Counted as" in each.value)
    assert table["Claims"].sum() == 480
    assert table["Claims"].is_monotonic_decreasing
    assert "Of the 480 claims of any date" in words(screen).replace("\\", "")

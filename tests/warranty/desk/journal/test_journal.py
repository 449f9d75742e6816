"""The journal by itself, on both databases: the guard, the states, what nobody changes; drafts, and whose they are."""

import csv
import io
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.builders import MANAGER, NOON, STAFF
from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import PATIENCE, MakeIntent, activity_of, becomes, ended
from tests.warranty.desk.journal.test_shift_report import entry, plan
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState, Drafts, ItemLine, Journal, Outcome
from warranty.desk.journal.entries import Result, Settlement
from warranty.desk.journal.export import attempts_csv
from warranty.errors import AvailablePlan, Failure
from warranty.people.audit import AuditKind, AuditTrail, By


def test_the_same_draft_may_be_sent_once(journal: Journal, intent: MakeIntent) -> None:
    first, second = intent(draft_id="d"), intent(draft_id="d")
    assert journal.begin(first).may_send
    begun = journal.begin(second)
    assert (begun.may_send, begun.attempt) == (False, first.attempt())
    assert journal.attempt("sandbox", second.attempt_id) is None


@pytest.mark.both_databases
def test_of_many_tabs_at_once_one_may_send(journal: Journal, intent: MakeIntent) -> None:
    tabs, drafts = 6, 4
    together = Barrier(tabs)

    def click(draft: int) -> bool:
        together.wait()
        return journal.begin(intent(draft_id=f"d{draft}")).may_send

    with ThreadPoolExecutor(tabs) as threads:
        for draft in range(drafts):
            assert sorted(threads.map(click, [draft] * tabs)) == [False] * (tabs - 1) + [True]


@pytest.mark.parametrize("state", [AttemptState.REFUSED, AttemptState.NOT_SENT])
def test_a_draft_that_wrote_nothing_is_sent_again(journal: Journal, intent: MakeIntent, state: AttemptState) -> None:
    refused = ended(journal, intent(draft_id="d"), state)
    assert not journal.begin(intent(draft_id="d")).may_send  # without naming what it corrects
    corrected, late_tab = intent(draft_id="d"), intent(draft_id="d")
    begun = journal.begin(corrected, corrects=refused.attempt_id)
    assert (begun.may_send, begun.attempt.revision) == (True, 2)
    again = journal.begin(late_tab, corrects=refused.attempt_id)
    assert (again.may_send, again.attempt.attempt_id) == (False, corrected.attempt_id)
    becomes(journal, corrected, AttemptState.REFUSED)
    # A tab that still shows the first refusal corrects what it does not know: it is shown the second one instead.
    assert not journal.begin(late_tab, corrects=refused.attempt_id).may_send


def test_an_attempt_is_corrected_once_its_draft_was_sent_again(journal: Journal, intent: MakeIntent) -> None:
    refused = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
    other = ended(journal, intent(draft_id="other"), AttemptState.NOT_SENT)
    assert activity_of(journal).corrected(STAFF, [refused, other]) == frozenset()
    begun = journal.begin(intent(draft_id="d"), corrects=refused.attempt_id)
    assert activity_of(journal).corrected(STAFF, [begun.attempt, refused, other]) == {refused.attempt_id}
    assert activity_of(journal, "staging").corrected(STAFF, [refused]) == frozenset()
    assert activity_of(journal).corrected(STAFF, []) == frozenset()


@pytest.mark.both_databases
def test_what_is_being_sent_again_at_this_moment_is_not_dropped(journal: Journal, intent: MakeIntent) -> None:
    refused = ended(journal, intent(draft_id="d", order_id="a"), AttemptState.REFUSED)
    word = Settlement(False, "mo", "Mo Winter", journal.database.clock(), drops=True)
    drop = Outcome(state=AttemptState.REFUSED, recorded_at=journal.database.clock(), settled=word)
    with ThreadPoolExecutor(1) as somebody:
        dropping: list[Future[tuple[Attempt, bool]]] = []

        def meanwhile(_new: object, _earlier: object) -> None:
            dropping.append(somebody.submit(journal.advance, refused.attempt_id, drop))
            wait(dropping, timeout=0.5)  # it ends at once, or waits for the sending

        again = intent(draft_id="d", order_id="a")
        assert journal.begin(again, corrects=refused.attempt_id, check=meanwhile).may_send
        assert dropping[0].result() == (refused, False)


@pytest.mark.both_databases
def test_of_many_corrections_at_once_one_may_send(journal: Journal, intent: MakeIntent) -> None:
    tabs = 6
    together = Barrier(tabs)

    def click(refused: str) -> bool:
        together.wait()
        return journal.begin(intent(draft_id="d"), corrects=refused).may_send

    newest = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
    with ThreadPoolExecutor(tabs) as threads:
        for _ in range(4):
            assert sorted(threads.map(click, [newest.attempt_id] * tabs)) == [False] * (tabs - 1) + [True]
            found = activity_of(journal).attempt_of(MANAGER, "d")
            assert found is not None
            newest = becomes(journal, found, AttemptState.REFUSED)


@pytest.mark.parametrize(("state", "order_id"), [
    (AttemptState.DONE, "a"), (AttemptState.UNKNOWN, "a"), (AttemptState.REFUSED, "of the next customer"),
])  # fmt: skip
def test_what_may_have_written_stays(journal: Journal, intent: MakeIntent, state: AttemptState, order_id: str) -> None:
    first = ended(journal, intent(draft_id="d", order_id="a"), state)
    assert not journal.begin(intent(draft_id="d", order_id=order_id), corrects=first.attempt_id).may_send
    assert activity_of(journal).corrected(STAFF, [first]) == frozenset()


def test_an_attempt_is_unknown_after_its_deadline(journal: Journal, clock: Clock, intent: MakeIntent) -> None:
    left = intent()
    journal.begin(left)
    clock.advance(PATIENCE - timedelta(seconds=1))
    for state in (AttemptState.SENDING, AttemptState.UNKNOWN):
        attempt = journal.attempt("sandbox", left.attempt_id)
        assert (attempt and attempt.state) is state
        for asked in (AttemptState.SENDING, AttemptState.UNKNOWN):
            states = AttemptFilter(states=frozenset({asked}))
            assert journal.attempts("sandbox", states) == [attempt] * (asked is state)
        clock.advance(timedelta(seconds=1))


@pytest.mark.both_databases
def test_an_attempt_survives_as_a_whole(journal: Journal, journal_url: str, clock: Clock, intent: MakeIntent) -> None:
    items = (
        ItemLine(
            "Écran 55 pouces", "TV-55", 2, Decimal("1299.00"), term_months=24, warranty_price=Decimal("79.90"),
            warranty_type="Extended", line_item_id=3, warranty_offer_id="0a4b", members=("TV-55", "MOUNT"),
        ),
        ItemLine("", "", 1),
    )  # fmt: skip
    plans = (AvailablePlan(12, "Extended"),)
    failure = Failure("RequestRefused", "record_sale", "x", 400, True, ("24 months is not offered",), plans)
    settled = Settlement(True, "mo", "Mo Winter", clock(), "seen in the portal")
    begun = intent(operation="record_sale", items=items)
    written = ended(
        journal, begun, AttemptState.DONE, landing_url="https://x/carts/é", warrantable_products=False,
        already_known=True, returned_id="64fa", failure=failure, settled=settled,
    )  # fmt: skip
    with closing(open_journal(journal_url, clock=clock)) as reopened:
        read = reopened.attempt("sandbox", begun.attempt_id)
    assert read is not None
    assert (read, read.items, read.failure, read.settled) == (written, items, failure, settled)
    link = (read.result.landing_url, read.result.warrantable_products, read.result.already_known)
    assert link == ("https://x/carts/é", False, True)
    assert (read.started_at, read.finished_at) == (begun.started_at, clock())


def test_what_it_takes_to_settle_is_kept_until_settled(journal: Journal, intent: MakeIntent) -> None:
    begun = intent()
    journal.begin(begun)
    assert journal.body_of(begun.attempt_id) == begun.body
    becomes(journal, begun, AttemptState.UNKNOWN)
    assert journal.body_of(begun.attempt_id) == begun.body
    journal.advance(begun.attempt_id, Outcome(state=AttemptState.DONE, recorded_at=journal.database.clock()))
    assert journal.body_of(begun.attempt_id) is None


@pytest.mark.both_databases
def test_of_two_who_settle_at_once_one_does(journal: Journal, intent: MakeIntent) -> None:
    begun = intent()
    ended(journal, begun, AttemptState.UNKNOWN)
    people = 6
    together = Barrier(people)

    def settle(number: int) -> tuple[Attempt, bool]:
        together.wait()
        settlement = Settlement(bool(number % 2), f"p{number}", "P", journal.database.clock())
        state = AttemptState.DONE if settlement.recorded else AttemptState.NOT_SENT
        outcome = Outcome(state=state, recorded_at=journal.database.clock(), settled=settlement)
        return journal.advance(begun.attempt_id, outcome)

    with ThreadPoolExecutor(people) as threads:
        answers = list(threads.map(settle, range(people)))
    assert sum(mine for _, mine in answers) == 1
    assert len({attempt.settled for attempt, _ in answers}) == 1


def test_an_answer_after_a_settlement_decides(journal: Journal, clock: Clock, intent: MakeIntent) -> None:
    begun = intent()
    journal.begin(begun)
    clock.advance(PATIENCE)
    settlement = Settlement(False, "mo", "Mo Winter", clock())
    settled = Outcome(state=AttemptState.NOT_SENT, recorded_at=clock(), settled=settlement)
    journal.advance(begun.attempt_id, settled)
    assert becomes(journal, begun, AttemptState.UNKNOWN).settled == settlement
    assert becomes(journal, begun, AttemptState.DONE, returned_id="64fa").result.returned_id == "64fa"


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "change", ["attempts SET order_id = 'x'", "outcomes SET state = 'done'", "audit SET username = 'somebody'"]
)
def test_the_record_cannot_be_changed(journal: Journal, intent: MakeIntent, change: str) -> None:
    ended(journal, intent(), AttemptState.DONE)
    AuditTrail(journal.database, "sandbox").note(AuditKind.SIGN_IN, By("dana", "staff"))
    engine = journal.database.engine
    with pytest.raises(DBAPIError, match="never changed"), engine.begin() as connection:
        connection.execute(text(f"UPDATE {change}"))


@pytest.mark.parametrize(("sold", "months", "until"), [
    (date(2026, 11, 27), 24, date(2028, 11, 27)), (date(2026, 8, 31), 6, date(2027, 2, 28)),
    (date(2028, 2, 29), 12, date(2029, 2, 28)), (date(2026, 12, 1), 1, date(2027, 1, 1)),
    (date(2026, 11, 27), None, None), (date(2026, 11, 27), 99_999, None),
])  # fmt: skip
def test_a_plan_covers_to_the_same_day_of_its_last_month(sold: date, months: int | None, until: date | None) -> None:
    assert ItemLine("TV", "TV", 1, term_months=months).covered_until(sold) == until


def rows(*attempts: Attempt) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(attempts_csv(attempts).decode())))


def test_each_line_that_was_sent_has_a_row_and_an_attempt_without_lines_one_with_its_settlement() -> None:
    sale = entry("record_sale", "0001", plan(24, "79.90"), replace(plan(12, "5.00", 3), title="Lamp"))
    television, lamp = rows(replace(sale, result=Result(returned_id="64fa")))
    assert (television["order_id"], television["term_months"]) == ("0001", "24")
    assert (television["warranty_price"], television["started_at"]) == ("79.90", "2026-11-21T12:00:00+00:00")
    assert (lamp["title"], lamp["quantity"], lamp["returned_id"]) == ("Lamp", "3", "64fa")
    failure = Failure("RequestRefused", "record_sale", "a", 400, True, ("First.", "Second."))
    unsent = replace(entry("record_sale"), state=AttemptState.NOT_RECORDED)
    (row,) = rows(replace(unsent, settled=Settlement(False, "manager", "Maya", NOON), failure=failure))
    assert (row["state"], row["settled_by_name"]) == ("not_recorded", "Maya")
    assert (row["settled_as"], row["service_words"]) == ("not recorded", "First.; Second.")


def test_nothing_in_it_runs_in_a_spreadsheet() -> None:
    evil = replace(plan(24, "1.00"), title="=HYPERLINK(1)", product_id="@SUM(A1)", price=Decimal("2.00"))
    (row,) = rows(replace(entry("record_sale", "+1-2", evil), operator_name="-2+3"))
    cells = (row["title"], row["product_id"], row["order_id"], row["operator_name"])
    assert cells == ("'=HYPERLINK(1)", "'@SUM(A1)", "'+1-2", "'-2+3")


class TestDrafts:
    def save(self, journal: Journal, draft_id: str, **content: Any) -> bool:
        return Drafts(journal.database, "sandbox", "dana", "s").save(draft_id, content)

    def load(self, journal: Journal, username: str = "dana") -> tuple[str, dict[str, Any]] | None:
        drafts = Drafts(journal.database, "sandbox", username, "s").all()
        return (drafts[0].draft_id, drafts[0].content) if drafts else None

    def test_drafts_are_ones_own_and_stand_newest_first(self, journal: Journal, clock: Clock) -> None:
        assert self.save(journal, "a", zip="02134")
        clock.advance(timedelta(seconds=1))
        assert self.save(journal, "b", zip="02135", lines=[{"title": "Café"}])
        assert self.load(journal) == ("b", {"zip": "02135", "lines": [{"title": "Café"}]})
        clock.advance(timedelta(seconds=1))
        assert self.save(journal, "a", zip="02136")
        assert self.load(journal) == ("a", {"zip": "02136"})
        assert self.load(journal, username="eli") is None

    @pytest.mark.parametrize("state", [AttemptState.UNKNOWN, None])
    def test_what_is_open_stays_as_sent(self, journal: Journal, intent: MakeIntent, state: AttemptState | None) -> None:
        self.save(journal, "d", email="ada@example.com")
        sent = intent(draft_id="d")
        journal.begin(sent)
        if state:
            becomes(journal, sent, state)
        assert not self.save(journal, "d", email="other@example.com"), "another tab still shows the form"
        assert self.load(journal) == ("d", {"email": "ada@example.com"})

    def test_a_draft_stays_until_done_and_is_then_gone(self, journal: Journal, intent: MakeIntent) -> None:
        self.save(journal, "d", first_name="Ada")
        refused = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
        assert self.load(journal) is not None
        corrected = intent(draft_id="d")
        journal.begin(corrected, corrects=refused.attempt_id)
        becomes(journal, corrected, AttemptState.UNKNOWN)
        assert self.load(journal) is not None
        becomes(journal, corrected, AttemptState.DONE)
        assert self.load(journal) is None
        assert not self.save(journal, "d", first_name="Ada")  # another tab still shows the form
        assert self.load(journal) is None
        assert self.save(journal, "next", first_name="Bo")

    def test_a_discarded_draft_is_gone_and_nobody_discards_anothers(self, journal: Journal) -> None:
        self.save(journal, "d", first_name="Ada")
        Drafts(journal.database, "sandbox", "eli", "s").discard("d")
        Drafts(journal.database, "sandbox", "dana", "s").discard("never seen")
        assert self.load(journal) == ("d", {"first_name": "Ada"})
        Drafts(journal.database, "sandbox", "dana", "s").discard("d")
        assert self.load(journal) is None

"""The journal by itself, on both databases: the guard, the states, what is found, and what is erased."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from tests.journal.conftest import Clock
from warranty.errors import AvailablePlan, Failure
from warranty.journal import (
    Attempt,
    AttemptFilter,
    AttemptState,
    Intent,
    ItemLine,
    Journal,
    Outcome,
    Settlement,
    open_journal,
)

PATIENCE = timedelta(seconds=30)
MakeIntent = Callable[..., Intent]


@pytest.fixture
def intent(clock: Clock) -> MakeIntent:
    def make(**given: Any) -> Intent:
        defaults: dict[str, Any] = {
            "attempt_id": uuid4().hex,
            "draft_id": uuid4().hex,
            "operation": "submit_order",
            "username": "dana",
            "operator_name": "Dana Fields",
            "screen": "submit_order",
            "environment": "sandbox",
            "order_id": uuid4().hex,
            "started_at": clock(),
            "deadline": clock() + PATIENCE,
            "items": (ItemLine("Arc floor lamp", "LAMP-1", 2, Decimal("89.50"), line_item_id=1),),
            "body": {"billing_address": {"email": "ada@example.com"}},
        }
        return Intent(**{**defaults, **given})

    return make


def ended(journal: Journal, begun: Intent, state: AttemptState, **known: Any) -> Attempt:
    assert journal.begin(begun).may_send
    return journal.conclude(begun.attempt_id, Outcome(state=state, recorded_at=journal.now(), **known))


def test_the_same_draft_may_be_sent_once(journal: Journal, intent: MakeIntent) -> None:
    first, second = intent(draft_id="d"), intent(draft_id="d")
    assert journal.begin(first).may_send
    begun = journal.begin(second)
    assert not begun.may_send
    assert begun.attempt == first.attempt()
    assert journal.attempt("sandbox", second.attempt_id) is None


def test_of_many_tabs_at_once_one_may_send(journal: Journal, intent: MakeIntent) -> None:
    tabs, drafts = 8, 12
    together = Barrier(tabs)

    def click(draft: int) -> bool:
        together.wait()
        return journal.begin(intent(draft_id=f"d{draft}")).may_send

    with ThreadPoolExecutor(tabs) as threads:
        for draft in range(drafts):
            assert sorted(threads.map(click, [draft] * tabs)) == [False] * (tabs - 1) + [True]


@pytest.mark.parametrize("state", [AttemptState.REFUSED, AttemptState.NOT_SENT])
def test_a_draft_that_wrote_nothing_is_corrected_and_sent_once_more(
    journal: Journal, intent: MakeIntent, state: AttemptState
) -> None:
    refused = ended(journal, intent(draft_id="d"), state)
    assert not journal.begin(intent(draft_id="d")).may_send  # without naming what it corrects
    corrected, late_tab = intent(draft_id="d"), intent(draft_id="d")
    begun = journal.begin(corrected, corrects=refused.attempt_id)
    assert begun.may_send
    assert begun.attempt.revision == 2
    again = journal.begin(late_tab, corrects=refused.attempt_id)
    assert not again.may_send
    assert again.attempt.attempt_id == corrected.attempt_id
    journal.conclude(corrected.attempt_id, Outcome(state=AttemptState.REFUSED, recorded_at=journal.now()))
    # A tab that still shows the first refusal corrects what it does not know: it is shown the second one instead.
    assert not journal.begin(late_tab, corrects=refused.attempt_id).may_send


def test_an_attempt_counts_as_corrected_once_its_draft_was_sent_again(
    journal: Journal, intent: MakeIntent
) -> None:
    refused = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
    other = ended(journal, intent(draft_id="other"), AttemptState.NOT_SENT)
    assert journal.corrected("sandbox", [refused, other]) == frozenset()
    begun = journal.begin(intent(draft_id="d"), corrects=refused.attempt_id)
    assert journal.corrected("sandbox", [begun.attempt, refused, other]) == {refused.attempt_id}
    assert journal.corrected("staging", [refused]) == frozenset()
    assert journal.corrected("sandbox", []) == frozenset()


def test_of_many_corrections_at_once_one_may_send(journal: Journal, intent: MakeIntent) -> None:
    tabs = 8
    together = Barrier(tabs)

    def click(refused: str) -> bool:
        together.wait()
        return journal.begin(intent(draft_id="d"), corrects=refused).may_send

    with ThreadPoolExecutor(tabs) as threads:
        for _ in range(8):
            newest = journal.attempt_of("sandbox", "d")
            if newest is None:
                newest = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
            assert sorted(threads.map(click, [newest.attempt_id] * tabs)) == [False] * (tabs - 1) + [True]
            sent = journal.attempt_of("sandbox", "d")
            assert sent is not None
            journal.conclude(sent.attempt_id, Outcome(state=AttemptState.REFUSED, recorded_at=journal.now()))


@pytest.mark.parametrize("state", [AttemptState.DONE, AttemptState.UNKNOWN])
def test_a_draft_that_may_have_written_cannot_be_corrected(
    journal: Journal, intent: MakeIntent, state: AttemptState
) -> None:
    attempt = ended(journal, intent(draft_id="d"), state)
    assert not journal.begin(intent(draft_id="d"), corrects=attempt.attempt_id).may_send


def test_an_attempt_left_open_is_sending_until_its_deadline_and_unknown_afterwards(
    journal: Journal, clock: Clock, intent: MakeIntent
) -> None:
    left = intent()
    journal.begin(left)
    clock.advance(PATIENCE - timedelta(seconds=1))
    attempt = journal.attempt("sandbox", left.attempt_id)
    assert attempt is not None
    assert attempt.state is AttemptState.SENDING
    clock.advance(timedelta(seconds=1))
    attempt = journal.attempt("sandbox", left.attempt_id)
    assert attempt is not None
    assert attempt.state is AttemptState.UNKNOWN
    unknown = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}))
    assert journal.attempts("sandbox", unknown) == [attempt]
    assert journal.count("sandbox", AttemptFilter(states=frozenset({AttemptState.SENDING}))) == 0


def test_an_attempt_survives_with_all_that_is_known_of_it(
    journal: Journal, journal_url: str, clock: Clock, intent: MakeIntent
) -> None:
    items = (
        ItemLine(
            title="Écran 55 pouces",
            product_id="TV-55",
            quantity=2,
            price=Decimal("1299.00"),
            term_months=24,
            warranty_price=Decimal("79.90"),
            warranty_type="Extended",
            line_item_id=3,
            warranty_offer_id="0a4b",
            members=("TV-55", "MOUNT"),
        ),
        ItemLine("", "", 1),
    )
    failure = Failure(
        kind="RequestRefused",
        operation="record_sale",
        attempt_id="x",
        status=400,
        nothing_written=True,
        service_words=("24 months is not offered",),
        plans=(AvailablePlan(12, "Extended"),),
    )
    settled = Settlement(True, "mo", "Mo Winter", clock(), "seen in the portal")
    begun = intent(operation="record_sale", items=items)
    written = ended(
        journal,
        begun,
        AttemptState.DONE,
        landing_url="https://x/carts/é",
        warrantable_products=False,
        already_known=True,
        returned_id="64fa",
        failure=failure,
        settled=settled,
    )
    reopened = open_journal(journal_url, clock=clock)
    read = reopened.attempt("sandbox", begun.attempt_id)
    reopened.close()
    assert read == written
    assert read is not None
    assert (read.items, read.failure, read.settled) == (items, failure, settled)
    assert (read.landing_url, read.warrantable_products, read.already_known) == (
        "https://x/carts/é",
        False,
        True,
    )
    assert read.started_at == begun.started_at
    assert read.finished_at == clock()


def test_what_it_takes_to_settle_is_kept_until_settled(journal: Journal, intent: MakeIntent) -> None:
    begun = intent()
    journal.begin(begun)
    assert journal.body_of(begun.attempt_id) == begun.body
    journal.conclude(begun.attempt_id, Outcome(state=AttemptState.UNKNOWN, recorded_at=journal.now()))
    assert journal.body_of(begun.attempt_id) == begun.body
    journal.advance(begun.attempt_id, Outcome(state=AttemptState.DONE, recorded_at=journal.now()))
    assert journal.body_of(begun.attempt_id) is None


def test_of_two_who_settle_at_once_one_does(journal: Journal, intent: MakeIntent) -> None:
    begun = intent()
    ended(journal, begun, AttemptState.UNKNOWN)
    people = 6
    together = Barrier(people)

    def settle(number: int) -> tuple[Attempt, bool]:
        together.wait()
        settlement = Settlement(bool(number % 2), f"p{number}", "P", journal.now())
        state = AttemptState.DONE if settlement.recorded else AttemptState.NOT_SENT
        return journal.advance(
            begun.attempt_id, Outcome(state=state, recorded_at=journal.now(), settled=settlement)
        )

    with ThreadPoolExecutor(people) as threads:
        answers = list(threads.map(settle, range(people)))
    assert sum(mine for _, mine in answers) == 1
    assert len({attempt.settled for attempt, _ in answers}) == 1


def test_an_answer_after_a_settlement_decides_and_silence_does_not(
    journal: Journal, clock: Clock, intent: MakeIntent
) -> None:
    begun = intent()
    journal.begin(begun)
    clock.advance(PATIENCE)
    settlement = Settlement(False, "mo", "Mo Winter", clock())
    journal.advance(
        begun.attempt_id, Outcome(state=AttemptState.NOT_SENT, recorded_at=clock(), settled=settlement)
    )
    silence = journal.conclude(begun.attempt_id, Outcome(state=AttemptState.UNKNOWN, recorded_at=clock()))
    assert silence.settled == settlement
    answer = Outcome(state=AttemptState.DONE, recorded_at=clock(), returned_id="64fa")
    assert journal.conclude(begun.attempt_id, answer).returned_id == "64fa"


def test_entries_of_one_environment_never_appear_in_another(journal: Journal, intent: MakeIntent) -> None:
    trained = intent(draft_id="d", environment="sandbox", order_id="o")
    ended(journal, trained, AttemptState.DONE)
    journal.drafts.save(
        environment="sandbox", username="dana", screen="s", draft_id="d2", content={"first_name": "Ada"}
    )
    assert journal.attempts("production", AttemptFilter(limit=None, unknown_first=True)) == []
    assert journal.count("production", AttemptFilter()) == 0
    assert journal.attempt("production", trained.attempt_id) is None
    assert journal.attempt_of("production", "d") is None
    assert journal.delivered_orders("production") == []
    assert journal.delivered_order("production", "o") is None
    assert journal.drafts.load(environment="production", username="dana", screen="s") is None
    assert journal.begin(intent(draft_id="d", environment="production")).may_send


def test_the_activity_is_filtered_and_what_needs_a_person_stands_on_top(
    journal: Journal, clock: Clock, intent: MakeIntent
) -> None:
    def at(hour: int, state: AttemptState, **given: Any) -> str:
        clock.now = clock.now.replace(hour=hour)
        begun = intent(**given)
        ended(journal, begun, state)
        return begun.attempt_id

    old_unknown = at(1, AttemptState.UNKNOWN, operation="record_sale", username="eli")
    refused = at(2, AttemptState.REFUSED, order_id="9F2C-100%")
    lamp = at(3, AttemptState.DONE, items=(ItemLine("LÄMPCHEN", "L-9", 1),))
    sold = at(4, AttemptState.DONE, operation="record_sale", username="eli", order_id="9F2C-100%")
    new_unknown = at(5, AttemptState.UNKNOWN)

    def ids(**asked: Any) -> list[str]:
        return [attempt.attempt_id for attempt in journal.attempts("sandbox", AttemptFilter(**asked))]

    assert ids() == [new_unknown, sold, lamp, refused, old_unknown]
    on_top = [new_unknown, old_unknown, sold, lamp, refused]
    assert ids(unknown_first=True, limit=None) == on_top
    for offset in range(6):
        assert ids(unknown_first=True, limit=2, offset=offset) == on_top[offset : offset + 2]
    assert ids(unknown_first=True, states=frozenset({AttemptState.DONE})) == [sold, lamp]
    assert ids(limit=2, offset=1) == [sold, lamp]
    assert ids(username="eli") == [sold, old_unknown]
    assert ids(operation="record_sale") == [sold, old_unknown]
    assert ids(states=frozenset({AttemptState.REFUSED, AttemptState.UNKNOWN})) == [
        new_unknown,
        refused,
        old_unknown,
    ]
    assert ids(order_id="9F2C-100%") == [sold, refused]
    assert ids(text=" 0% ") == [sold, refused]  # a percent sign is what it says
    assert ids(text="lämp") == [lamp]
    assert ids(text="l-9") == [lamp]
    start = clock.now.replace(hour=2)
    assert ids(start=start, end=start + timedelta(hours=2)) == [lamp, refused]
    assert journal.count("sandbox", AttemptFilter(username="eli", limit=1)) == 2


def test_an_order_is_found_once_with_the_lines_that_the_service_took(
    journal: Journal, clock: Clock, intent: MakeIntent
) -> None:
    first = intent(order_id="o", items=(ItemLine("Lamp", "L", 1),))
    ended(journal, first, AttemptState.DONE, already_known=False, landing_url="https://x/o")
    clock.advance(timedelta(hours=1))
    ended(journal, intent(order_id="refused"), AttemptState.REFUSED)
    clock.advance(timedelta(hours=1))
    other = intent(order_id="p", items=(ItemLine("Sofa", "S", 1),))
    ended(journal, other, AttemptState.DONE, already_known=False)
    again = intent(order_id="o", items=(ItemLine("Lamp, misspelt", "L", 1),))
    ended(journal, again, AttemptState.DONE, already_known=True)
    elsewhere = []
    for _ in range(2):
        clock.advance(timedelta(hours=1))
        elsewhere.append(intent(order_id="q"))
        ended(journal, elsewhere[-1], AttemptState.DONE, already_known=True)

    def found(**asked: Any) -> list[str]:
        return [attempt.attempt_id for attempt in journal.delivered_orders("sandbox", **asked)]

    assert found() == [elsewhere[1].attempt_id, other.attempt_id, first.attempt_id]
    assert found(limit=1) == [elsewhere[1].attempt_id]
    assert found(text="LAMP") == [elsewhere[1].attempt_id, first.attempt_id]
    order = journal.delivered_order("sandbox", "o")
    assert order is not None
    assert order.items == first.items
    assert journal.delivered_order("sandbox", "refused") is None


def test_very_long_and_hostile_order_ids_are_kept(journal: Journal, intent: MakeIntent) -> None:
    order_id = "/../'\";DROP TABLE attempts;--%" + uuid4().hex * 300
    ended(journal, intent(order_id=order_id), AttemptState.DONE)
    found = journal.delivered_order("sandbox", order_id)
    assert found is not None
    assert found.order_id == order_id


@pytest.mark.parametrize(
    "change", ["UPDATE attempts SET order_id = 'x'", "UPDATE outcomes SET state = 'done'"]
)
def test_the_record_cannot_be_changed(
    journal: Journal, journal_url: str, intent: MakeIntent, change: str
) -> None:
    ended(journal, intent(), AttemptState.DONE)
    url = make_url(journal_url)
    if url.get_backend_name() == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    engine = create_engine(url)
    with pytest.raises(DBAPIError, match="never changed"), engine.begin() as connection:
        connection.execute(text(change))
    engine.dispose()


class TestDrafts:
    def save(self, journal: Journal, draft_id: str, **content: Any) -> bool:
        return journal.drafts.save(
            environment="sandbox", username="dana", screen="s", draft_id=draft_id, content=content
        )

    def load(self, journal: Journal, username: str = "dana") -> tuple[str, dict[str, Any]] | None:
        draft = journal.drafts.load(environment="sandbox", username=username, screen="s")
        return None if draft is None else (draft.draft_id, draft.content)

    def test_a_draft_is_one_persons_own_and_the_newest_counts(self, journal: Journal) -> None:
        assert self.save(journal, "a", zip="02134")
        assert self.save(journal, "b", zip="02135", lines=[{"title": "Café"}])
        assert self.load(journal) == ("b", {"zip": "02135", "lines": [{"title": "Café"}]})
        assert self.load(journal, username="eli") is None

    def test_a_draft_is_kept_until_done_and_then_erased_for_good(
        self, journal: Journal, intent: MakeIntent
    ) -> None:
        self.save(journal, "d", first_name="Ada")
        refused = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
        assert self.load(journal) is not None
        corrected = intent(draft_id="d")
        journal.begin(corrected, corrects=refused.attempt_id)
        journal.conclude(corrected.attempt_id, Outcome(state=AttemptState.UNKNOWN, recorded_at=journal.now()))
        assert self.load(journal) is not None
        journal.conclude(corrected.attempt_id, Outcome(state=AttemptState.DONE, recorded_at=journal.now()))
        assert self.load(journal) is None
        assert not self.save(journal, "d", first_name="Ada")  # another tab still shows the form
        assert self.load(journal) is None
        assert self.save(journal, "next", first_name="Bo")

    def test_a_discarded_draft_is_gone(self, journal: Journal) -> None:
        self.save(journal, "d", first_name="Ada")
        journal.drafts.discard("d")
        journal.drafts.discard("never seen")
        assert self.load(journal) is None


def test_preferences_are_kept_by_person_and_name(journal: Journal) -> None:
    assert journal.preferences.load("dana", "views") is None
    journal.preferences.save("dana", "views", {"mine": [1, "x"]})
    journal.preferences.save("dana", "views", {"mine": [2]})
    journal.preferences.save("eli", "views", [])
    assert journal.preferences.load("dana", "views") == {"mine": [2]}
    assert journal.preferences.load("eli", "views") == []
    assert journal.preferences.load("dana", "columns") is None


def test_a_filter_takes_moments_with_a_zone_only(clock: Clock) -> None:
    with pytest.raises(ValueError, match="zone"):
        AttemptFilter(end=clock().replace(tzinfo=None))

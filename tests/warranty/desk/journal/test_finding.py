"""What is found in a journal: by environment, by filter, by order."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.builders import STAFF
from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, activity_of, becomes, ended
from warranty.commands.housekeeping.retention import purge
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState, Drafts, ItemLine, Journal, LinkShown
from warranty.desk.journal.queries import unknown_since
from warranty.desk.journal.tables import LINKS_SHOWN


def test_entries_of_one_environment_never_appear_in_another(journal: Journal, intent: MakeIntent) -> None:
    trained = intent(draft_id="d", environment="sandbox", order_id="o")
    ended(journal, trained, AttemptState.DONE)
    Drafts(journal.database, "sandbox", "dana", "s").save("d2", {"first_name": "Ada"})
    assert journal.attempts("production", AttemptFilter(limit=None, unknown_first=True)) == []
    assert (journal.count("production", AttemptFilter()), journal.attempt("production", trained.attempt_id)) == (
        0, None,
    )  # fmt: skip
    there = activity_of(journal, "production")
    assert (there.attempt_of(STAFF, "d"), there.recent_orders(STAFF), there.order(STAFF, "o")) == (None, [], None)
    assert Drafts(journal.database, "production", "dana", "s").all() == []
    assert journal.begin(intent(draft_id="d", environment="production")).may_send


@pytest.mark.both_databases
def test_the_activity_is_filtered_what_needs_us_on_top(journal: Journal, clock: Clock, intent: MakeIntent) -> None:
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
    assert ids(username="eli") == ids(operation="record_sale") == [sold, old_unknown]
    open_or_refused = frozenset({AttemptState.REFUSED, AttemptState.UNKNOWN})
    assert ids(states=open_or_refused) == [new_unknown, refused, old_unknown]
    assert ids(order_id="9F2C-100%") == ids(text=" 0% ") == [sold, refused]  # a percent sign is what it says
    assert ids(text="lämp") == ids(text="l-9") == [lamp]
    start = clock.now.replace(hour=2)
    assert ids(start=start, end=start + timedelta(hours=2)) == [lamp, refused]
    assert journal.count("sandbox", AttemptFilter(username="eli", limit=1)) == 2
    paid = intent(operation="record_sale")
    ended(journal, paid, AttemptState.DONE, returned_id="W-64FA")
    told = f"Reference for support: {paid.attempt_id[:8].upper()}"
    assert ids(text="W-64FA") == ids(text=told) == ids(text=paid.attempt_id) == [paid.attempt_id]
    assert ids(text=paid.attempt_id[:7]) == [], "of so few signs many may begin so"


@pytest.mark.both_databases
def test_an_order_is_found_once_with_kept_lines(journal: Journal, clock: Clock, intent: MakeIntent) -> None:
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
    activity = activity_of(journal)

    def found(**asked: Any) -> list[str]:
        return [attempt.attempt_id for attempt in activity.recent_orders(STAFF, **asked)]

    assert found() == [elsewhere[1].attempt_id, other.attempt_id, first.attempt_id]
    assert found(limit=1) == [elsewhere[1].attempt_id]
    assert found(text="LAMP") == [elsewhere[1].attempt_id, first.attempt_id]
    order = activity.order(STAFF, "o")
    assert (order and order.items, activity.order(STAFF, "refused")) == (first.items, None)


@pytest.mark.both_databases
def test_orders_without_a_plan_come_first_a_files_by_text(journal: Journal, clock: Clock, intent: MakeIntent) -> None:
    orders = {}
    for name, screen in (("old", "submit_order"), ("new", "submit_order"), ("of a file", "import_orders")):
        clock.advance(timedelta(hours=1))
        orders[name] = ended(journal, intent(order_id=name, screen=screen), AttemptState.DONE)
    activity = activity_of(journal)

    def found(**asked: Any) -> list[str]:
        return [attempt.order_id for attempt in activity.recent_orders(STAFF, **asked)]

    assert found() == ["new", "old"]
    assert found(text="FILE") == ["of a file"]
    sale = intent(order_id="new", operation="record_sale")
    for begun in (sale, intent(order_id="of a file", operation="notify_checkout")):
        ended(journal, begun, AttemptState.DONE)
    ended(journal, intent(order_id="old", operation="record_sale"), AttemptState.REFUSED)
    ended(journal, intent(order_id="old", operation="record_sale", environment="production"), AttemptState.DONE)
    assert found() == ["old", "new"]
    assert found(limit=1) == ["old"]
    assert found(text="lamp") == ["of a file", "new", "old"], "who searches gets the newest"
    assert activity.with_plan(STAFF, [*orders.values()]) == {"new", "of a file"}
    becomes(journal, sale, AttemptState.NOT_SENT)
    assert activity.with_plan(STAFF, [*orders.values()]) == {"of a file"}, "the sale turned out to be none"


@pytest.mark.both_databases
def test_orders_with_a_sale_without_an_end_are_unconfirmed(journal: Journal, clock: Clock, intent: MakeIntent) -> None:
    orders = [ended(journal, intent(order_id=f"o-{number}"), AttemptState.DONE) for number in range(5)]
    activity = activity_of(journal)
    for order_id, state in (("o-0", AttemptState.UNKNOWN), ("o-1", AttemptState.REFUSED), ("o-2", AttemptState.DONE)):
        ended(journal, intent(order_id=order_id, operation="record_sale"), state)
    journal.begin(intent(order_id="o-3", operation="notify_checkout"))
    ended(journal, intent(order_id="o-4"), AttemptState.UNKNOWN)
    assert activity.unconfirmed(STAFF, orders) == {"o-0", "o-3"}
    assert activity.unconfirmed(STAFF, orders[1:]) == {"o-3"}
    clock.advance(timedelta(days=1))
    assert activity.unconfirmed(STAFF, orders) == {"o-0", "o-3"}, "it never ended"


def test_hostile_order_ids_are_kept_and_filters_want_a_zone(clock: Clock, journal: Journal, intent: MakeIntent) -> None:
    with pytest.raises(ValueError, match="zone"):
        AttemptFilter(end=clock().replace(tzinfo=None))
    order_id = "/../'\";DROP TABLE attempts;--%" + uuid4().hex * 300
    ended(journal, intent(order_id=order_id), AttemptState.DONE)
    found = activity_of(journal).order(STAFF, order_id)
    assert (found and found.order_id) == order_id


def test_what_is_unknown_is_counted_and_dated(journal: Journal, clock: Clock, intent: MakeIntent) -> None:
    """Since the silence was noted, or since the deadline of whoever died before that."""

    def unknown() -> tuple[int, datetime | None]:
        with journal.database.read() as connection:
            count, oldest = connection.execute(unknown_since("sandbox", clock())).one()
            return count, oldest

    assert unknown() == (0, None)
    ended(journal, intent(), AttemptState.DONE)
    ended(journal, intent(environment="production"), AttemptState.UNKNOWN)
    clock.advance(timedelta(minutes=1))
    died = intent()
    journal.begin(died)
    assert unknown() == (0, None)
    clock.advance(timedelta(minutes=10))
    assert unknown() == (1, died.deadline)
    silent = intent(started_at=died.started_at - timedelta(minutes=1))
    ended(journal, silent, AttemptState.UNKNOWN)
    assert unknown() == (2, died.deadline)
    becomes(journal, died, AttemptState.DONE)
    assert unknown() == (1, clock())


DAY = timedelta(days=1)
CLERK, COLLEAGUE = ("dana", "Dana Fields"), ("eli", "Eli Brook")


def note(journal: Journal, attempt: Attempt, who: tuple[str, str] = CLERK) -> bool:
    return journal.links.note(attempt.attempt_id, username=who[0], operator_name=who[1])


def test_a_link_is_noted_once_a_person_and_order(journal: Journal, intent: MakeIntent, clock: Clock) -> None:
    attempt = ended(journal, intent(order_id="o-1"), AttemptState.DONE)
    first = clock.now
    assert note(journal, attempt)
    clock.advance(DAY)
    assert not note(journal, attempt)
    again = ended(journal, intent(order_id="o-1"), AttemptState.DONE, already_known=True)
    assert not note(journal, again), "the same order, sent again"
    assert note(journal, attempt, COLLEAGUE)
    assert journal.links.of_order("sandbox", "o-1") == [
        LinkShown("o-1", *CLERK, first), LinkShown("o-1", *COLLEAGUE, clock.now),
    ]  # fmt: skip
    assert journal.links.of_order("staging", "o-1") == journal.links.of_order("sandbox", "o-2") == []


@pytest.mark.both_databases
def test_of_many_tabs_at_once_one_notes_it_and_nobody_what_is_not_there(journal: Journal, intent: MakeIntent) -> None:
    attempt = ended(journal, intent(), AttemptState.DONE)
    with ThreadPoolExecutor(6) as tabs:
        assert sorted(tabs.map(lambda _: note(journal, attempt), range(6))) == [False] * 5 + [True]
    assert not journal.links.note("no-such-attempt", username="dana", operator_name="Dana Fields")


def test_links_go_with_their_order_when_its_retention_ends(journal: Journal, intent: MakeIntent, clock: Clock) -> None:
    for order_id in ("o-1", "o-2", "o-3"):
        note(journal, ended(journal, intent(order_id=order_id), AttemptState.DONE))
        clock.advance(DAY)

    def shown() -> list[str]:
        return [order_id for order_id in ("o-1", "o-2", "o-3") if journal.links.of_order("sandbox", order_id)]

    assert purge(journal.database, keep=2 * DAY, keep_drafts=DAY, only_count=True).attempts == 1
    assert shown() == ["o-1", "o-2", "o-3"]
    assert purge(journal.database, keep=2 * DAY, keep_drafts=DAY).attempts == 1
    assert shown() == ["o-2", "o-3"]


def test_a_customer_declines_once_and_anybody_takes_it_back(journal: Journal, intent: MakeIntent, clock: Clock) -> None:
    for order_id in ("o-1", "o-2"):
        attempt = ended(journal, intent(order_id=order_id), AttemptState.DONE)
        for who in (CLERK, COLLEAGUE):
            note(journal, attempt, who)

    def by_whom() -> list[tuple[str, datetime]]:
        return [(one.username, one.declined_at) for one in journal.links.of_order("sandbox", "o-1") if one.declined_at]

    first = clock.now
    journal.links.decline("sandbox", "o-1", "dana", declined=True)
    clock.advance(DAY)
    for username in ("dana", "eli"):
        journal.links.decline("sandbox", "o-1", username, declined=True)
    assert by_whom() == [("dana", first)], "by whom it was noted first, and when"
    assert [journal.links.declined(name) for name in ("sandbox", "staging")] == [{"o-1"}, frozenset()]
    journal.links.decline("sandbox", "o-2", "eli", declined=True)
    assert journal.links.declined("sandbox", LINKS_SHOWN.c.declined_at < clock.now) == {"o-1"}
    journal.links.decline("sandbox", "o-1", "eli", declined=False)
    journal.links.decline("staging", "o-2", "eli", declined=False)
    assert by_whom() == []
    assert journal.links.declined("sandbox") == {"o-2"}

"""Who showed the landing page's link of which order: once for each person and order, and no longer than the order."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, ended
from warranty.commands.housekeeping.retention import purge
from warranty.desk.journal import Attempt, AttemptState, Journal, LinkShown
from warranty.desk.journal.tables import LINKS_SHOWN

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
        LinkShown("o-1", *CLERK, first),
        LinkShown("o-1", *COLLEAGUE, clock.now),
    ]
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
    assert journal.links.declined("sandbox") == {"o-1"}
    assert journal.links.declined("staging") == frozenset()
    journal.links.decline("sandbox", "o-2", "eli", declined=True)
    assert journal.links.declined("sandbox", LINKS_SHOWN.c.declined_at < clock.now) == {"o-1"}
    journal.links.decline("sandbox", "o-1", "eli", declined=False)
    journal.links.decline("staging", "o-2", "eli", declined=False)
    assert by_whom() == []
    assert journal.links.declined("sandbox") == {"o-2"}

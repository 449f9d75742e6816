"""Who showed the landing page's link of which order: once for each person and order, and no longer than the order."""

import threading
from datetime import timedelta

from tests.builders import order_of
from tests.warranty.conftest import Clock
from warranty.access import Operator
from warranty.desk import Desk
from warranty.journal import Attempt, Journal, LinkShown

DAY = timedelta(days=1)


def stored(desk: Desk, clerk: Operator, order_id: str, draft_id: str = "") -> Attempt:
    return desk.send(clerk, order_of(order_id=order_id), draft_id=draft_id or order_id, screen="s")


def note(journal: Journal, attempt: Attempt, who: Operator) -> bool:
    return journal.links.note(attempt.attempt_id, username=who.username, operator_name=who.name)


def test_a_link_is_noted_once_for_each_person_and_order(
    *, desk: Desk, journal: Journal, clerk: Operator, colleague: Operator, clock: Clock
) -> None:
    attempt = stored(desk, clerk, "o-1")
    first = clock.now
    assert note(journal, attempt, clerk)
    clock.advance(DAY)
    assert not note(journal, attempt, clerk)
    assert not note(journal, stored(desk, clerk, "o-1", "sent-again"), clerk), "the same order, sent again"
    assert note(journal, attempt, colleague)
    assert journal.links.of_order("sandbox", "o-1") == [
        LinkShown("o-1", "dana", "Dana Fields", first),
        LinkShown("o-1", "eli", "Eli Brook", clock.now),
    ]
    assert journal.links.of_order("staging", "o-1") == []
    assert journal.links.of_order("sandbox", "o-2") == []


def test_of_many_tabs_at_once_one_notes_it(*, desk: Desk, journal: Journal, clerk: Operator) -> None:
    attempt = stored(desk, clerk, "o-1")
    new: list[bool] = []
    tabs = [threading.Thread(target=lambda: new.append(note(journal, attempt, clerk))) for _ in range(6)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(new) == [False] * 5 + [True]


def test_links_of_a_time_begin_at_its_start_and_end_before_its_end(
    *, desk: Desk, journal: Journal, clerk: Operator, clock: Clock
) -> None:
    start = clock.now
    for order_id in ("o-1", "o-2", "o-3"):
        note(journal, stored(desk, clerk, order_id), clerk)
        clock.advance(DAY)
    found = journal.links.between("sandbox", start + DAY, start + 2 * DAY)
    assert [link.order_id for link in found] == ["o-2"]
    assert len(journal.links.between("sandbox", None, None)) == 3
    assert journal.links.between("production", None, None) == []


def test_what_is_not_in_the_journal_is_not_noted(*, journal: Journal, clerk: Operator) -> None:
    assert not journal.links.note("no-such-attempt", username=clerk.username, operator_name=clerk.name)
    assert journal.links.between("sandbox", None, None) == []


def test_it_goes_with_the_order_when_its_retention_ends(
    *, desk: Desk, journal: Journal, clerk: Operator, clock: Clock
) -> None:
    note(journal, stored(desk, clerk, "old"), clerk)
    clock.advance(10 * DAY)
    note(journal, stored(desk, clerk, "new"), clerk)
    assert journal.purge(keep=5 * DAY, keep_drafts=5 * DAY, only_count=True).attempts == 1
    assert len(journal.links.between("sandbox", None, None)) == 2
    assert journal.purge(keep=5 * DAY, keep_drafts=5 * DAY).attempts == 1
    assert [link.order_id for link in journal.links.between("sandbox", None, None)] == ["new"]


def test_nothing_in_it_says_who_the_customer_is(*, desk: Desk, journal: Journal, clerk: Operator) -> None:
    note(journal, stored(desk, clerk, "o-1"), clerk)
    (link,) = journal.links.between("sandbox", None, None)
    assert set(LinkShown.__slots__) == {"order_id", "username", "operator_name", "shown_at"}
    assert "Ada" not in repr(link)

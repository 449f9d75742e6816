"""The desk when its journal cannot be written: nothing goes out unnoted, and no answer is lost."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from tests.warranty.conftest import Clock
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.errors import JournalUnavailable
from warranty.journal import AttemptFilter, AttemptState, Journal

HOURS = timedelta(hours=1)


class Unwritable:
    """A journal whose database fails when told, before or after a write has begun."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.fails: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in self.fails:

            def fail(*_args: object, **_named: object) -> None:
                raise JournalUnavailable("The journal cannot be written.")

            return fail
        return getattr(self.journal, name)


@pytest.fixture
def unwritable(journal: Journal) -> Unwritable:
    return Unwritable(journal)


@pytest.fixture
def unlucky_desk(client: WarrantyClient, unwritable: Unwritable) -> Desk:
    return Desk(client=client, journal=unwritable, environment="sandbox")  # type: ignore[arg-type]


def test_without_an_intent_on_disk_nothing_is_sent(
    unlucky_desk: Desk,
    unwritable: Unwritable,
    clerk: Operator,
    sandbox: SandboxServer,
) -> None:
    unwritable.fails = {"begin"}
    with pytest.raises(JournalUnavailable):
        unlucky_desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s")
    with pytest.raises(JournalUnavailable):
        unlucky_desk.send(clerk, sale_of("o-1"), draft_id="s", screen="s")
    with pytest.raises(JournalUnavailable):
        unlucky_desk.send(clerk, checkout_of("o-1"), draft_id="c", screen="s")
    assert sandbox.calls() == []
    unwritable.fails = set()
    assert (
        unlucky_desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s").state
        is AttemptState.DONE
    )


def test_an_answer_that_cannot_be_written_down_is_told_and_written_later(
    *,
    unlucky_desk: Desk,
    desk: Desk,
    unwritable: Unwritable,
    clerk: Operator,
    sandbox: SandboxServer,
    clock: Clock,
) -> None:
    unwritable.fails = {"conclude"}
    told = unlucky_desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s")
    assert (told.state, told.journalled) == (AttemptState.DONE, False)
    assert told.landing_url
    assert unlucky_desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s") == told
    assert unlucky_desk.attempts(clerk, AttemptFilter()) == [told]
    assert len(sandbox.calls()) == 1
    # Another process knows no more than the journal: on its way, then unknown.
    clock.advance(HOURS)
    left = desk.attempt_of(clerk, "d")
    assert left is not None
    assert left.state is AttemptState.UNKNOWN
    unwritable.fails = set()
    written = unlucky_desk.attempt_of(clerk, "d")
    assert written == replace(told, journalled=True)
    assert desk.attempt_of(clerk, "d") == written


def test_an_intent_of_which_nobody_knows_whether_it_was_written_was_certainly_not_sent(
    unlucky_desk: Desk, journal: Journal, unwritable: Unwritable, clerk: Operator
) -> None:
    def commits_and_breaks(*args: Any, **named: Any) -> None:
        journal.begin(*args, **named)
        raise JournalUnavailable("The connection broke.")

    unwritable.__dict__["begin"] = commits_and_breaks
    with pytest.raises(JournalUnavailable):
        unlucky_desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s")
    del unwritable.__dict__["begin"]
    attempt = unlucky_desk.attempt_of(clerk, "d")
    assert attempt is not None
    assert attempt.state is AttemptState.NOT_SENT

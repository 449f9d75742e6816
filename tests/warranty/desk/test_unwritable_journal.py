"""The desk when its journal cannot be written: nothing goes out unnoted, and no answer is lost."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from tests.warranty.conftest import Clock
from tests.warranty.desk.shop import Shop
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, Journal
from warranty.errors import JournalUnavailable


class Unwritable:
    """A journal whose database fails in what `fails` names, before a write or after it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.fails = self.fails_after = ""

    def __getattr__(self, name: str) -> Any:
        if name not in {self.fails, self.fails_after}:
            return getattr(self.journal, name)

        def fail(*given: Any, **named: Any) -> None:
            if name == self.fails_after:
                getattr(self.journal, name)(*given, **named)
            raise JournalUnavailable("The journal cannot be written.")

        return fail


@pytest.fixture
def unwritable(journal: Journal) -> Unwritable:
    return Unwritable(journal)


@pytest.fixture
def unlucky(
    client: WarrantyClient, unwritable: Unwritable, clerk: Operator, sandbox: SandboxServer, clock: Clock
) -> Shop:
    desk = Desk(client=client, journal=unwritable, environment="sandbox")  # type: ignore[arg-type]
    return Shop(desk, clerk, sandbox, clock)


def test_without_an_intent_on_disk_nothing_is_sent(unlucky: Shop, unwritable: Unwritable) -> None:
    unwritable.fails = "begin"
    for resource in (order_of(order_id="o-1"), sale_of("o-1"), checkout_of("o-1")):
        with pytest.raises(JournalUnavailable):
            unlucky.send(resource)
    assert unlucky.sandbox.calls() == []
    unwritable.fails = ""
    assert unlucky.order().state is AttemptState.DONE


def test_an_answer_not_written_is_written_later(unlucky: Shop, desk: Desk, unwritable: Unwritable) -> None:
    unwritable.fails = "conclude"
    told = unlucky.order(draft="d")
    assert (told.state, told.journalled) == (AttemptState.DONE, False)
    assert told.result.landing_url
    assert unlucky.order(draft="d") == told
    assert unlucky.desk.activity.attempts(unlucky.clerk, AttemptFilter()) == [told]
    assert len(unlucky.sandbox.calls()) == 1
    # Another process knows no more than the journal: on its way, then unknown.
    unlucky.clock.advance(timedelta(hours=1))
    another = replace(unlucky, desk=desk)
    assert another.now("d").state is AttemptState.UNKNOWN
    unwritable.fails = ""
    assert unlucky.now("d") == replace(told, journalled=True) == another.now("d")


def test_an_intent_not_known_to_be_written_was_never_sent(unlucky: Shop, unwritable: Unwritable) -> None:
    unwritable.fails_after = "begin"
    with pytest.raises(JournalUnavailable):
        unlucky.order(draft="d")
    unwritable.fails_after = ""
    assert unlucky.now("d").state is AttemptState.NOT_SENT

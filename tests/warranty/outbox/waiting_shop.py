"""A counter whose service may be away, on the journal's clock."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sandbox import SandboxServer
from tests.builders import order_of
from tests.warranty.conftest import Clock
from warranty.access import Operator
from warranty.client import RetryBudget
from warranty.desk import Desk
from warranty.journal import Attempt, AttemptFilter, Journal
from warranty.outbox.outbox import Outbox

AWAY: dict[str, Any] = {"kind": "status", "status": 503, "times": 1000}


@dataclass(frozen=True)
class Shop:
    """All that stands at the counter while the service is away."""

    desk: Desk
    outbox: Outbox
    budget: RetryBudget
    journal: Journal
    sandbox: SandboxServer
    clerk: Operator
    clock: Clock

    def order(self, order_id: str, *items: dict[str, Any], **more: Any) -> Attempt:
        """An order from the counter, a second after the one before."""
        self.clock.advance(timedelta(seconds=1))
        order = order_of(*items, order_id=order_id)
        return self.desk.send(self.clerk, order, draft_id=f"d-{order_id}", screen="submit_order", **more)

    def is_away(self, **fault: Any) -> None:
        """From now on each order meets this fault."""
        self.sandbox.clear_faults()
        self.sandbox.add_fault("submit_order", **{**AWAY, **fault})

    def is_back(self) -> None:
        """The service is well again."""
        self.sandbox.clear_faults()

    def send_all(self) -> list[timedelta]:
        """Send until none waits, as the thread does, without its pauses; gives them."""
        pauses: list[timedelta] = []
        while (pause := self.outbox.step()) is not None:
            pauses.append(pause)
            assert len(pauses) < 50  # what it must not send it would try without end
        return pauses

    def came_back(self) -> list[Attempt]:
        return self.desk.attempts(self.clerk, AttemptFilter(came_back=True))

    def now(self, attempt: Attempt) -> Attempt:
        """What has become of an attempt."""
        found = self.journal.attempt("sandbox", attempt.attempt_id)
        assert found is not None
        return found

    def stored(self) -> list[str]:
        """The ids of the orders that the service wrote, in its order."""
        return [call["order_id"] for call in self.sandbox.calls() if call["written"]]

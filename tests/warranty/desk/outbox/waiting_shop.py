"""A counter whose service may be away, on the journal's clock."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from tests.warranty.desk.shop import Shop
from warranty.client import RetryBudget
from warranty.desk.journal import Attempt, AttemptFilter, Journal
from warranty.desk.outbox.outbox import Outbox


@dataclass(frozen=True)
class WaitingShop(Shop):
    journal: Journal
    outbox: Outbox
    budget: RetryBudget

    def is_away(self, **fault: Any) -> None:
        self.is_back()
        self.fails("submit_order", **{"kind": "status", "status": 503, "times": 1000, **fault})

    def is_back(self) -> None:
        self.sandbox.clear_faults()

    def let_wait(self, *orders: str) -> list[Attempt]:
        """Orders that come while the service is away; it is back after them."""
        self.is_away()
        waiting = [self.order(order) for order in orders]
        self.is_back()
        return waiting

    def send_all(self) -> list[timedelta]:
        """Send until none waits, as the thread does, without its pauses; gives them."""
        pauses = list[timedelta]()
        while (pause := self.outbox.step()) is not None:
            pauses.append(pause)
            assert len(pauses) < 50  # what it must not send it would try without end
        return pauses

    def came_back(self) -> list[Attempt]:
        return self.desk.activity.attempts(self.clerk, AttemptFilter(came_back=True))

    def waiting(self) -> int:
        return self.journal.queue("sandbox").length

    def stored(self) -> list[str]:
        return [call["order_id"] for call in self.sandbox.calls() if call["written"]]

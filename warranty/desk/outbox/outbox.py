"""Orders that wait for the service, sent by themselves: oldest first, one at a time, by one desk of the shop at a time.

Every desk looks whether orders wait; the one that takes the lease sends until none is left. A desk that dies gives the
lease up by itself, and the order that it was sending is taken up again when its call can no longer be answered: an
order that is sent twice is kept once (interface: States and transitions).
"""

import logging
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from warranty.client import RetryBudget
from warranty.database.background import Background
from warranty.database.leases import Leases
from warranty.desk.journal import Attempt, Journal
from warranty.desk.journal.queries import attempt_from, to_send
from warranty.desk.sending import Sender
from warranty.errors import DeskError, LeaseHeld, NotSent

LASTS: Final = timedelta(seconds=15)
LOOKS_EVERY: Final = timedelta(seconds=2)
BETWEEN: Final = timedelta(seconds=0.2)
FIRST_PAUSE: Final = timedelta(seconds=1)
LONGEST_PAUSE: Final = timedelta(seconds=20)
"""With the service away one order is tried this often, whatever the number of desks and of orders."""
_DOUBTED_AFTER: Final = 3
_SAYS_NOTHING: Final = frozenset({None, 401, 429})
"""Of the order that was tried: these are of the line, of the token, and of the service's load."""
_log = logging.getLogger("warranty.outbox")


class Outbox:
    """The sending of one environment's waiting orders, by this program; `start` and `close` its thread."""

    def __init__(
        self,
        journal: Journal,
        sender: Sender,
        environment: str,
        *,
        budget: RetryBudget,
        over: threading.Event | None = None,
        lasts: timedelta = LASTS,
        between: timedelta = BETWEEN,
        looks_every: timedelta = LOOKS_EVERY,
    ) -> None:
        """`lasts` is the lease's time, `between` the pause after an order that went through, `over` ends it.

        `budget` is what all calls have left for repeats. It looks whether orders wait once in `looks_every`.
        """
        self._journal = journal
        self._sender = sender
        self._environment = environment
        self._budget = budget
        self._lasts = lasts
        self._between = between
        self._looks_every = looks_every
        fault = "the orders that wait were not looked after"
        self._looking = Background(
            "outbox", self._send_all, every=looks_every, log=_log, fault=fault, at_once=True, over=over
        )
        self._failures = 0
        self._flows = False  # the last one went through
        self._aside: set[str] = set()

    def start(self) -> None:
        """Look after the waiting orders from now on."""
        self._looking.start()

    def close(self) -> None:
        """Begin no other call; one that is on its way may still be answered for some seconds."""
        self._looking.stop(timeout=10)  # cut off after that, the order is taken up again by whoever comes next

    def step(self) -> timedelta | None:
        """Try one order; gives the pause before the next one, None where none waits. Raises `JournalUnavailable`.

        Unless the one before went through, the try is a repeat, which the budget of all desks may not allow now. Where
        nothing of the last try left this machine, a connection has to stand first: until then no call is made.
        """
        orders = self._oldest()
        if not orders:
            self._failures, self._flows = 0, False
            return None
        if not self._flows and _nothing_left(orders[0]) and not self._sender.reaches():
            return self._put_off()
        if not self._flows and not self._budget.spend():
            return self._looks_every
        order = orders[self._failures % 2] if self._is_doubted(orders) else orders[0]
        try:
            ended = self._sender.send_waiting(order)
        except DeskError:
            raise
        except Exception as fault:  # noqa: BLE001 - one order that cannot even be read holds up no other
            _log.error("attempt %s cannot be sent: %s", order.attempt_id, type(fault).__name__)
            self._aside.add(order.attempt_id)
            ended = order
        if ended.waits:
            if self._flows and order.attempt_id in self._aside and _answered(ended) not in _SAYS_NOTHING:
                # The others go through and this one fails again: it would wait for ever, and new ones behind it.
                self._sender.give_back(ended)
                return self._between
            return self._put_off()
        if order is not orders[0]:
            self._aside.add(orders[0].attempt_id)
        self._failures, self._flows = 0, True
        return self._between

    def _put_off(self) -> timedelta:
        """Note a try that failed; gives the pause after it."""
        self._failures += 1
        self._flows = False
        return min(FIRST_PAUSE * 2.0 ** min(self._failures - 1, 10), LONGEST_PAUSE)

    def _to_send(self, *, limit: int) -> list[Attempt]:
        now = self._journal.database.clock()
        with self._journal.database.read() as connection:
            rows = connection.execute(to_send(self._environment, now).limit(limit)).mappings()
            return [attempt_from(row, now) for row in rows]

    def _oldest(self) -> list[Attempt]:
        """The oldest orders that wait, those that were put aside behind the others."""
        orders = self._to_send(limit=len(self._aside) + 2)
        self._aside.intersection_update(one.attempt_id for one in orders)
        return sorted(orders, key=lambda one: one.attempt_id in self._aside)

    def _is_doubted(self, orders: Sequence[Attempt]) -> bool:
        """Whether it may be the oldest order that fails and not the service: then every other try is of the one behind.

        Where that goes through, the oldest is put aside. A service that does not answer at all casts no doubt.
        """
        return _answered(orders[0]) is not None and len(orders) > 1 and self._failures >= _DOUBTED_AFTER

    def _send_all(self) -> None:
        """Send until none waits, if no other desk does."""
        if not self._to_send(limit=1):
            return
        lost = threading.Event()
        with (
            suppress(LeaseHeld),
            Leases(self._journal.database).taken(f"outbox {self._environment}", lasts=self._lasts) as lease,
            lease.renewing(lost),
        ):
            pause: timedelta | None = timedelta()
            while pause is not None and not lost.is_set() and not self._looking.over.wait(pause.total_seconds()):
                pause = self.step()


def _answered(order: Attempt) -> int | None:
    """The status of the answer to the last try of an order; None where none came."""
    return order.failure.status if order.failure else None


def _nothing_left(order: Attempt) -> bool:
    """Whether nothing of the last try of an order left this machine."""
    return order.failure is not None and order.failure.kind == NotSent.__name__

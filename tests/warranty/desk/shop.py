"""A counter: a clerk at the desk, and a service that can be made to fail."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from sandbox import SandboxServer
from tests.builders import order_of
from tests.warranty.conftest import Clock
from warranty.access import Operator
from warranty.desk import Desk
from warranty.desk.journal import Attempt
from warranty.desk.sale_lookup import LookUp
from warranty.desk.sending import OPERATIONS, Resource


@dataclass(frozen=True)
class Shop:
    desk: Desk
    clerk: Operator
    sandbox: SandboxServer
    clock: Clock

    def send(
        self, resource: Resource, draft: str | None = None, *, by: Operator | None = None,
        knowing: Iterable[Attempt] = (), **more: Any,
    ) -> Attempt:  # fmt: skip
        """A second after the one before, as a new draft unless one is named; `knowing` what was sent on its order."""
        self.clock.advance(timedelta(seconds=1))
        given = {"screen": OPERATIONS[type(resource)], "draft_id": draft or uuid4().hex, **more}
        acknowledged = [one.attempt_id for one in knowing]
        return self.desk.send(by or self.clerk, resource, acknowledged=acknowledged, **given)

    def order(self, order_id: str = "o-1", *items: dict[str, Any], **more: Any) -> Attempt:
        return self.send(order_of(*items, order_id=order_id), **more)

    def fails(self, operation: str, kind: str = "status", **more: Any) -> None:
        self.sandbox.add_fault(operation, kind, **more)

    def unanswered(self, resource: Resource, kind: str = "drop_before_write", **more: Any) -> Attempt:
        """Send it, and lose every answer to it."""
        self.fails(OPERATIONS[type(resource)], kind, times=3)
        attempt = self.send(resource, **more)
        self.sandbox.clear_faults()
        return attempt

    def now(self, attempt: Attempt | str) -> Attempt:
        """What an entry has become, or what became of a draft."""
        if isinstance(attempt, str):
            found = self.desk.activity.attempt_of(self.clerk, attempt)
        else:
            found = self.desk.journal.attempt("sandbox", attempt.attempt_id)
        assert found is not None
        return found

    def look_up(self, sale: Attempt) -> LookUp:
        return self.desk.look_up_sale(self.clerk, sale.attempt_id)

    def calls(self, operation: str) -> list[dict[str, Any]]:
        return [call for call in self.sandbox.calls() if call["operation"] == operation]

"""What the service says of an order's plans: read once per order as a job, kept in the tab, read again on demand.

A rerun never waits for it, and the screen works without it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.serving.jobs import JobRegistry
from components.ui.frame.polling import poll
from warranty.client.resources import PurchaseWarranties
from warranty.clock import utc_now
from warranty.errors import Failure, WarrantyError
from warranty.language import _

_POLL_SECONDS: Final = 0.3
_PATIENCE: Final = timedelta(seconds=2)
_NAME: Final = "plan-reading"


@dataclass(frozen=True, slots=True)
class PlanReading:
    """The last word on an order's plans: an answer, or why there is none newer; `read_at` is in UTC.

    `awaited` is true for the first moments of the first reading: it is not worth drawing what will be replaced at once.
    """

    order_id: str
    answer: PurchaseWarranties | None = None
    failure: Failure | None = None
    read_at: datetime | None = None
    awaited: bool = False

    @property
    def order_is_unknown(self) -> bool:
        """Whether the service says that it has no such order."""
        return self.failure is not None and self.failure.kind == "OrderNotFound"


def plan_reading(
    jobs: JobRegistry, order_id: str, read: Callable[[str], PurchaseWarranties], *, after: str = "", name: str = _NAME
) -> PlanReading:
    """Give what is known now, and start reading where nothing is known.

    `after` names the last thing that may have changed the order; a tab has one reading of each `name`. The answer of a
    read that is under way comes with a rerun of its own; until then an older answer on the same order stands.
    """
    job = f"plans:{session.tab_name()}:{order_id}:{after}"
    if jobs.finished(job):
        session.remember(name, (job, jobs.take(job)))
    known: tuple[str, PlanReading] | None = session.recall(name, None)
    if known is not None and known[0] == job:
        return known[1]
    jobs.start_once(job, partial(_read, order_id, read))
    awaited = jobs.age(job) < _PATIENCE
    _wait(jobs, job, awaited=awaited)
    if known is not None and known[1].order_id == order_id:
        return known[1]
    return PlanReading(order_id, awaited=awaited)


def read_plans_again() -> None:
    """Read again at the next run; for callbacks. What was read stays on the screen until then."""
    known: tuple[str, PlanReading] | None = session.recall(_NAME, None)
    if known is not None:
        session.remember(_NAME, ("", known[1]))


def _read(order_id: str, read: Callable[[str], PurchaseWarranties]) -> PlanReading:
    try:
        answer = read(order_id)
    except WarrantyError as error:
        return PlanReading(order_id, failure=error.failure, read_at=utc_now())
    return PlanReading(order_id, answer=answer, read_at=utc_now())


def _wait(jobs: JobRegistry, job: str, *, awaited: bool) -> None:
    def draw() -> bool:
        if not jobs.running(job) or awaited != (jobs.age(job) < _PATIENCE):
            return False
        st.caption(_("Asking the service for the plans…"))
        return True

    poll(draw, every=_POLL_SECONDS)

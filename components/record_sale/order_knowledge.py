"""All that is known of an order before a sale: its items, their plans, what is covered, and what was refused."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import streamlit as st

from components.forms.draft_form import DraftForm
from components.orders.order_actions import order_actions
from components.orders.plan_reading import PlanReading, plan_reading, read_plans_again
from components.sending.own_drafts import Sending
from components.words.attempts import clock_time
from warranty.errors import AvailablePlan, Failure
from warranty.journal import Attempt, AttemptState
from warranty.resources import PurchaseWarranties
from warranty.sales.plans_known import SaleItem, items_of
from warranty.sales.sale_refusals import concerned

SENT = "sent"
"""The draft's name for the keys of the items that were sent last, in their order."""
_MOST_BY_HAND = 20


@dataclass(frozen=True, slots=True)
class SaleKnowledge:
    """The items of an order as they can be sold, and what was refused, by item key."""

    order_id: str = ""
    items: tuple[SaleItem, ...] = ()
    refusals: dict[str, Failure] = field(default_factory=dict)


def item_name(order_id: str, item_key: str) -> str:
    """What the draft's fields of an item begin with, for each order its own: a look at another order loses nothing."""
    return f"item.{hashlib.sha256(order_id.encode()).hexdigest()[:8]}.{item_key}"


def item_field(order_id: str, item_key: str, field: str) -> str:
    """The draft's name for a field of an item."""
    return f"{item_name(order_id, item_key)}.{field}"


def sale_knowledge(sale: Sending, order_id: str) -> SaleKnowledge:
    """Gather what is known, reading the order's plans once as a job; draws how fresh that is."""
    if not order_id:
        return SaleKnowledge()
    runtime, operator, form = sale.runtime, sale.operator, sale.form
    story = runtime.desk.order_timeline(operator, order_id)
    order_actions(story, currency=runtime.settings.currency, apart_from=form.draft_id, concerns="record_sale")
    reading = PlanReading(order_id)
    if runtime.client.has("purchase_warranties") and not form.is_locked:
        reading = plan_reading(
            runtime.jobs, order_id, runtime.client.purchase_warranties, after=_last_change(story)
        )
    reading = _or_read_before(form, reading)
    if reading.awaited:
        return SaleKnowledge(order_id)
    order = runtime.desk.order(operator, order_id)
    if order is not None and order.already_known:
        order = None  # its items are what was typed here, not what the service holds
    refusals = _refusals(sale.attempt, order_id, keys=form.kept(SENT, []))
    for key, refusal in refusals.items():
        if refusal.plans:
            form.keep(_listed(order_id, key), [[plan.months, plan.type] for plan in refusal.plans])
    items = items_of(
        order,
        reading.answer,
        sales=() if reading.answer else story,
        listed=lambda key: [AvailablePlan(*plan) for plan in form.kept(_listed(order_id, key), [])],
        terms=runtime.settings.terms,
        by_hand=form.kept(_by_hand(order_id), 0),
    )
    _told(reading, order, may_read=not form.is_locked)
    return SaleKnowledge(order_id, items, refusals)


def add_by_hand(form: DraftForm, known: SaleKnowledge) -> None:
    """Draw the button that adds an item which the desk does not know of."""
    count = sum(item.by_hand for item in known.items)
    if known.items and count < _MOST_BY_HAND and not form.is_locked:
        st.button(
            "Add an item by hand",
            key="sale-by-hand",
            type="tertiary",
            on_click=form.keep,
            args=(_by_hand(known.order_id), count + 1),
        )


def _or_read_before(form: DraftForm, reading: PlanReading) -> PlanReading:
    """The reading, with the answer of earlier where it has none: a service that is down takes no basket away.

    The same while the draft is locked: what the service says by then is no longer what was sold from.
    """
    field = item_field(reading.order_id, "order", "read")
    if reading.answer is not None and reading.read_at is not None:
        form.keep(field, [reading.read_at.isoformat(), reading.answer.model_dump(mode="json")])
        return reading
    before = form.kept(field, None)
    if before is None or reading.awaited:
        return reading
    read_at, answer = before
    answer = PurchaseWarranties.model_validate(answer)
    return replace(reading, answer=answer, read_at=datetime.fromisoformat(read_at))


def _told(reading: PlanReading, order: Attempt | None, *, may_read: bool) -> None:
    """Say what the items rest on, and let it be read again where it may."""
    if reading.order_is_unknown:
        st.warning(
            "The service has no order with this id. Check the id; if the order was never sent, send it first: "
            "a plan can be sold on an order that the service has."
        )
    elif reading.failure is not None:
        instead = "what stands here is what this desk knows" if order else "enter what was sold by hand"
        if reading.answer and reading.read_at:
            instead = f"what stands here was read at {clock_time(reading.read_at)}"
        st.warning(f"The plans of this order could not be read now, so {instead}.")
    elif order is None and reading.answer is None:
        st.info(
            "This order was not sent from this desk, so it is not known here. Check the id, then enter what was sold "
            "by hand."
        )
    if reading.read_at is not None and may_read:
        st.button(
            f"Plans as of {clock_time(reading.read_at)}. Read again",
            key="read-plans-again",
            type="tertiary",
            on_click=read_plans_again,
        )


def _last_change(story: Sequence[Attempt]) -> str:
    """What this desk did last to the order, whoever did it: after it the plans are read anew."""
    ended = [entry for entry in story if entry.state is not AttemptState.SENDING]
    return f"{ended[-1].attempt_id}.{ended[-1].state}" if ended else ""


def _refusals(attempt: Attempt | None, order_id: str, *, keys: list[str]) -> dict[str, Failure]:
    """What the last try of this draft was refused for, by the item that it concerns."""
    if (
        attempt is None
        or attempt.state is not AttemptState.REFUSED
        or attempt.failure is None
        or attempt.failure.kind != "RequestRefused"
        or attempt.order_id != order_id
    ):
        return {}
    places = concerned(attempt.failure.service_words, attempt.items, order_id=order_id)
    return {keys[place]: attempt.failure for place in places if place < len(keys)}


def _listed(order_id: str, key: str) -> str:
    return item_field(order_id, key, "listed")


def _by_hand(order_id: str) -> str:
    return item_field(order_id, "hand", "count")

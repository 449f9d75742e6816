"""All that is known of an order before a sale: its items, their plans, what is covered, and what was refused."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

import streamlit as st

from components.selling.orders.order_actions import order_actions
from components.selling.orders.plan_choice import item_name, term_of
from components.selling.orders.plan_reading import PlanReading, plan_reading, read_plans_again
from components.selling.sending.own_drafts import Sending
from components.selling.sending.settling import landing_page_of
from components.ui.forms.draft_form import DraftForm
from components.words.attempts import clock_time
from warranty.client.resources import PurchaseWarranties
from warranty.desk.journal import Attempt, AttemptState
from warranty.desk.sale_lookup import PLANS_READ
from warranty.desk.sales.plans_known import SaleItem, items_of
from warranty.desk.sales.sale_refusals import concerned
from warranty.errors import AvailablePlan, Failure
from warranty.language import _

SENT = "sent"
"""The draft's name for the keys of the items that were sent last, in their order."""
_MOST_BY_HAND = 20


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an item was refused: for its term in `months`, if for that; it `stands` until another is chosen."""

    failure: Failure
    months: int | None
    stands: bool


@dataclass(frozen=True, slots=True)
class SaleKnowledge:
    """The items of an order as they can be sold, and what was refused, by item key.

    `page` is the order's landing page, `read_at` is when their plans were read, where they may be read again.
    """

    order_id: str = ""
    items: tuple[SaleItem, ...] = ()
    refusals: dict[str, Refusal] = field(default_factory=dict)
    page: str = ""
    read_at: datetime | None = None


def item_field(order_id: str, item_key: str, field: str) -> str:
    """The draft's name for a field of an item."""
    return f"{item_name(order_id, item_key)}.{field}"


def sale_knowledge(sale: Sending, order_id: str) -> SaleKnowledge:
    """Gather what is known, reading the order's plans once as a job; says what is missing."""
    if not order_id:
        return SaleKnowledge()
    runtime, operator, form = sale.runtime, sale.operator, sale.form
    story = runtime.desk.activity.order_timeline(operator, order_id)
    order_actions(story, currency=runtime.settings.currency, apart_from=form.draft_id, concerns="record_sale")
    reading = PlanReading(order_id)
    if runtime.desk.can_look_up and not form.is_locked:
        read = partial(runtime.desk.plans_of, operator)
        reading = plan_reading(runtime.jobs, order_id, read, after=_last_change(story))
    reading = _or_read_before(form, reading)
    if reading.awaited:
        return SaleKnowledge(order_id)
    order = runtime.desk.activity.order(operator, order_id)
    if order is not None and order.result.already_known:
        order = None  # its items are what was typed here, not what the service holds
    refusals = _refusals(sale.attempt, order_id, form)
    for key, refusal in refusals.items():
        if plans := refusal.failure.plans:
            form.keep({_listed(order_id, key): [[plan.months, plan.type] for plan in plans]})
    items = items_of(
        order,
        reading.answer,
        sales=() if reading.answer else story,
        listed=lambda key: [AvailablePlan(*plan) for plan in form.content.get(_listed(order_id, key), [])],
        terms=runtime.settings.terms,
        by_hand=_made_by_hand(form, order_id),
    )
    gone = form.content.get(_gone(order_id), [])
    left = tuple(item for item in items if item.key not in gone)
    _notice(reading, order)
    page = landing_page_of(runtime, operator, order_id)
    return SaleKnowledge(order_id, left, refusals, page, None if form.is_locked else reading.read_at)


def below_the_items(form: DraftForm, known: SaleKnowledge) -> None:
    """Draw what few sales need: an item that the desk does not know of, and the plans as they stand now."""
    with st.container(horizontal=True, vertical_alignment="center"):
        _add_by_hand(form, known)
        if known.read_at is not None:
            st.button(_("Refresh plans"), key="read-plans-again", icon=":material/refresh:", on_click=read_plans_again)
            st.caption(_("As of {time}", time=clock_time(known.read_at)), width="content")


def _add_by_hand(form: DraftForm, known: SaleKnowledge) -> None:
    shown = sum(item.by_hand for item in known.items)
    if known.items and shown < _MOST_BY_HAND and not form.is_locked:
        made = max(form.content.get(_by_hand(known.order_id), 0), shown)
        st.button(
            _("Add a custom item"),
            key="sale-by-hand",
            icon=":material/add:",
            on_click=form.keep,
            args=({_by_hand(known.order_id): made + 1},),
        )


def removal(form: DraftForm, known: SaleKnowledge, item: SaleItem) -> Callable[[], None] | None:
    """What takes an item off the screen: one that was entered by hand, where it is not the only one."""
    if not item.by_hand or len(known.items) == 1:
        return None
    gone = _gone(known.order_id)
    return lambda: form.keep({gone: [*form.content.get(gone, []), item.key]})


def _or_read_before(form: DraftForm, reading: PlanReading) -> PlanReading:
    """The reading, with the answer of earlier where it has none: a service that is down takes no basket away.

    The same while the draft is locked: what the service says by then is no longer what was sold from.
    """
    known = form.content.get(PLANS_READ, {})
    if reading.answer is not None and reading.read_at is not None:
        read = [reading.read_at.isoformat(), reading.answer.model_dump(mode="json")]
        form.keep({PLANS_READ: {**known, reading.order_id: read}})
        return reading
    before = known.get(reading.order_id)
    if before is None or reading.awaited:
        return reading
    read_at, answer = before
    answer = PurchaseWarranties.model_validate(answer)
    return replace(reading, answer=answer, read_at=datetime.fromisoformat(read_at))


def _notice(reading: PlanReading, order: Attempt | None) -> None:
    """Say what the items rest on, where it is not all that could be known."""
    if reading.order_is_unknown:
        st.warning(_("The service has no order with this number. Check it; if it was never sent, send it first."))
    elif reading.failure is not None:
        instead = _("Here is what this desk knows.") if order else _("Enter the item by hand.")
        if reading.answer and reading.read_at:
            instead = _("Showing plans from {time}.", time=clock_time(reading.read_at))
        st.warning(_("The plans of this order cannot be read right now.") + f" {instead}")
    elif order is None and reading.answer is None:
        st.info(_("This order was not sent from this desk. Check its number, then enter what was sold."))


def _last_change(story: Sequence[Attempt]) -> str:
    """What this desk did last to the order, whoever did it: after it the plans are read anew."""
    ended = [entry for entry in story if entry.state is not AttemptState.SENDING]
    return f"{ended[-1].attempt_id}.{ended[-1].state}" if ended else ""


def _refusals(attempt: Attempt | None, order_id: str, form: DraftForm) -> dict[str, Refusal]:
    """What the last try of this draft was refused for, by the item that it concerns."""
    if (
        attempt is None
        or attempt.state is not AttemptState.REFUSED
        or attempt.failure is None
        or attempt.failure.kind != "RequestRefused"
        or attempt.order_id != order_id
    ):
        return {}
    failure, refusals = attempt.failure, {}
    places = concerned(failure.service_words, attempt.items, order_id=order_id)
    for place, key in enumerate(form.content.get(SENT, [])):
        if place in places:
            months = attempt.items[place].term_months if failure.plans else None
            stands = months is None or term_of(form, item_name(order_id, key)) == str(months)
            refusals[key] = Refusal(failure, months, stands)
    return refusals


def _made_by_hand(form: DraftForm, order_id: str) -> int:
    """How many items are entered by hand: the first one stands there unasked, and counts once something is in it."""
    begun = any(form.content.get(item_field(order_id, "hand1", field)) for field in ("term", "product_id"))
    made: int = form.content.get(_by_hand(order_id), 0)
    return max(made, int(begun))


def _listed(order_id: str, key: str) -> str:
    return item_field(order_id, key, "listed")


def _by_hand(order_id: str) -> str:
    return item_field(order_id, "hand", "count")


def _gone(order_id: str) -> str:
    return item_field(order_id, "hand", "gone")

"""Which order a sale is for (typed, scanned, pasted as a link, or picked from the recent ones), and all that is known
of it: its items, their plans, what is covered, and what was refused.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Final

import streamlit as st

from components.platform.markup import plain
from components.selling.orders.order_actions import order_actions
from components.selling.orders.plan_choice import PlanReading, item_name, plan_reading, read_plans_again, term_of
from components.selling.orders.recent_orders import SHOWN, orders_table
from components.selling.sending.own_drafts import Sending
from components.selling.sending.settling import landing_page_of
from components.system.camera.camera import camera_button
from components.ui.forms.draft_form import DraftForm
from components.words.attempts import clock_time
from warranty.client.resources import PurchaseWarranties
from warranty.client.resources.landing import is_of_another_keyboard, read_landing_page_url, scanned_order_id
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
            form.keep({item_field(order_id, key, "listed"): [[plan.months, plan.type] for plan in plans]})
    items = items_of(
        order,
        reading.answer,
        sales=() if reading.answer else story,
        listed=lambda key: [AvailablePlan(*plan) for plan in form.content.get(item_field(order_id, key, "listed"), [])],
        terms=runtime.settings.terms,
        by_hand=_made_by_hand(form, order_id),
    )
    gone = form.content.get(item_field(order_id, "hand", "gone"), [])
    left = tuple(item for item in items if item.key not in gone)
    with st.container():
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
        made = max(form.content.get(item_field(known.order_id, "hand", "count"), 0), shown)
        st.button(
            _("Add a custom item"),
            key="sale-by-hand",
            icon=":material/add:",
            on_click=form.keep,
            args=({item_field(known.order_id, "hand", "count"): made + 1},),
        )


def removal(form: DraftForm, known: SaleKnowledge, item: SaleItem) -> Callable[[], None] | None:
    """What takes an item off the screen: one that was entered by hand, where it is not the only one."""
    if not item.by_hand or len(known.items) == 1:
        return None
    gone = item_field(known.order_id, "hand", "gone")
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
    made: int = form.content.get(item_field(order_id, "hand", "count"), 0)
    return max(made, int(begun))


_AS_IT_STANDS: Final = "order.as-it-stands"


def sale_order(sale: Sending) -> str:
    """Draw the field, and the orders of this desk that fit while none is chosen; gives the order's id."""
    form, desk = sale.form, sale.runtime.desk
    # It has the focus (page_head.js): a scanner types at once.
    with st.container(horizontal=True, vertical_alignment="bottom", gap=None, key=f"begin-{form.draft_id}"):
        entered = form.text("order", _("Order"), placeholder=_("Code on the slip, order number, or link"))
        camera_button()
    order_id, problem = order_entered(entered, sale.runtime.settings.retailer_uuid)
    if order_id and order_id != entered:  # the field shows the id, not the slip's address
        form.put({"order": order_id})
        st.rerun()
    if problem:
        st.markdown(f":red[**{plain(problem)}**]")
        return ""
    found = desk.activity.recent_orders(sale.operator, order_id)
    if order_id and (any(order.order_id == order_id for order in found) or form.content.get(_AS_IT_STANDS) == order_id):
        return order_id
    if found:
        orders_table(
            found[:SHOWN], desk, sale.operator, searched=order_id, on_open=lambda picked: form.put({"order": picked})
        )
        if order_id:
            st.button(
                _("None of these: it is another order"),
                key="order-as-it-stands",
                on_click=form.keep,
                args=({_AS_IT_STANDS: order_id},),
            )
        # What was typed is a search as long as orders fit it: nothing is asked of the service for a part of an id.
        return ""
    if not order_id:
        st.caption(_("Plan sold with the product? Use Checkout."))
    return order_id


_AROUND: Final = "\"'“”‘’«».,;…"


def _bare(entered: str) -> str:
    """What was entered once, if it was scanned twice, without quotation marks, a point behind it, `#` before our id."""
    bare = (re.sub(r"^#(?=[0-9a-fA-F]{8}[-…])", "", word.lstrip(_AROUND)) for word in entered.split())
    words = {word.rstrip(_AROUND) for word in bare}
    return words.pop() if len(words) == 1 else entered


def order_entered(entered: str, retailer_uuid: str | None) -> tuple[str, str]:
    """The order id that was entered, or that of a landing page's address, else ""; and what is wrong, if anything."""
    entered = _bare(entered)
    if is_of_another_keyboard(entered) and not scanned_order_id(entered):
        return "", _("The scanner is set to another keyboard than this computer: set both to the same language")
    if not entered.lower().startswith(("https://", "http://")):
        return scanned_order_id(entered) or entered, ""
    page = read_landing_page_url(entered)
    if page is None:
        return "", _("This is not a customer page: paste the link that the customer got")
    if retailer_uuid and page.retailer_uuid.lower() != retailer_uuid.lower():
        return "", _("This link belongs to another shop, so its order cannot be sold here")
    return scanned_order_id(page.order_id) or page.order_id, ""

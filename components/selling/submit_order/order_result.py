"""An order that the service has: what that means, and the link kit."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from typing import Final

import streamlit as st

from components.navigation import go_to
from components.platform import session
from components.platform.markup import plain
from components.selling.orders.plan_choice import PlanReading, plan_reading
from components.selling.orders.recent_orders import remember_name, shown_order
from components.selling.sending.ending import orders_that_came_back
from components.selling.sending.own_drafts import Sending
from components.selling.submit_order.link_kit import NOBODY, Addressee, landing_link
from components.system.customer_screen.shown import Shown, ShownItem, basket, link, offered_plans, tell
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.faults import looked_at
from components.ui.forms.reach import phone_problem, reach_of
from components.ui.frame.failure_notice import reference, reporting_outage
from components.ui.frame.polling import poll
from components.ui.frame.two_columns import work_and_aside
from components.words.amounts import money
from components.words.attempts import covered_days, moment, short_id
from warranty.access import Operator
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptState, ItemLine, LinkShown
from warranty.desk.second_sending import taken_from_here
from warranty.errors import JournalUnavailable
from warranty.files.printing.slip import SlipItem
from warranty.language import _, isolated, ngettext
from warranty.language.written import number, price
from warranty.places.contact import read_phone

_NOTED: Final = "links-shown"
_LOOKS_SECONDS: Final = 2.0


def stored_order(order: Sending) -> bool:
    """Draw the screen's title and the order that the service has stored, and say whether there is one.

    That is the one of earlier that the address of this screen names (`?order=...`), else the draft's own; also one that
    waits for the service or that it does not answer, whose link is handed out before it has it. On top stands what came
    back of this person's.
    """
    runtime, operator, form, desk = order.runtime, order.operator, order.form, order.runtime.desk
    title = st.container()
    earlier = shown_order(partial(desk.activity.order, operator))
    title.title(
        _("Order {order}", order=plain(short_id(earlier.order_id))) if earlier else _("New order"), anchor=False
    )
    stored = earlier or order.done or order.waiting or _handed_out(order)
    orders_that_came_back(runtime, operator, form=form)
    if stored is None:
        return False
    read = partial(desk.plans_of, operator) if desk.can_look_up else None
    # Once in a run: it draws the watch that waits for the answer.
    now = cache(partial(plan_reading, runtime.jobs, stored.order_id, read)) if read else None
    work, aside = work_and_aside()
    with work:
        story = cache(partial(desk.activity.order_timeline, operator, stored.order_id))
        links = cache(partial(desk.activity.links_of_order, operator, stored.order_id))
        held = _held(stored, story=story, now=now, links=links)
        is_handed_out = held.is_this_customers and stored.result.warrantable_products is not False
        # Of a link that is handed out the button that copies it has the focus, right below what the message says.
        with st.container() if stored.result.landing_url and is_handed_out else looked_at(stored.attempt_id):
            _meaning(stored, held)
        _until_stored(desk, operator, stored)
        has_link = stored.result.landing_url is not None and is_handed_out
        sold_on = any(one.operation != "submit_order" and one.state is AttemptState.DONE for one in story())
        can_decline = has_link and not stored.waits and not sold_on
        declined = can_decline and any(link.declined_at for link in links())
        addressee = NOBODY if earlier else _addressee(form)
        if stored.result.landing_url and held.is_this_customers:
            items = [_on_the_slip(item, held.items or (), story()) for item in held.items or ()]
            landing_link(stored, stored.result.landing_url, items, addressee, runtime.settings, declined=declined)
            if is_handed_out:
                _note_link_shown(desk, operator, stored)
                if addressee.first_name:
                    remember_name(stored.order_id, addressee.first_name)
    with aside, st.container(border=True):
        st.header(_("This order"), anchor=False)
        _sold(stored, held, addressee, now=now, currency=runtime.settings.currency)
        tell(runtime.customer_screens, operator, _seen(stored, held, now, currency=runtime.settings.currency))
        if earlier is None:
            # What waits keeps its draft: it is what a person corrects if the service refuses the order.
            anew = reporting_outage(form.leave if stored.waits else form.start_anew)
            st.button(
                _("Next order"), key="next-order", on_click=anew, type="primary", width="stretch", shortcut="Alt+N"
            )
        elif st.button(_("Back to the new order"), key="back-to-order", type="primary", width="stretch"):
            go_to("submit_order")
        can_be_sold_on = not stored.waits and stored.result.warrantable_products is not False
        if can_be_sold_on and st.button(_("Record a sale for this order"), key="sell-on-order", width="stretch"):
            go_to("record_sale", order=stored.order_id)
        if can_decline:
            _decline_button(desk, operator, stored, declined=declined)
        with st.expander(_("Details")):
            st.caption(_("Order number"))
            st.code(stored.order_id, language=None, wrap_lines=True)
            reference(stored.attempt_id)
    return True


def _handed_out(order: Sending) -> Attempt | None:
    """The order whose answer does not come, once that is written down: whatever becomes of it, its link is out."""
    if order.attempt is None or not order.is_slow:
        return None
    slow = order.runtime.desk.hand_out_link(order.operator, order.attempt.attempt_id)
    return slow if slow.waits else None


def _on_the_slip(item: ItemLine, items: Sequence[ItemLine], story: Sequence[Attempt]) -> SlipItem:
    units = sum(each.quantity for each in items if each.product_id == item.product_id)
    return SlipItem(item.title, item.quantity, covered_days(story, item.product_id, units) if item.product_id else ())


def _decline_button(desk: Desk, operator: Operator, order: Attempt, *, declined: bool) -> None:
    """Draw the button that says of the order that its customer declined the plan, or that takes it back."""
    if declined:
        st.text(_("The customer declined the plan. The slip has a line to sign."))
    st.button(
        _("Undo declined") if declined else _("Declined"),
        key="declined",
        on_click=reporting_outage(desk.activity.decline),
        args=(operator, order),
        kwargs={"declined": not declined},
        width="stretch",
        shortcut="Alt+X",
    )


def _until_stored(desk: Desk, operator: Operator, order: Attempt) -> None:
    """While an order waits, look again and again whether it still does; then the screen is drawn anew."""

    def still_waits() -> bool:
        newest = desk.activity.attempt(operator, order.attempt_id)
        return newest is not None and newest.waits

    if order.waits:
        poll(still_waits, every=_LOOKS_SECONDS)


def _addressee(form: DraftForm) -> Addressee:
    """The customer as this tab remembers; after a reload nothing is left, since the journal keeps no customers."""
    content = form.content
    reach, country = reach_of(content, "billing_address."), content.get("billing_address.country") or "US"
    can_be_called = reach["phone"] and not phone_problem(reach["phone"], country)
    return Addressee(
        first_name=content.get("billing_address.first_name", "").strip(),
        email=reach["email"],
        phone=read_phone(reach["phone"], country).e164 if can_be_called else "",
    )


def _note_link_shown(desk: Desk, operator: Operator, order: Attempt) -> None:
    """Note in the journal that the link stood on this person's screen: once for each person and order.

    The customer is waiting for the link: a journal that does not answer now is told at the next drawing.
    """
    noted: frozenset[str] = session.recall(_NOTED, frozenset())
    if order.attempt_id not in noted:
        with contextlib.suppress(JournalUnavailable):
            desk.activity.note_link(operator, order.attempt_id)
            session.remember(_NOTED, noted | {order.attempt_id})


@dataclass(frozen=True, slots=True)
class _Held:
    """What the service holds of an order: its items, None where nobody here knows, and the sending that it took.

    Where it is not known to have taken one it may be another customer's order, unless a person said otherwise
    (`is_this_customers`); `was_sent` from this desk and not answered, it is more likely not.
    """

    items: Sequence[ItemLine] | None
    taken: Attempt | None
    was_sent: bool
    is_this_customers: bool


def _held(
    attempt: Attempt,
    *,
    story: Callable[[], Sequence[Attempt]],
    now: Callable[[], PlanReading] | None,
    links: Callable[[], Sequence[LinkShown]],
) -> _Held:
    """What was sent, where the service took that; else its own word, and what was sent once a person says so.

    `story` gives all that was sent on the order, `now` what the service says of it, where that can be read, and `links`
    who had its link on the screen. An order that waited, and that the service then knew already, it most likely has
    from a try that was not answered; its customer has the link.
    """
    is_as_shown = attempt.result.already_known is None and any(
        attempt.finished_at and link.shown_at < attempt.finished_at for link in links()
    )
    if attempt.result.already_known is False or attempt.waits or is_as_shown:
        return _Held(attempt.items, attempt, was_sent=True, is_this_customers=True)
    sent = [one for one in story() if one.operation == "submit_order" and not one.state.nothing_written]
    taken = taken_from_here(sent)
    unanswered = next((one for one in sent if one.result.already_known is None), None)
    is_this_customers = taken is not None or session.recall(_theirs(attempt), False)
    ours = taken or (unanswered if is_this_customers else None)
    items: Sequence[ItemLine] | None = ours.items if ours else None
    if now and (read := now().answer) is not None:
        items = [
            ItemLine(
                line.product_title or line.product_id or _("Item without a name"),
                line.product_id or "",
                line.quantity or 1,
                line.product_price,
            )
            for line in read.line_items
        ]
    return _Held(items, taken, unanswered is not None, is_this_customers)


def _seen(order: Attempt, held: _Held, now: Callable[[], PlanReading] | None, *, currency: str) -> Shown | None:
    """What the customer sees of the order: nothing of one that may be another customer's."""
    if not held.is_this_customers:
        return None
    items = [ShownItem(item.title or item.product_id, item.quantity, item.price) for item in held.items or ()]
    if not order.result.landing_url or order.result.warrantable_products is False:
        return basket(items, currency=currency)
    offers = offered_plans(now().answer if now and not order.waits else None)
    return link(order.result.landing_url, items, offers, currency=currency, works_later=order.waits)


def _sold(
    order: Attempt, held: _Held, addressee: Addressee, *, now: Callable[[], PlanReading] | None, currency: str
) -> None:
    """Draw what was sold, for how much, to whom as far as this tab knows it, and how much of it can be protected."""
    if held.items is None:
        st.text(_("Its items are not known at this desk."))
        return
    for item in held.items:
        costs = "" if item.price is None else f" · {price(item.price)}"
        st.text(f"{number(item.quantity)} × {isolated(item.title)}{costs}")
    units = sum(item.quantity for item in held.items)
    prices = [item.price * item.quantity for item in held.items if item.price is not None]
    total = f", {money(sum(prices, Decimal()), currency)}" if len(prices) == len(held.items) else ""
    with st.container(key="order-total"):
        st.text(ngettext("{n} item", "{n} items", units, n=number(units)) + total)
    if reach := ", ".join(filter(None, (addressee.first_name, addressee.email or addressee.phone))):
        st.text(_("For {customer}", customer=reach))
    if not order.result.warrantable_products:
        return
    read = now().answer if now and order.result.already_known is False else None
    if read is not None:
        can = sum(line.quantity or 1 for line in read.line_items if line.offers or line.warranties)
        st.text(
            ngettext(
                "{can} of {n} item can be protected",
                "{can} of {n} items can be protected",
                units,
                can=number(can),
                n=number(units),
            )
        )
    elif now is None:
        st.text(_("It can be protected") if units == 1 else _("At least one item can be protected"))


def _theirs(attempt: Attempt) -> str:
    return f"is-this-customers-order:{attempt.attempt_id}"


def _meaning(attempt: Attempt, held: _Held) -> None:
    if attempt.waits:
        st.info(
            _("**The link will work as soon as the service is back: tell the customer.** We'll send the order for you.")
        )
    elif held.taken is None:
        happened = (
            _("**The service has an order with this number: yours, or another customer's.**")
            if held.was_sent
            else _("**Nothing was stored: the service already had an order with this number.**")
        )
        to_do = _("Compare its items. If it is another customer's, send yours under a new order number.")
        st.warning(f"{happened} {to_do}")
        if not held.is_this_customers:
            st.button(
                _("It is this customer's order: show the link"),
                key=f"theirs-{attempt.attempt_id}",
                on_click=session.remember,
                args=(_theirs(attempt), True),
            )
    elif held.taken is not attempt:
        person, when = plain(held.taken.operator_name), moment(held.taken.started_at)
        happened = _(
            "**The service already had this order, sent from this desk by {person}, {when}.**", person=person, when=when
        )
        st.info(happened + " " + _("Nothing was changed, and the link is the same as before."))
    elif attempt.result.warrantable_products is False:
        st.info(_("**The order is stored, but no plan fits its items.** Don't hand out its link."))
    else:
        st.success(_("**The order is stored.** Hand the link to the customer."))

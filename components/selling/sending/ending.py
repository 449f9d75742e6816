"""What became of something that was sent, and the one right next step: on its way, refused, not sent, or not known."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Final

import streamlit as st

from components.navigation import go_to
from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.selling.sending import press
from components.selling.sending.own_drafts import PATIENCE, Sending, other_drafts
from components.selling.sending.settling import AT_THE_COUNTER, WRITES, landing_page_of, look_up_button, settling
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.faults import looked_at
from components.ui.frame.failure_notice import (
    desk_problem_notice,
    failure_notice,
    reference,
    reporting_outage,
    service_words,
)
from components.ui.frame.polling import poll
from components.ui.frame.two_columns import next_step, work_and_aside
from components.wiring import Runtime
from components.words.amounts import money
from components.words.attempts import became_words, clock_time, items_words, moment
from warranty.access import Operator, Permission
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.errors import Failure
from warranty.language import N_, _
from warranty.language.written import number

_ASK_THE_SERVICE: Final = N_(
    "Don't record it again, or the customer could be charged for two plans: ask the service first."
)
_POLL_SECONDS: Final = 1.0


def ending(sending: Sending, total: Decimal | None, *, advice: str | None) -> None:
    """Draw how far it has come, the button that sends it (again) where it may be, and the person's other drafts.

    The button says the `total`, where that is known; `advice` is what to do about a refusal whose words stand in the
    form: they are folded here, and gone once there is nothing to do ("").
    """
    amount = "" if total is None else f", {money(total, sending.runtime.settings.currency)}"
    if _may_be_sent(sending, advice=advice):
        with st.container(key="main-action"):  # at hand on every size: desk.css
            press.send_button(_(sending.write.button) + amount, sending.form.draft_id)
        if sending.attempt is not None:
            _put_aside(sending)
            settling(sending.attempt, runtime=sending.runtime, operator=sending.operator)
    other_drafts(sending.form, called=sending.called)


def _may_be_sent(sending: Sending, *, advice: str | None) -> bool:
    runtime, write, attempt, draft_id = sending.runtime, sending.write, sending.attempt, sending.form.draft_id
    put_aside = partial(_put_aside, sending)
    # What may be sent again can be left at once: while the service is silent, customers wait.
    when_late = put_aside if write.acts_twice is None else None
    late = {"late_after": PATIENCE} if sending.may_wait else {}
    if press.working(runtime.jobs, draft_id, _(write.doing), when_late=when_late, **late):
        return False
    if _sent_elsewhere(sending):
        put_aside()
        return False
    if sending.problem is not None:
        with looked_at(f"{draft_id}-problem"):
            desk_problem_notice(sending.problem)
    if attempt is None:
        return True
    asks = attempt.state.is_open and attempt.operation == "record_sale" and runtime.desk.can_look_up
    if attempt.state is AttemptState.NOT_RECORDED and write.acts_twice:
        st.info(_(write.acts_twice.not_recorded))
    elif (attempt.failure or attempt.state.is_open) and advice != "":
        with looked_at(attempt.attempt_id):
            failure_notice(
                failure_of(attempt),
                words_folded=advice is not None,
                to_do=advice or (_(_ASK_THE_SERVICE) if asks else ""),
            )
    if attempt.state.is_open:
        way_out(attempt, runtime=runtime, operator=sending.operator, put_aside=put_aside, shortcut="Ctrl+Enter")
        return False
    return True


def _put_aside(sending: Sending) -> None:
    """The button that leaves it for later, and begins an empty form."""
    st.button(_("Put aside"), key="leave-it", width="stretch", on_click=reporting_outage(sending.form.leave))


def way_out(
    attempt: Attempt,
    *,
    runtime: Runtime,
    operator: Operator,
    note: str = AT_THE_COUNTER,
    story: Callable[[], None] = lambda: None,
    put_aside: Callable[[], None] = lambda: None,
    **again: Any,
) -> None:
    """Draw the one thing to do about an unknown attempt, and what a person can say of it folded below `put_aside`.

    What is harmless is sent again, by a button with the options `again`; of a sale the service is asked, or its page is
    looked at. `note` stands with what a person says; `story` draws what else they have to know.
    """
    twice, is_sale = WRITES[attempt.operation].acts_twice, attempt.operation == "record_sale"
    asks = is_sale and runtime.desk.can_look_up
    page = landing_page_of(runtime, operator, attempt.order_id) if is_sale else ""
    to_page = partial(st.link_button, _("Open the customer page"), page, width="stretch")
    if twice is None:
        press.job_button(
            _("Try again"),
            jobs=runtime.jobs,
            job=attempt.draft_id,
            doing=_("Sending the order again"),
            work=partial(runtime.desk.send_order_again, operator, attempt.attempt_id),
            key=f"again-{attempt.attempt_id}",
            width="stretch",
            **again,
        )
    elif asks:
        look_up_button(runtime, operator, attempt)
    elif page:
        to_page(type="primary")

    def first() -> None:
        if twice is not None:
            st.text(_(twice.wait))
        story()
        if asks and page:
            to_page()

    alone = not asks and not page
    put_aside()
    settling(attempt, runtime=runtime, operator=operator, note=note, is_main=alone, first=first)


def went_through(
    sending: Sending,
    attempt: Attempt,
    happened: str,
    *,
    sold: Sequence[str],
    copied: str,
    paid: str = "",
    first: Callable[[], object],
    following: str,
    more: Callable[[], object] = lambda: None,
) -> None:
    """Draw what the service has, or a person found that it has: what was `sold`, its number to be `copied`.

    `first` and `more` draw what stands before and behind the button of the `following` sending.
    """
    is_hearsay, number = attempt.settled is not None and attempt.settled.is_hearsay, attempt.result.returned_id
    work, aside = work_and_aside()
    with work:
        with looked_at(attempt.attempt_id):
            (st.info if is_hearsay else st.success)(happened)
        with st.container(border=True):
            st.header(_("Sold"), anchor=False)
            for words in sold:
                st.text(words)
            if paid:
                st.metric(_("Paid"), paid)
            if number:
                copy_button(copied, number, kind="plain")
        if is_hearsay:
            st.text(became_words(attempt))
            if attempt.operation == "record_sale":
                look_up_button(sending.runtime, sending.operator, attempt)
            settling(attempt, runtime=sending.runtime, operator=sending.operator)
            reference(attempt.attempt_id)
    with aside, st.container(border=True):
        st.header(_("Next"), anchor=False)
        first()
        anew = reporting_outage(sending.form.start_anew)
        with next_step():
            st.button(following, key="next-one", on_click=anew, type="primary", width="stretch")
        more()


def failure_of(attempt: Attempt) -> Failure:
    """Why it did not end as asked; of an attempt whose process ended before the answer nothing is known."""
    unknown = Failure("OutcomeUnknown", attempt.operation, attempt.attempt_id, status=None, nothing_written=False)
    return attempt.failure or unknown


def _sent_elsewhere(sending: Sending) -> bool:
    """Draw the working state of what this process is not sending, or not any more."""
    attempt, doing = sending.attempt, _(sending.write.doing)
    if attempt is None or attempt.state is not AttemptState.SENDING:
        return False

    def draw() -> bool:
        newest = sending.runtime.desk.activity.attempt_of(sending.operator, attempt.draft_id)
        if newest is None or newest.state is not AttemptState.SENDING or sending.is_slow:
            return False
        seconds = max(1, math.ceil((newest.deadline - sending.runtime.desk.now()).total_seconds()))
        begun, person = clock_time(newest.started_at), plain(newest.operator_name)
        until = _("Without an answer in {n} s it counts as unknown.", n=number(seconds))
        st.info(_("{doing}, begun at {time} by {person}.", doing=doing, time=begun, person=person) + f" {until}")
        return True

    poll(draw, every=_POLL_SECONDS)
    return True


_SHOWN = 5


def orders_that_came_back(runtime: Runtime, operator: Operator, *, form: DraftForm | None = None) -> None:
    """Draw this person's, and all of them for who sees all activity, each with its one right next step.

    `form` is the form of a new order, in which one can be corrected: then only the person's own are drawn.
    """
    sees_all = form is None and operator.may(Permission.SEE_ALL_ACTIVITY)
    query = AttemptFilter(came_back=True, username=None if sees_all else operator.username, limit=None)
    back = runtime.desk.activity.attempts(operator, query)
    with st.container():  # always there: what stands below stays mounted when they come and go
        for order in back[:_SHOWN]:
            with st.container(border=True):
                _one(order, runtime, operator, form)
        if len(back) > _SHOWN:
            st.caption(_("and {n} more: settle these first.", n=number(len(back) - _SHOWN)))


def _one(order: Attempt, runtime: Runtime, operator: Operator, form: DraftForm | None) -> None:
    _description(order)
    with st.container(horizontal=True):
        if not order.state.nothing_written:
            if st.button(_("Show the order and its link"), key=f"show-{order.attempt_id}"):
                go_to("submit_order", order=order.order_id)
            st.button(
                _("Seen to") if order.result.warrantable_products is False else _("The customer has the right link"),
                key=f"saw-to-{order.attempt_id}",
                on_click=reporting_outage(partial(runtime.desk.saw_to, operator, order.attempt_id)),
            )
            return
        if form is not None:
            if form.draft_id == order.draft_id:
                return
            for draft in form.waiting():
                if draft.draft_id == order.draft_id:
                    correct = reporting_outage(partial(form.leave, draft))
                    st.button(_("Correct this order"), key=f"correct-{order.attempt_id}", on_click=correct)
        elif order.username == operator.username and st.button(
            _("Correct it at New order"), key=f"go-to-{order.attempt_id}"
        ):
            go_to("submit_order")
    settling(order, runtime=runtime, operator=operator)


def _description(order: Attempt) -> None:
    """What happened to it, which it is, and what to do."""
    what = _(
        "**{items}**, {when}, {person}, order {order}",
        items=plain(items_words(order.items)),
        when=moment(order.started_at),
        person=plain(order.operator_name),
        order=plain(order.order_id),
    )
    happened, to_do = map(_, _words(order))
    st.warning(f"**{happened}**\n\n{what}\n\n{to_do}")
    service_words(order.failure, expanded=True)


def _words(order: Attempt) -> tuple[str, str]:
    """What happened to it, and what to do."""
    if order.state.nothing_written:
        return (
            N_("An order that waited was refused. Its customer has a link that does not work."),
            N_("Correct the order and send it: the link then works. If that cannot be, tell the customer."),
        )
    if order.result.already_known:
        return (
            N_("An order that waited has the number of another order. Its customer has that order's link."),
            N_("If it is not this customer's order, send theirs under a new number, and hand out that link."),
        )
    if order.result.warrantable_products is False:
        return (
            N_("The service has no plan for an order that waited. Its customer's link offers nothing."),
            N_("Tell the customer that there is nothing to choose."),
        )
    return (
        N_("The service gave an order another link than its customer has."),
        N_("Print or send the right link, and take back the slip."),
    )

"""Orders that waited for the service and ended otherwise than their customers were told: tasks for their person."""

from functools import partial

import streamlit as st

from components.navigation import go_to
from components.platform.markup import plain
from components.selling.sending.settling import settling
from components.ui.forms.draft_form import DraftForm
from components.ui.frame.failure_notice import reporting_outage, service_words
from components.wiring import Runtime
from components.words.attempts import items_words, moment
from warranty.access import Operator, Permission
from warranty.desk.journal import Attempt, AttemptFilter
from warranty.language import N_, _
from warranty.language.written import number

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

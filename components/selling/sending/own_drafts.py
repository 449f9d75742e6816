"""A screen's draft: about one order, locked while what was sent of it is open, and beside the person's others.

The address of the tab names the draft, so that a reload finds it again where a person has several. It is of no use to
anybody else: a draft is only ever read for the one who wrote it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final

import streamlit as st

from components.navigation import was_pressed
from components.people.till.page import sold
from components.platform import session
from components.platform.browser_part import BrowserPart
from components.platform.markup import plain
from components.selling.sending import press
from components.selling.sending.settling import WRITES, Write
from components.ui.forms.draft_form import DraftForm
from components.ui.frame.ask_first import ask_in_dialog, open_question, question_subject
from components.ui.frame.failure_notice import reporting_outage
from components.wiring import Runtime
from components.words.attempts import moment, short_id
from warranty.access import Operator
from warranty.desk.journal import Attempt, AttemptState
from warranty.errors import DeskError
from warranty.language import _
from warranty.language.written import number

PATIENCE: Final = timedelta(seconds=3)
"""How long a customer waits for an answer that the link does not depend on."""
_JS: Final = """
export default function ({ data }) {
  const address = new URL(location.href);
  if (address.searchParams.get("draft") === data.draft) return;
  address.searchParams.set("draft", data.draft);
  history.replaceState(history.state, "", address);
}
"""
_ADDRESS: Final = BrowserPart("draft_address", _JS)


@dataclass(frozen=True, slots=True)
class Sending:
    """A draft of a screen that sends, what was sent of it last, and a problem of ours that ended the last try.

    The field `about` of the form names the order, whose id `read` reads there; `called` says what a draft is called, ""
    of an empty one.
    """

    runtime: Runtime
    operator: Operator
    form: DraftForm
    about: str
    read: Callable[[str], str]
    called: Callable[[Mapping[str, Any]], str]
    attempt: Attempt | None
    problem: DeskError | None

    @property
    def write(self) -> Write:
        """What the screen sends."""
        return WRITES[self.form.screen]

    @property
    def done(self) -> Attempt | None:
        """What was sent, once the service has it."""
        return self.attempt if self.attempt and self.attempt.state is AttemptState.DONE else None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do about what was sent: the service has it, or a person dropped it."""
        settled = self.attempt.settled if self.attempt else None
        return self.done is not None or (settled is not None and settled.drops)

    @property
    def waiting(self) -> Attempt | None:
        """What was sent, while it waits for the service and is sent by itself."""
        return self.attempt if self.attempt and self.attempt.waits else None

    @property
    def is_slow(self) -> bool:
        """Whether it is an order whose answer is out for so long that its customer leaves with the link."""
        sent, began = self.attempt, self.runtime.jobs.age(self.form.draft_id)
        if sent is None or not sent.is_unanswered or not self.may_wait:
            return False
        return max(began, self.runtime.desk.now() - sent.started_at) >= PATIENCE

    @property
    def may_wait(self) -> bool:
        """Whether it is an order whose link may be handed out before the service has it."""
        return self.runtime.desk.sender.may_wait(self.form.screen, self.form.screen)

    def order_in(self, content: Mapping[str, Any]) -> str:
        """The id of the order that a draft is about, "" while it names none."""
        return self.read(str(content.get(self.about, "")))

    def holds_another(self, order_id: str) -> bool:
        """Whether something is begun here about another order."""
        begun = "" if self.is_over else self.order_in(self.form.content)
        return bool(begun) and begun != self.read(order_id)

    @property
    def sent(self) -> Attempt | None:
        """What was sent, while it is on its way or not known."""
        return self.attempt if self.attempt and self.attempt.state.is_open else None


def open_draft(
    runtime: Runtime,
    operator: Operator,
    *,
    screen: str,
    about: str,
    read: Callable[[str], str] = str.strip,
    parameter: str = "",
    copies: bool = False,
    called: Callable[[Mapping[str, Any]], str] | None = None,
) -> Sending:
    """Open the draft of a screen.

    The field `about` names the order, `read` reads its id there; `parameter` is the one of the address that may name an
    order to open. What was sent for one order stays about that order: another id is another draft, empty unless it
    `copies` the first one. `called` says what a draft is called where that is not its order.
    """

    def by_its_order(content: Mapping[str, Any]) -> str:
        return _("Order {order}", order=short_id(str(content[about]))) if content.get(about) else ""

    def opened() -> Sending:
        form = DraftForm.open(runtime.desk, operator, screen)
        answer, problem = press.take_answer(runtime.jobs, form.draft_id)
        if isinstance(answer, Attempt) and (answer.state is AttemptState.DONE or answer.waits):
            sold(operator, answer.attempt_id)
        attempt = runtime.desk.activity.attempt_of(operator, form.draft_id)
        return Sending(runtime, operator, form, about, read, called or by_its_order, attempt, problem)

    sending = opened()
    linked_order, attempt = _linked_order(sending, parameter), sending.attempt
    if attempt is not None and (attempt.state.nothing_written or linked_order):
        _part_from(attempt, sending, linked_order, copies=copies)
        sending = opened()
    elif linked_order:
        _go_on_with(linked_order, sending)
        sending = opened()
    form, attempt = sending.form, sending.attempt
    if linked_order:
        form.store()  # first: whoever loses the line between the two finds the order in one of them
        del st.query_params[parameter]
    is_sent = runtime.jobs.running(form.draft_id) or (attempt is not None and not attempt.state.nothing_written)
    elsewhere = f"elsewhere.{screen}"
    if is_sent and not form.is_locked and press.requested(form.draft_id):
        session.remember(elsewhere, form.draft_id)
    if session.recall(elsewhere, "") == form.draft_id:
        st.warning(
            _("Another window has sent this already, as it stands here. What you changed in this one was not sent.")
        )
    form.lock(is_sent)
    return sending


def _part_from(attempt: Attempt, sending: Sending, linked_order: str, *, copies: bool) -> None:
    """Leave what was sent where it is over, or where the form names another order than it was sent for."""
    form, about = sending.form, sending.about
    typed = linked_order or form.content.get(about, "")
    form.lock(False)
    if sending.is_over:
        form.start_anew(**({about: linked_order} if linked_order else {}))  # what was sent stands in the activity
    elif (order_id := sending.read(typed)) != attempt.order_id:
        content: dict[str, Any] = {**(form.content if copies else {}), about: typed}
        form.keep({about: attempt.order_id})
        form.store()
        others = (draft for draft in form.waiting() if order_id and sending.order_in(draft.content) == order_id)
        form.leave(next(others, None), **content)


def _linked_order(sending: Sending, parameter: str) -> str:
    """The order that the address asks for; "" where it asks for none, or its reader is asked first."""
    order = st.query_params.get(parameter, "") if parameter else ""
    if order and not was_pressed(**{parameter: order}) and sending.holds_another(order):
        open_question(f"link:{sending.form.screen}", order)
        del st.query_params[parameter]
        order = ""
    _ask_about_link(sending)
    return order


def _go_on_with(linked_order: str, sending: Sending) -> None:
    """Where a term was chosen for another order, that sale is listed among what is begun."""
    form = sending.form
    content: dict[str, Any] = {sending.about: linked_order}
    is_begun = any(value and field.endswith(".term") for field, value in form.content.items())
    if is_begun and sending.holds_another(linked_order):
        form.leave(**content)
    else:
        form.put(content)


def _ask_about_link(sending: Sending) -> None:
    """Draw the question whether to open what a link asked for, while it is open: anybody may have sent the link."""
    form, about = sending.form, sending.about
    key = f"link:{form.screen}"
    linked_order = question_subject(key)
    if linked_order is None:
        return
    begun = short_id(str(form.content.get(about, "")))
    words = _("Order {begun}, which you have begun, then waits under “Begun and not finished”.", begun=begun)
    ask_in_dialog(
        _("Open order {order} of the link?", order=short_id(linked_order)),
        partial(st.text, words),
        yes=_("Open it"),
        key=key,
        on_yes=lambda: form.leave(**{about: linked_order}),
    )


def other_drafts(form: DraftForm, *, called: Callable[[Mapping[str, Any]], str]) -> None:
    """Draw the person's other drafts of this screen, to go on with; those that are `called` something."""
    _ADDRESS.unseen(key=f"address:{form.screen}", data={"draft": form.draft_id})
    waiting = [(draft, name) for draft in form.waiting() if (name := called(draft.content))]
    if not waiting:
        return
    with st.expander(_("Begun and not finished: {n}", n=number(len(waiting))), key=f"waiting:{form.screen}"):
        for draft, name in waiting:
            st.button(
                f"{plain(name)} · {moment(draft.updated_at)}",
                key=f"waiting-{draft.draft_id}",
                on_click=reporting_outage(partial(form.leave, draft)),
                width="stretch",
            )

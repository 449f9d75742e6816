"""What a person finds out about something that was sent, and says of it: asked once more, corrected the same way."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.selling.sending import press
from components.selling.sending.writes import Finding, findings
from components.ui.frame.ask_first import ask_in_dialog, open_question, question_subject
from components.wiring import Runtime
from components.words.attempts import item_name, sold_words
from warranty.access import Operator, Permission
from warranty.desk import Desk, LookUp, Verdict
from warranty.desk.journal import Attempt
from warranty.language import N_, _

AT_THE_COUNTER: Final = N_("Found out at the counter.")
_ASKED: Final = "settle"
_NOTE: Final = "settle-note"
_NUMBER: Final = "settle-number"


def landing_page_of(runtime: Runtime, operator: Operator, order_id: str) -> str:
    """The landing page of an order: as the service gave it, else as it can be built, else ""."""
    order, build = runtime.desk.activity.order(operator, order_id), runtime.settings.landing_page
    return (order and order.result.landing_url) or (build(order_id) if build else "")


def look_up_button(runtime: Runtime, operator: Operator, attempt: Attempt) -> None:
    """Let the service be asked what the order carries, where the settings name that read; it settles what is clear."""
    if runtime.desk.can_look_up:
        press.job_button(
            _("Ask the service"),
            jobs=runtime.jobs,
            job=f"look-up:{attempt.attempt_id}",
            doing=_("Asking the service"),
            work=partial(runtime.desk.look_up_sale, operator, attempt.attempt_id),
            show_answer=_show_answer,
            key=f"look-up-{attempt.attempt_id}",
            width="stretch",
        )


def _show_answer(answer: LookUp | None) -> None:
    if answer is None:
        return
    if answer.verdict is Verdict.TOO_EARLY:
        st.info(
            _("The order does not show this sale yet, but the service may still be busy. Ask again in two minutes.")
        )
    elif answer.verdict is Verdict.UNCLEAR:
        st.info(_("The answer does not settle it: check the customer page yourself."))
    else:
        st.rerun()  # the journal knows the answer now


def settling(
    attempt: Attempt,
    *,
    runtime: Runtime,
    operator: Operator,
    note: str = AT_THE_COUNTER,
    is_last: bool = True,
    is_main: bool = False,
    first: Callable[[], None] = lambda: None,
) -> None:
    """Draw, folded, what this person can say of an attempt, or against what was said; `note` if they add none.

    `is_last` is False for an attempt that was corrected and sent again since, `is_main` where nothing else can be done
    about it; `first` draws what has to be seen before.
    """
    if attempt.username != operator.username and not operator.may(Permission.SETTLE_OTHERS):
        return
    if not (found := findings(attempt, is_last=is_last)):
        return
    label = _("Check and settle") if is_main else _("More")  # no popover: it would lie over the question
    with st.expander(label, expanded=is_main, key=f"settle-{note}-{attempt.attempt_id}"):
        first()
        for finding in found:
            _one(attempt, finding, runtime=runtime, operator=operator, note=note)


def _one(attempt: Attempt, finding: Finding, *, runtime: Runtime, operator: Operator, note: str) -> None:
    """The button of a finding, and its question while that is open."""
    settlement, label = attempt.settled, _(finding.label)
    about, in_sentence = (attempt.attempt_id, finding, settlement, note), label[0].lower() + label[1:]
    st.button(
        _("Correct this: {finding}", finding=in_sentence) if settlement and not finding.drops else label,
        key=f"settle-{finding.label}-{note}-{attempt.attempt_id}",  # an entry may stand at two places of a screen
        on_click=open_question,
        args=(_ASKED, about),
        width="stretch",
    )
    if question_subject(_ASKED) == about:
        ask_in_dialog(
            _("{finding}?", finding=label),
            partial(_question, attempt, finding, runtime.settings.currency),
            yes=_("Yes, {finding}", finding=in_sentence),
            key=_ASKED,
            on_yes=partial(_settle, attempt, finding, runtime.desk, operator, note),
        )


def _question(attempt: Attempt, finding: Finding, currency: str) -> None:
    is_order = attempt.operation == "submit_order"
    for item in attempt.items:
        st.text(f"{item.quantity} × {item_name(item)}" if is_order else sold_words(item, currency))
    st.text(_("Order {order}", order=attempt.order_id))
    st.write(_(finding.effect))
    st.text_input(
        _("Why? (optional)") if finding.drops else _("What did you see? (optional)"), key=_NOTE, max_chars=500
    )
    if finding.recorded and attempt.operation == "record_sale":
        st.text_input(_("Warranty order number, if you know it (optional)"), key=_NUMBER, max_chars=100)


def _settle(attempt: Attempt, finding: Finding, desk: Desk, operator: Operator, note: str) -> None:
    typed = session.value_of(_NOTE, "").strip()
    number = session.value_of(_NUMBER, "").strip() if finding.recorded else ""
    desk.settle(
        operator,
        attempt.attempt_id,
        recorded=finding.recorded,
        drops=finding.drops,
        note=typed or ("" if finding.drops else _(note)),
        returned_id=number or None,
        corrects=attempt.settled,
    )

"""The three writes as people are told of them: their words (`_` says them where they are shown), what is asked first,
what a repeat would do; and what a person finds out about one, says of it and corrects.

Interface: States and transitions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.selling.sending import press
from components.ui.frame.ask_first import ask_in_dialog, open_question, question_subject
from components.wiring import Runtime
from components.words.attempts import sent_lines
from warranty.access import Operator, Permission
from warranty.desk import Desk, LookUp, Verdict
from warranty.desk.journal import Attempt, AttemptState
from warranty.language import N_, _


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked once more, the words of the button that sends, and what a second sending would do."""

    question: str
    button: str
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a person can say of something that was sent, and what it does to say so."""

    label: str
    effect: str
    recorded: bool = False
    drops: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActsTwice:
    """What goes with a write that would act a second time: questions, and a person who finds out what became of it."""

    in_production: Question
    second: Question
    not_recorded: str
    wait: str
    findings: tuple[Finding, Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One of the three; without `acts_twice` it may be sent again and again."""

    button: str
    doing: str
    acts_twice: ActsTwice | None = None


DROP: Final = Finding(
    N_("No longer needed"),
    N_("It is marked as dropped by you, and nothing is left to do. What was typed for it is erased."),
    drops=True,
)
WRITES: Final[Mapping[str, Write]] = {
    "submit_order": Write(button=N_("Send order"), doing=N_("Sending the order")),
    "record_sale": Write(
        button=N_("Record sale"),
        doing=N_("Recording the sale"),
        acts_twice=ActsTwice(
            in_production=Question(N_("Record this sale?"), N_("Yes, record it")),
            second=Question(
                N_("Record a second sale on this order?"),
                N_("Record a second sale"),
                N_("This adds a second plan to the order. If it is the same sale, go back."),
            ),
            not_recorded=N_("This sale was not recorded. You can record it now."),
            wait=N_(
                "If it was recorded, the customer's page shows the plan as bought. Wait two minutes before you decide."
            ),
            findings=(
                Finding(
                    N_("It was recorded"),
                    N_("It counts as sold. The confirmation can be printed once the service shows the sale."),
                    recorded=True,
                ),
                Finding(
                    N_("It was not recorded"),
                    N_("It can be recorded again. If it was recorded after all, that sells a second plan."),
                ),
            ),
        ),
    ),
    "notify_checkout": Write(
        button=N_("Send checkout"),
        doing=N_("Telling the service of this checkout"),
        acts_twice=ActsTwice(
            in_production=Question(N_("Send this checkout?"), N_("Yes, send it")),
            second=Question(
                N_("Send this checkout too?"),
                N_("Send this checkout too"),
                N_(
                    "Check the order number and the items. "
                    "A plan that is on the order already would be sold twice, and the customer mailed again."
                ),
            ),
            not_recorded=N_("This checkout did not go through. You can send it now."),
            wait=N_("Ask the customer whether the welcome e-mail has come, and give it a few minutes."),
            findings=(
                Finding(
                    N_("The e-mail came: it went through"),
                    N_("It counts as done, and is not sent again."),
                    recorded=True,
                ),
                Finding(
                    N_("It did not go through"),
                    N_("It can be sent again. If it went through after all, the customer gets the e-mail twice."),
                ),
            ),
        ),
    ),
}
"""By operation, which is the name of the screen, too."""
_FOUND_OUT: Final = frozenset({AttemptState.DONE, AttemptState.NOT_RECORDED})


def findings(attempt: Attempt, *, is_last: bool) -> tuple[Finding, ...]:
    """What can be said of an attempt: of an unknown one, against what was said of one, or that it is not needed."""
    twice, settlement = WRITES[attempt.operation].acts_twice, attempt.settled
    found: tuple[Finding, ...] = ()
    if twice and (attempt.state is AttemptState.UNKNOWN or (settlement and attempt.state in _FOUND_OUT)):
        found = tuple(one for one in twice.findings if settlement is None or one.recorded != settlement.recorded)
    is_dropped = attempt.settled is not None and attempt.settled.drops
    is_owed = is_last and attempt.state.nothing_written and not is_dropped
    return (*found, DROP) if is_owed else found


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
    for words in sent_lines(attempt, currency):
        st.text(words)
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

"""What a person says became of something that was sent: asked once more, and corrected the same way."""

from functools import partial
from typing import Final

import streamlit as st

from components import session
from components.frame.ask_first import ask_in_dialog
from components.frame.journal_outage import reporting_outage
from components.sending.writes import Finding, findings
from components.wiring import Runtime
from components.words.attempts import sold_words
from warranty.access import Operator, Permission
from warranty.journal import Attempt, Settlement

_ASKING: Final = "settling"
_NOTE: Final = "settle-note"
_NUMBER: Final = "settle-number"
_Asked = tuple[str, Finding, Settlement | None]
"""An attempt's id, what is to be said of it, and the word that this would correct."""


def settling(
    attempt: Attempt, *, runtime: Runtime, operator: Operator, note: str, is_last: bool = True
) -> None:
    """Draw what this person can say of an attempt, or against what was said; `note` if they add none.

    `is_last` is False for an attempt that was corrected and sent again since.
    """
    if attempt.username != operator.username and not operator.may(Permission.SEE_ALL_ACTIVITY):
        return
    said = attempt.settled
    open_question: _Asked | None = session.recall(_ASKING, None)
    for finding in findings(attempt, is_last=is_last):
        asked: _Asked = (attempt.attempt_id, finding, said)
        in_sentence = finding.label[0].lower() + finding.label[1:]
        aside = finding.drops or said is not None
        st.button(
            f"Correct this: {in_sentence}" if said and not finding.drops else finding.label,
            key=f"settle-{finding.label}-{attempt.attempt_id}",
            on_click=session.remember,
            args=(_ASKING, asked),
            type="tertiary" if aside else "secondary",
            width="content" if aside else "stretch",
        )
        if open_question == asked:
            ask_in_dialog(
                f"{finding.label}?",
                partial(_question, attempt, finding, runtime.settings.currency),
                yes=f"Yes, {in_sentence}",
                key="settle",
                on_yes=reporting_outage(partial(_settle, asked, runtime, operator, note)),
                close=partial(session.forget, _ASKING),
            )


def _question(attempt: Attempt, finding: Finding, currency: str) -> None:
    for item in attempt.items:
        st.text(sold_words(item, currency))
    st.text(f"Order {attempt.order_id}")
    st.write(finding.effect)
    st.text_input(
        "Why? (optional)" if finding.drops else "What did you see? (optional)", key=_NOTE, max_chars=500
    )
    if finding.recorded and attempt.operation == "record_sale":
        st.text_input("Warranty order id, if you know it (optional)", key=_NUMBER, max_chars=100)


def _settle(asked: _Asked, runtime: Runtime, operator: Operator, note: str) -> None:
    open_question: _Asked | None = session.recall(_ASKING, None)
    if open_question != asked:
        return  # the second press of a double click
    attempt_id, finding, said = asked
    typed = session.value_of(_NOTE, "").strip()
    if finding.drops:
        runtime.desk.drop(operator, attempt_id, note=typed)
    else:
        number = session.value_of(_NUMBER, "").strip() if finding.recorded else ""
        runtime.desk.settle(
            operator,
            attempt_id,
            recorded=finding.recorded,
            note=typed or note,
            returned_id=number or None,
            corrects=said,
        )
    session.forget(_ASKING)

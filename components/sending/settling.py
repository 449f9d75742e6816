"""What a person says became of a sale or checkout without an answer: asked once more, and corrected the same way."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

import streamlit as st

from components import session
from components.frame.journal_outage import told_when_away
from components.gate import recheck
from components.wiring import Runtime
from components.words.attempts import sold_words
from warranty.access import Operator, Permission
from warranty.journal import Attempt, Operation, Settlement

_ASKING: Final = "settling"
_NOTE: Final = "settle-note"
_NUMBER: Final = "settle-number"
_Asked = tuple[str, bool, Settlement | None]
"""An attempt's id, whether it is to be settled as recorded, and the word that this would correct."""

_LABELS: Final[Mapping[tuple[Operation, bool], str]] = MappingProxyType(
    {
        ("record_sale", True): "It was recorded",
        ("record_sale", False): "It was not recorded",
        ("notify_checkout", True): "The e-mail came: it was taken",
        ("notify_checkout", False): "It was not taken",
    }
)
_DOES: Final[Mapping[tuple[Operation, bool], str]] = MappingProxyType(
    {
        (
            "record_sale",
            True,
        ): "It then counts as sold, in the shift report too. The customer's confirmation can be "
        "printed once the service itself shows the sale.",
        (
            "record_sale",
            False,
        ): "It then does not count as sold, and it may be recorded again. If it was recorded "
        "after all, recording it again sells the customer a second plan.",
        ("notify_checkout", True): "It then counts as taken, and is not sent again.",
        (
            "notify_checkout",
            False,
        ): "It may then be sent again. If it was taken after all, the customer gets the "
        "welcome e-mail a second time.",
    }
)


def settling(attempt: Attempt, *, runtime: Runtime, operator: Operator, note: str) -> None:
    """Draw what this person can say of an unknown attempt, or against what was said; `note` if they add none."""
    if attempt.username != operator.username and not operator.may(Permission.SEE_ALL_ACTIVITY):
        return
    said = attempt.settled
    for recorded in (True, False) if said is None else (not said.recorded,):
        label = _LABELS[attempt.operation, recorded]
        st.button(
            label if said is None else f"Correct this: {label[0].lower()}{label[1:]}",
            key=f"settle-{recorded}-{attempt.attempt_id}",
            on_click=session.remember,
            args=(_ASKING, (attempt.attempt_id, recorded, said)),
            type="tertiary" if said else "secondary",
            width="content" if said else "stretch",
        )
        asked: _Asked | None = session.recall(_ASKING, None)
        if asked == (attempt.attempt_id, recorded, said):
            _question(asked, attempt, label, runtime=runtime, operator=operator, note=note)


def _question(
    asked: _Asked, attempt: Attempt, label: str, *, runtime: Runtime, operator: Operator, note: str
) -> None:
    @st.dialog(f"{label}?", on_dismiss=lambda: session.forget(_ASKING))
    def ask() -> None:
        recheck()
        for item in attempt.items:
            st.text(sold_words(item, runtime.settings.currency))
        st.text(f"Order {attempt.order_id}")
        st.write(f"{_DOES[attempt.operation, asked[1]]} It can be corrected under Activity.")
        st.text_input("What did you see? (optional)", key=_NOTE, max_chars=500)
        if asked[1] and attempt.operation == "record_sale":
            st.text_input("Warranty order id, if you know it (optional)", key=_NUMBER, max_chars=100)
        settle = told_when_away(partial(_settle, asked, runtime, operator, note))
        with st.container(horizontal=True):
            answers = (
                st.button(
                    f"Yes, {label[0].lower()}{label[1:]}", key="settle-yes", type="primary", on_click=settle
                ),
                st.button("Back", key="settle-back", on_click=session.forget, args=(_ASKING,)),
            )
        if any(answers):
            st.rerun()  # a press in a dialog draws the dialog alone; what follows is the screen's

    ask()


def _settle(asked: _Asked, runtime: Runtime, operator: Operator, note: str) -> None:
    open_question: _Asked | None = session.recall(_ASKING, None)
    if open_question != asked:
        return  # the second press of a double click
    attempt_id, recorded, said = asked
    number = session.value_of(_NUMBER, "").strip() if recorded else ""
    runtime.desk.settle(
        operator,
        attempt_id,
        recorded=recorded,
        note=session.value_of(_NOTE, "").strip() or note,
        returned_id=number or None,
        corrects=said,
    )
    session.forget(_ASKING)

"""What becomes of the orders of an import at a glance: a bar, and the same as buttons that filter the table below."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from warranty.journal import RowState


@dataclass(frozen=True, slots=True)
class Outcome:
    """One end that orders come to; `name` is that of its colour and pattern in `desk.css`."""

    name: str
    word: str
    hue: str
    icon: str


READY: Final = Outcome("stored", "Ready", "green", "check_circle")
STORED: Final = Outcome("stored", "Stored", "green", "check_circle")
REFUSED: Final = Outcome("refused", "Refused", "red", "cancel")
UNKNOWN: Final = Outcome("unknown", "Unknown", "orange", "help")
TO_CORRECT: Final = Outcome("to-correct", "To correct", "blue", "edit")
NOT_SENT: Final = Outcome("not-sent", "Not sent", "gray", "pause_circle")
LEFT_OUT: Final = Outcome("left-out", "Left out", "gray", "do_not_disturb_on")
_IN_ORDER: Final = (READY, STORED, REFUSED, UNKNOWN, TO_CORRECT, NOT_SENT, LEFT_OUT)
_TO_DO: Final = (REFUSED, UNKNOWN, TO_CORRECT, NOT_SENT)
OUTCOMES: Final[Mapping[RowState, Outcome]] = {
    RowState.DONE: STORED,
    RowState.REFUSED: REFUSED,
    RowState.UNKNOWN: UNKNOWN,
    RowState.FAULTY: TO_CORRECT,
    RowState.NOT_SENT: NOT_SENT,
    RowState.WAITING: NOT_SENT,
    RowState.READ: NOT_SENT,
    RowState.LEFT_OUT: LEFT_OUT,
}


def outcome_banner(counts: Mapping[Outcome, int]) -> None:
    """Say how many orders are stored, and in the same breath how many still need a person."""
    words = f"**{counts.get(STORED, 0):,} of {sum(counts.values()):,} orders are stored.**"
    to_do = ", ".join(f"{counts[one]:,} {one.word.lower()}" for one in _TO_DO if counts.get(one))
    if to_do:
        st.warning(f"{words} Still to do: {to_do}.", icon=":material/pending_actions:")
    else:
        st.success(words, icon=":material/check_circle:")


def outcome_filter(counts: Mapping[Outcome, int], *, key: str) -> Outcome | None:
    """Draw the bar and its buttons; give the outcome that is pressed. Nothing is drawn where all come to the same."""
    present = {one.word: one for one in _IN_ORDER if counts.get(one)}
    if len(present) < 2:
        return None
    told = ", ".join(f"{counts[one]:,} {one.word.lower()}" for one in present.values())
    parts = "".join(f'<i class="{one.name}" style="flex-grow:{counts[one]}"></i>' for one in present.values())
    st.html(f'<div class="outcomes" role="img" title="{told}">{parts}</div>')
    pressed = st.pills(
        "Show only",
        list(present),
        format_func=lambda word: (
            f":{present[word].hue}[:material/{present[word].icon}:] {word} {counts[present[word]]:,}"
        ),
        key=key,
        label_visibility="collapsed",
    )
    return present[pressed] if pressed else None

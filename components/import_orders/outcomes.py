"""What becomes of the orders of an import at a glance: a bar, and the same as buttons that filter the table below."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from warranty.journal import RowState
from warranty.language import N_, _, ngettext
from warranty.language.written import number


@dataclass(frozen=True, slots=True)
class Outcome:
    """One end that orders come to; `name` is that of its colour and pattern in `desk.css`."""

    name: str
    word: str
    hue: str
    icon: str


READY: Final = Outcome("stored", N_("Ready"), "green", "check_circle")
STORED: Final = Outcome("stored", N_("Stored"), "green", "check_circle")
REFUSED: Final = Outcome("refused", N_("Refused"), "red", "cancel")
UNKNOWN: Final = Outcome("unknown", N_("Unknown"), "orange", "help")
TO_CORRECT: Final = Outcome("to-correct", N_("To correct"), "blue", "edit")
NOT_SENT: Final = Outcome("not-sent", N_("Not sent"), "gray", "pause_circle")
LEFT_OUT: Final = Outcome("left-out", N_("Left out"), "gray", "do_not_disturb_on")
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

_COUNTED: Final[Mapping[Outcome, Callable[[int, str], str]]] = {
    READY: lambda count, n: ngettext("{n} ready", "{n} ready", count, n=n),
    STORED: lambda count, n: ngettext("{n} stored", "{n} stored", count, n=n),
    REFUSED: lambda count, n: ngettext("{n} refused", "{n} refused", count, n=n),
    UNKNOWN: lambda count, n: ngettext("{n} unknown", "{n} unknown", count, n=n),
    TO_CORRECT: lambda count, n: ngettext("{n} to correct", "{n} to correct", count, n=n),
    NOT_SENT: lambda count, n: ngettext("{n} not sent", "{n} not sent", count, n=n),
    LEFT_OUT: lambda count, n: ngettext("{n} left out", "{n} left out", count, n=n),
}
"""Other languages say `refused` of several in another way."""


def outcome_banner(counts: Mapping[Outcome, int]) -> None:
    """Say how many orders are stored, and in the same breath how many still need a person."""
    stored, every = counts.get(STORED, 0), sum(counts.values())
    words = ngettext(
        "**{n} of {all} order is stored.**",
        "**{n} of {all} orders are stored.**",
        every,
        n=number(stored),
        all=number(every),
    )
    to_do = ", ".join(_counted(one, counts) for one in _TO_DO if counts.get(one))
    if to_do:
        left = _("Still to do: {outcomes}.", outcomes=to_do)
        st.warning(f"{words} {left}", icon=":material/pending_actions:")
    else:
        st.success(words, icon=":material/check_circle:")


def outcome_filter(counts: Mapping[Outcome, int], *, key: str) -> Outcome | None:
    """Draw the bar and its buttons; give the outcome that is pressed. Nothing is drawn where all come to the same."""
    present = {one.word: one for one in _IN_ORDER if counts.get(one)}
    if len(present) < 2:
        return None
    told = ", ".join(_counted(one, counts) for one in present.values())
    parts = "".join(f'<i class="{one.name}" style="flex-grow:{counts[one]}"></i>' for one in present.values())
    st.html(f'<div class="outcomes" role="img" title="{told}">{parts}</div>')
    pressed = st.pills(
        _("Show only"),
        list(present),
        format_func=lambda word: (
            f":{present[word].hue}[:material/{present[word].icon}:] {_(word)} {number(counts[present[word]])}"
        ),
        key=key,
        label_visibility="collapsed",
    )
    return present[pressed] if pressed else None


def _counted(one: Outcome, counts: Mapping[Outcome, int]) -> str:
    """How many came to it: `2 refused`."""
    return _COUNTED[one](counts[one], number(counts[one]))

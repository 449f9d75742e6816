"""What is open or finished on an order, said wherever the order is opened: nothing is done twice unknowingly."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from components.platform.markup import plain
from components.words.attempts import kind_words, moment, person_words, sent_lines
from warranty.desk.journal import Attempt, AttemptState, Operation
from warranty.language import N_, _

_DONE: Final[Mapping[Operation, str]] = {
    "submit_order": N_("Stored."),
    "record_sale": N_("Recorded."),
    "notify_checkout": N_("Done."),
}
_BECAME: Final[Mapping[AttemptState, str]] = {
    AttemptState.QUEUED: N_("It is waiting for the service. We'll send it automatically."),
    AttemptState.SENDING: N_("It is on its way."),
    AttemptState.UNKNOWN: N_("Not confirmed yet."),
}


def order_actions(
    story: Sequence[Attempt], *, currency: str, apart_from: str = "", concerns: Operation | None = None
) -> None:
    """Draw what stands in the story of an order, apart from a draft's own; draws nothing where nothing was done.

    What is open warns, and what is finished of the kind that the screen `concerns`.
    """
    done = [one for one in story if not one.state.nothing_written and one.draft_id != apart_from]
    with st.container():  # always there: what stands below stays mounted when the sentences come and go
        if not done:
            return
        lines = "\n".join(f"- {plain(action_words(one, currency))}" for one in done)
        warns = any(one.state.is_open or one.operation == concerns for one in done)
        if not warns and all(one.operation == "submit_order" for one in done):
            st.caption(lines if len(done) > 1 else lines.removeprefix("- "))
        else:
            head = _("Something was already sent for this order.")
            (st.warning if warns else st.info)(f"**{head}**\n\n{lines}")


def action_words(attempt: Attempt, currency: str) -> str:
    """One action in words: `Sale: 24 months on 55in OLED TV: 79.99 USD. Recorded. Sam Counter, 21 Nov 2026, 14:02`."""
    what, became = ", ".join(sent_lines(attempt, currency)), _(_BECAME.get(attempt.state) or _DONE[attempt.operation])
    return f"{kind_words(attempt.operation)}: {what}. {became} {person_words(attempt)}, {moment(attempt.started_at)}"

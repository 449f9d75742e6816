"""What is open or finished on an order, said wherever the order is opened: nothing is done twice unknowingly."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from components.platform.markup import plain
from components.words.attempts import kind_words, moment, person_words, sold_words
from warranty.desk.journal import Attempt, AttemptState, Operation
from warranty.language import N_, _, isolated

_DONE: Final[Mapping[Operation, str]] = {
    "submit_order": N_("Stored."),
    "record_sale": N_("Recorded."),
    "notify_checkout": N_("Done."),
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
    if attempt.operation == "record_sale":
        items = [sold_words(item, currency) for item in attempt.items]
    else:
        nameless = _("a plan")
        items = [f"{item.quantity} × {isolated(item.title or item.product_id or nameless)}" for item in attempt.items]
    return (
        f"{kind_words(attempt.operation)}: {', '.join(items)}. {_became(attempt)} {person_words(attempt)}, "
        + moment(attempt.started_at)
    )


def _became(attempt: Attempt) -> str:
    if attempt.waits:
        return _("It is waiting for the service. We'll send it automatically.")
    if attempt.state is AttemptState.SENDING:
        return _("It is on its way.")
    if attempt.state is AttemptState.UNKNOWN:
        return _("Not confirmed yet.")
    return _(_DONE[attempt.operation])

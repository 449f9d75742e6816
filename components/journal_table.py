"""The list of what was sent: when, by whom, what, for which order, what became of it, and what to do next."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components.journal_words import KINDS, OUTCOMES, items_words, moment, next_step
from warranty.journal import Attempt


def journal_table(attempts: Sequence[Attempt], *, key: str) -> Attempt | None:
    """Draw the list and give the entry that was picked."""
    frame = pd.DataFrame(
        [
            (
                moment(attempt.started_at),
                attempt.operator_name,
                KINDS[attempt.operation],
                attempt.order_id,
                items_words(attempt.items),
                OUTCOMES[attempt.state],
                next_step(attempt),
            )
            for attempt in attempts
        ],
        columns=["Time", "Person", "Kind", "Order", "Items", "Outcome", "Next step"],
        dtype="str",
    )
    picked = st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        alt="The activity, newest first, unknown ones on top",
        column_config={
            "Time": st.column_config.TextColumn(width=150),
            "Order": st.column_config.TextColumn(width="medium"),
            "Items": st.column_config.TextColumn(width="medium"),
            "Next step": st.column_config.TextColumn(width="medium"),
        },
    )
    rows: list[int] = picked["selection"]["rows"]
    return attempts[rows[0]] if rows and rows[0] < len(attempts) else None

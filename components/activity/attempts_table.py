"""The list of what was sent: when, by whom, what, for which order, what became of it, and what to do next."""

from collections.abc import Collection, Sequence

import pandas as pd
import streamlit as st

from components.words.attempts import ENTRY_COLUMNS, OUTCOMES, entry_row, next_step
from warranty.journal import Attempt
from warranty.journal.export import attempts_csv


def activity_csv(attempts: Sequence[Attempt]) -> bytes:
    """The same as a file for a spreadsheet."""
    return attempts_csv(attempts, bom=True)


def journal_table(
    attempts: Sequence[Attempt], *, key: str, corrected: Collection[str] = frozenset()
) -> Attempt | None:
    """Draw the list and give the entry that was picked; `corrected` are ids of attempts that were corrected since."""
    frame = pd.DataFrame(
        [
            (
                *entry_row(attempt),
                OUTCOMES[attempt.state],
                next_step(attempt, corrected=attempt.attempt_id in corrected),
            )
            for attempt in attempts
        ],
        columns=[*ENTRY_COLUMNS, "Outcome", "Next step"],
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
            "Order": st.column_config.TextColumn(width=130),
            "Items": st.column_config.TextColumn(width="medium"),
            "Next step": st.column_config.TextColumn(width=290),
        },
    )
    rows: list[int] = picked["selection"]["rows"]
    return attempts[rows[0]] if rows and rows[0] < len(attempts) else None

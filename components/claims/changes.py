"""What changed since the last reading of the same filter: new claims, changed status, vanished ones."""

from typing import Final

import pandas as pd
import streamlit as st

from components.claims.columns import column_config
from components.claims.seal import read_at
from warranty.analysis import Changes, compare
from warranty.analysis.comparison import STATUS_BEFORE
from warranty.claims.readings import KeptClaims
from warranty.retrieval import ClaimSet

_SHOWN: Final = 200
_COLUMNS: Final = ("claim_date", "product_name", "status", "order_id")


def claims_changes(kept: KeptClaims) -> None:
    """Draw the changes against the last whole reading; draws nothing where there was none before."""
    earlier = kept.earlier
    if earlier is None:
        return
    if not kept.claims.is_whole:
        st.caption(
            f"Not all claims are here, so changes since the reading at {read_at(earlier.as_of)} are not shown."
        )
        return
    changes = kept.derived("changes", lambda: compare(earlier.frame, kept.claims.frame))
    since = f"Since the reading at {read_at(earlier.as_of)}"
    unreadable = unreadable_words(earlier, kept.claims)
    if not changes.any:
        st.caption(f"{since}: nothing has changed{unreadable}.")
        return
    with st.expander(
        f"{since}: {changes_words(changes)}{unreadable}", key="claims-changes", on_change="rerun"
    ) as box:
        if not box.open:
            return
        _part("New", changes.new, _COLUMNS)
        _part("Another status", changes.changed, (*_COLUMNS[:2], STATUS_BEFORE, *_COLUMNS[2:]))
        _part("Gone", changes.vanished, _COLUMNS)
        if changes.edited:
            st.text(f"Another text or date: {changes.edited:,}")


def changes_words(changes: Changes) -> str:
    """The changes in short: `3 new, 2 with another status, 1 gone`."""
    counts = {
        "new": len(changes.new),
        "with another status": len(changes.changed),
        "gone": len(changes.vanished),
        "with another text or date": changes.edited,
    }
    return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def unreadable_words(earlier: ClaimSet, now: ClaimSet) -> str:
    """Say where the number of unreadable claims changed: one that cannot be read any more looks as if it were gone."""
    before, after = len(earlier.rejected), len(now.rejected)
    return "" if before == after else f"; {after:,} unreadable now, {before:,} before"


def _part(title: str, frame: pd.DataFrame, columns: tuple[str, ...]) -> None:
    if frame.empty:
        return
    st.markdown(f"**{title}: {len(frame):,}**")
    st.dataframe(
        frame.head(_SHOWN),
        column_order=columns,
        column_config=column_config()
        | {STATUS_BEFORE: st.column_config.TextColumn("Status before", width=130)},
        hide_index=True,
        lazy=False,
        alt=f"{title}: {len(frame)} claims, as a table",
    )
    if len(frame) > _SHOWN:
        st.caption(f"The first {_SHOWN} are listed.")

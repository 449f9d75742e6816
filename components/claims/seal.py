"""The seal: how many of the claims are here, proved or not, as of when; and what is missing, unreadable, not there."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pandas as pd
import streamlit as st

from components.frame.table_view import table_view
from warranty.retrieval import ClaimSet, RejectedRecord

_SHOWN_RECORDS: Final = 500


def short_seal(claims: ClaimSet) -> str:
    """The seal on a chart: `complete: 1,204 of 1,204, 2 of them repeat another, read 14:02`."""
    return f"{claims.seal}, read {read_at(claims.as_of)}"


def seal_text(claims: ClaimSet) -> str:
    """The seal on the screen and on the table: that of a chart, and whose clock it names."""
    return f"{short_seal(claims)} service time"


def read_at(as_of: datetime, now: datetime | None = None) -> str:
    """When a set was read: the time of day, with the day where it is not today."""
    moment, today = as_of.astimezone(UTC), (now or datetime.now(UTC)).date()
    clock = f"{moment:%H:%M}"
    return clock if moment.date() == today else f"{moment.day} {moment:%b %Y}, {clock}"


def seal_badge(claims: ClaimSet) -> None:
    """Draw the seal: green only where every claim is here, and none twice."""
    if claims.is_complete and not claims.repeated:
        st.badge(seal_text(claims), icon=":material/check_circle:", color="green")
    else:
        st.badge(seal_text(claims), icon=":material/warning:", color="orange")


def missing_notice(claims: ClaimSet) -> None:
    """Say what is missing or doubtful, and why; draws nothing where there is nothing to doubt."""
    if claims.repeated:
        st.warning(
            f"**{claims.repeated:,} of the claims repeat another one in all eight fields, to the microsecond.** The "
            "service may have given them in place of others, which are then missing here, while its count is right. "
            "**What to do:** choose Refresh. If they stay, tell whoever looks after the service."
        )
    if claims.is_whole:
        return
    if claims.total is None:
        st.warning("**Nothing was read.** The service did not say how many claims there are.")
    else:
        missing = claims.total - claims.received
        some = missing > 0
        st.warning(
            f"**{'Not all claims are here.' if some else 'It is not proved that all claims are here.'}** "
            f"The service counts {claims.total:,}, {claims.received:,} were read"
            + (f", {missing:,} are missing. " if some else ". ")
            + "Table, charts and files show only what was read, and say so."
            + (" **What to do:** choose Refresh: it goes on from here." if claims.rest else "")
        )
    for reason in claims.reasons:
        st.text(reason)


def unreadable_records(rejected: Sequence[RejectedRecord]) -> None:
    """List the records that could not be read, each with its reason; draws nothing where there are none."""
    if not rejected:
        return
    count = len(rejected)
    title = "1 claim could not be read" if count == 1 else f"{count:,} claims could not be read"
    with st.expander(f"{title}: in no table, chart or file", icon=":material/report:"):
        st.caption(
            "The service sent these records in a form that its interface does not describe. They count as received. "
            "Tell whoever looks after the service; the place in its answers finds them again."
        )
        shown = [
            {
                "Answer": record.answer,
                "Record": record.record + 1,
                "Field": record.field or "whole record",
                "Reason": record.reason,
                "As received": repr(record.content),
            }
            for record in rejected[:_SHOWN_RECORDS]
        ]
        table_view(pd.DataFrame(shown), f"A table of {len(shown)} records that could not be read")
        if count > _SHOWN_RECORDS:
            st.caption(f"The first {_SHOWN_RECORDS:,} are listed.")


def end_without_claims(claims: ClaimSet, *, shown: int) -> None:
    """End the screen here where there is nothing to show, and say what that means; `shown` claims fit the filter."""
    if not shown:
        st.info(words_without_claims(claims))
        st.stop()


def words_without_claims(claims: ClaimSet) -> str:
    """Say why there is no claim to show, and what to do."""
    if not claims.frame.empty:
        return (
            f"None of the {len(claims.frame):,} claims that were read fits: change the search or More filters, or "
            "choose Show all that was read."
        )
    if claims.rejected:
        return (
            "None of the claims that were read is in a form that can be shown. They are listed above, each with "
            "its reason; tell whoever looks after the service."
        )
    if claims.is_complete:
        query = claims.query
        wider = {
            "a longer range": query.claim_dates is not None or query.warranty_start_dates is not None,
            "another e-mail": query.customer_email is not None,
        }
        hints = " or ".join(words for words, asked in wider.items() if asked)
        return "No claims fit this filter." + (f" Choose {hints}." if hints else "")
    if claims.total:
        return f"No claim was read, but the service counts {claims.total:,}. Choose Refresh to read them."
    return "No claim was read, so it is not known whether any fit this filter. Choose Refresh to read again."

"""A set without a claim to show: nothing there, nothing readable, nothing read, or
nothing that fits. Never one for another."""

import streamlit as st

from warranty.retrieval import ClaimSet


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

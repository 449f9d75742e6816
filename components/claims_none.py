"""A set without a claim to show: nothing there, nothing readable, or nothing read. Never one for another."""

import streamlit as st

from warranty.retrieval import ClaimSet


def end_without_claims(claims: ClaimSet) -> None:
    """End the screen here where there is nothing to show, and say what that means."""
    if claims.frame.empty:
        st.info(words_without_claims(claims))
        st.stop()


def words_without_claims(claims: ClaimSet) -> str:
    """Say why there is no claim to show, and what to do."""
    if claims.rejected:
        return (
            "None of the claims that were read is in a form that can be shown. They are listed above, each with "
            "its reason; tell whoever looks after the service."
        )
    if claims.is_complete:
        return "No claims fit this filter. Choose a longer range, or another e-mail."
    if claims.total:
        return f"No claim was read, but the service counts {claims.total:,}. Choose Refresh to read them."
    return "No claim was read, so it is not known whether any fit this filter. Choose Refresh to read again."

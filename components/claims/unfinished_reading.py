"""A later reading that did not bring all claims stands beside the set that is shown; it never takes its place."""

import streamlit as st

from components import session
from components.claims.completeness_seal import read_at, short_seal
from warranty.claims.readings import KeptClaims, Reading

_WANTED = "claims.unfinished"


def set_to_show(found: Reading) -> KeptClaims | None:
    """Give the set to show: the later, unfinished one only where this tab asked for it."""
    later = found.unfinished
    return later if later is not None and _is_wanted(later) else found.kept


def unfinished_notice(found: Reading) -> None:
    """Say that a later reading brought fewer claims, and let it be seen; draws nothing where there is none."""
    kept, later = found.kept, found.unfinished
    if kept is None or later is None:
        return
    if _is_wanted(later):
        st.button(
            f"Back to what was read {read_at(kept.claims.as_of)}",
            on_click=session.forget,
            args=(_WANTED,),
            key="claims-earlier",
            icon=":material/undo:",
        )
        return
    st.warning(
        f"**The reading at {read_at(later.claims.as_of)} is {later.claims.seal}.** "
        f"What was read before is still shown ({short_seal(kept.claims)}); what changed since is not in it. "
        "**What to do:** choose Refresh to read again, or look at what that reading brought."
    )
    for reason in later.claims.reasons:
        st.text(reason)
    st.button(
        "Show what that reading brought",
        on_click=session.remember,
        args=(_WANTED, later.claims.as_of),
        key="claims-unfinished",
        help="It is marked as incomplete everywhere, files included.",
    )


def _is_wanted(later: KeptClaims) -> bool:
    return session.recall(_WANTED, None) == later.claims.as_of

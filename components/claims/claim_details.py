"""One claim in full: every field as received, whatever a customer wrote as plain text, and its order's timeline."""

from collections.abc import Callable, Sequence
from datetime import datetime

import streamlit as st

from components.forms.faults import plain
from components.words.attempts import KINDS, OUTCOMES, items_words, moment
from warranty.errors import JournalUnavailable
from warranty.journal import Attempt
from warranty.retrieval import ClaimSet


def claim_in_full(claims: ClaimSet, place: int, *, timeline: Callable[[str], Sequence[Attempt]]) -> None:
    """Draw the claim at a place of the set; `timeline` tells what this desk did for an order."""
    claim = claims.as_received(claims.frame.iloc[[place]]).iloc[0]
    facts = {
        "Product": str(claim["product_name"]) or "without a name",
        "Status": str(claim["status"]),
        "Claim date": f"{moment_words(str(claim['claim_date']))}, service time",
        "Warranty start": moment_words(str(claim["warranty_start_date"])),
        "Order date": moment_words(str(claim["order_date"])),
    }
    for name, value in facts.items():
        label, content = st.columns([1, 2])
        label.caption(name)
        content.text(value)
    st.caption("What the customer wrote")
    with st.container(border=True):
        st.text(str(claim["description"]) or "(nothing)")
    for name, field in (("Order", "order_id"), ("Warranty", "warranty_id")):
        label, content = st.columns([1, 2], vertical_alignment="center")
        label.caption(name)
        content.code(str(claim[field]), language=None, wrap_lines=True)
    try:
        _timeline(timeline(str(claim["order_id"])))
    except JournalUnavailable:
        st.caption("What this desk did for the order cannot be read now.")


def _timeline(attempts: Sequence[Attempt]) -> None:
    """Draw what this desk did about the claim's order, oldest first."""
    st.caption("What this desk did for the order")
    if not attempts:
        st.text("Nothing: the order was not sent from this desk.")
        return
    for attempt in attempts:
        with st.container(border=True, gap="xxsmall"):
            st.text(f"{KINDS[attempt.operation]}: {OUTCOMES[attempt.state]}")
            st.text(items_words(attempt.items))
            st.caption(plain(f"{moment(attempt.started_at)}, {attempt.operator_name}"))


def moment_words(text: str) -> str:
    """A timestamp of the service for people, with its offset where it has one; as it is where it cannot be read."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return text
    words = f"{when.day} {when:%b %Y, %H:%M}"
    offset = f"{when:%z}"
    return f"{words} (UTC{offset[:3]}:{offset[3:5]})" if offset else words

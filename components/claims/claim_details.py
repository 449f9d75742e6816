"""One claim in full: every field as received, whatever a customer wrote as plain text, and its order's timeline."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from components.browser_part import copy_button
from components.claims.claim_life import claim_life
from components.claims.customer_sentence import customer_sentence
from components.claims.same_warranty import others_on_the_warranty
from components.claims.shown_rows import days_open
from components.forms.faults import plain
from components.words.attempts import KINDS, OUTCOMES, here, items_words, moment
from components.words.days import service_today
from components.words.statuses import status_with_its_word
from warranty.analysis.periods import day_words
from warranty.claims.readings import KeptClaims
from warranty.errors import JournalUnavailable
from warranty.journal import Attempt


def claim_in_full(
    kept: KeptClaims,
    place: int,
    *,
    timeline: Callable[[str], Sequence[Attempt]],
    opens: Callable[[int], Callable[[], None] | None],
) -> None:
    """Draw the claim at a place of the set that was read; `timeline` tells what this desk did for an order.

    `opens` gives what opens another claim of the set, by its place; None where the list does not hold it.
    """
    row = kept.claims.frame.iloc[[place]]
    claim = kept.claims.as_received(row).iloc[0]
    today = service_today()
    open_for = days_open(row, closed=kept.closed, today=today).iloc[0]
    facts = {
        "Product": str(claim["product_name"]) or "without a name",
        "Status": status_with_its_word(str(claim["status"])),
        "Days open": "closed" if pd.isna(open_for) else f"{open_for:,}, on {day_words(today)}",
        "Claim date": f"{moment_words(str(claim['claim_date']))}, service time",
        "Warranty start": moment_words(str(claim["warranty_start_date"])),
        "Order date": moment_words(str(claim["order_date"])),
    }
    for name, value in facts.items():
        label, content = st.columns([1, 2])
        label.caption(name)
        content.text(value)
    dated = row.iloc[0].to_dict()
    claim_life(
        start=dated["warranty_start_date"].date(),
        claim=dated["claim_date"].date(),
        today=today,
        is_closed=pd.isna(open_for),
    )
    sentence = customer_sentence(
        dated, closed=kept.closed, as_of=kept.claims.as_of, now=datetime.now(UTC), zone=here()
    )
    st.caption("What to tell the customer")
    with st.container(border=True):
        st.text(sentence)
        copy_button("Copy sentence", sentence)
    st.caption("What the customer wrote")
    with st.container(border=True):
        st.text(str(claim["description"]) or "(nothing)")
    for name, field in (("Order", "order_id"), ("Warranty", "warranty_id")):
        label, content = st.columns([1, 2], vertical_alignment="center")
        label.caption(name)
        with content:
            st.text(str(claim[field]))
            copy_button(f"Copy {name.lower()} id", str(claim[field]), kind="plain", place=field)
    others_on_the_warranty(kept, place, opens=opens)
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

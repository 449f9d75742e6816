"""One claim in full: every field as received, whatever a customer wrote as plain text, and its order's timeline."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from components.claims.screen.claim_life import claim_life
from components.claims.screen.customer_sentence import customer_sentence
from components.claims.screen.same_warranty import others_on_the_warranty
from components.claims.screen.shown_rows import days_open
from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.words.attempts import here, items_words, kind_words, moment, outcome_words
from components.words.days import service_today
from components.words.statuses import status_with_its_word
from warranty.claims.analysis.periods import day_words
from warranty.claims.readings.readings import KeptClaims
from warranty.desk.journal import Attempt
from warranty.errors import JournalUnavailable
from warranty.language import _
from warranty.language.written import CLOCK, DAY, dated, number


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
        _("Product"): str(claim["product_name"]) or _("without a name"),
        _("Status"): status_with_its_word(str(claim["status"])),
        _("Days open"): _("closed")
        if pd.isna(open_for)
        else _("{n}, on {day}", n=number(open_for), day=day_words(today)),
        _("Claim date"): _("{when}, service time", when=moment_words(str(claim["claim_date"]))),
        _("Warranty start"): moment_words(str(claim["warranty_start_date"])),
        _("Order date"): moment_words(str(claim["order_date"])),
    }
    for name, value in facts.items():
        label, content = st.columns([1, 2])
        label.caption(name)
        content.text(value)
    fields = row.iloc[0].to_dict()
    claim_life(
        start=fields["warranty_start_date"].date(),
        claim=fields["claim_date"].date(),
        today=today,
        is_closed=pd.isna(open_for),
    )
    sentence = customer_sentence(
        fields, closed=kept.closed, as_of=kept.claims.as_of, now=datetime.now(UTC), zone=here()
    )
    st.caption(_("What to tell the customer"))
    with st.container(border=True):
        st.text(sentence)
        copy_button(_("Copy sentence"), sentence)
    st.caption(_("What the customer wrote"))
    with st.container(border=True):
        st.text(str(claim["description"]) or _("(nothing)"))
    for name, copies, field in (
        (_("Order"), _("Copy order id"), "order_id"),
        (_("Warranty"), _("Copy warranty id"), "warranty_id"),
    ):
        label, content = st.columns([1, 2], vertical_alignment="center")
        label.caption(name)
        with content:
            st.text(str(claim[field]))
            copy_button(copies, str(claim[field]), kind="plain", place=field)
    others_on_the_warranty(kept, place, opens=opens)
    try:
        _timeline(timeline(str(claim["order_id"])))
    except JournalUnavailable:
        st.caption(_("What this desk did for the order cannot be read now."))


def _timeline(attempts: Sequence[Attempt]) -> None:
    """Draw what this desk did about the claim's order, oldest first."""
    st.caption(_("What this desk did for the order"))
    if not attempts:
        st.text(_("Nothing: the order was not sent from this desk."))
        return
    for attempt in attempts:
        with st.container(border=True, gap="xxsmall"):
            st.text(f"{kind_words(attempt.operation)}: {outcome_words(attempt.state)}")
            st.text(items_words(attempt.items))
            st.caption(plain(f"{moment(attempt.started_at)}, {attempt.operator_name}"))


def moment_words(text: str) -> str:
    """A timestamp of the service for people, with its offset where it has one; as it is where it cannot be read."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return text
    words = dated(when, f"{DAY}, {CLOCK}")
    offset = f"{when:%z}"
    return f"{words} (UTC{offset[:3]}:{offset[3:5]})" if offset else words

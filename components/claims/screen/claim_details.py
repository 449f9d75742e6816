"""One claim in full: every field as received, whatever a customer wrote as plain text, and its order's timeline.

With what to tell a customer who asks after it: one sentence, true, without a promise.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

import pandas as pd
import streamlit as st

from components.claims.screen.shown_rows import days_open
from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.words.attempts import here, items_words, kind_words, moment, outcome_words
from components.words.days import service_today
from components.words.statuses import status_with_its_word, status_words
from warranty.claims.analysis.identity import on_the_same_warranty
from warranty.claims.analysis.periods import day_words
from warranty.claims.readings.readings import KeptClaims
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.desk.journal import Attempt
from warranty.errors import JournalUnavailable
from warranty.language import _, ngettext
from warranty.language.written import CLOCK, DAY, dated, number


def claim_in_full(
    cached: KeptClaims,
    place: int,
    *,
    timeline: Callable[[str], Sequence[Attempt]],
    opens: Callable[[int], Callable[[], None] | None],
) -> None:
    """Draw the claim at a place of the set that was read; `timeline` tells what this desk did for an order.

    `opens` gives what opens another claim of the set, by its place; None where the list does not hold it.
    """
    row = cached.claims.frame.iloc[[place]]
    claim = cached.claims.table.as_received(row).iloc[0]
    today = service_today()
    open_for = days_open(row, closed=cached.closed, today=today).iloc[0]
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
    as_of = (cached.claims.closed_from if pd.isna(open_for) else None) or cached.claims.as_of
    sentence = customer_sentence(fields, closed=cached.closed, as_of=as_of, now=utc_now(), zone=here())
    st.caption(_("What to tell the customer"))
    with st.container(border=True):
        st.text(sentence)
        copy_button(_("Copy sentence"), sentence)
    st.caption(_("What the customer wrote"))
    with st.container(border=True):
        st.text(str(claim["description"]) or _("(nothing)"))
    for name, copies, field in (
        (_("Order"), _("Copy order number"), "order_id"),
        (_("Warranty"), _("Copy warranty id"), "warranty_id"),
    ):
        label, content = st.columns([1, 2], vertical_alignment="center")
        label.caption(name)
        with content:
            st.text(str(claim[field]))
            copy_button(copies, str(claim[field]), kind="plain", place=field)
    others_on_warranty(cached, place, opens=opens)
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


def customer_sentence(
    claim: Mapping[Hashable, Any], *, closed: Collection[str], as_of: datetime, now: datetime, zone: tzinfo
) -> str:
    """Say how the claim stands, as of when it was read in the reader's `zone`.

    `claim` has the fields of a frame's row. A status that is not among the `closed` words is quoted: it is the
    service's own word, and what it means is not ours to say. Age counts days of service time.
    """
    status, product = str(claim["status"]).strip(), " ".join(str(claim["product_name"]).split())
    made = claim["claim_date"].date()
    if product:
        claimed = _("Your claim of {day} for the {product}", day=day_words(made), product=product)
    else:
        claimed = _("Your claim of {day}", day=day_words(made))
    if status in closed:
        stands = _("is closed at the service, as {status}", status=status_words(status))
    elif status:
        stands = _("is at the service as “{status}”", status=status)
    else:
        stands = _("is at the service, which gives it no status")
    read, here = as_of.astimezone(zone), now.astimezone(zone)
    is_today = read.date() == here.date()
    clock = dated(read, CLOCK)
    if is_today:
        when = _("as of {time} today", time=clock)
    else:
        when = _("as of {time} on {day}", time=clock, day=day_words(read.date()))
    age = (as_of.astimezone(UTC).date() - made).days
    old = ""
    if age > 0 and status not in closed:
        old = (
            ngettext("; it is {n} day old", "; it is {n} days old", age, n=number(age))
            if is_today
            else ngettext("; it was then {n} day old", "; it was then {n} days old", age, n=number(age))
        )
    return f"{claimed} {stands}, {when}{old}."


def others_on_warranty(cached: KeptClaims, place: int, *, opens: Callable[[int], Callable[[], None] | None]) -> None:
    """Draw which claim on its warranty the one at `place` is, and the others, of those that were read.

    `opens` gives what opens the claim at a place, None for one that the list around does not hold.
    """
    frame = cached.claims.frame
    places = on_the_same_warranty(frame, place).tolist()
    is_all = cached.claims.is_complete and cached.claims.query == ClaimQuery()
    known = "" if is_all else " " + _("Others that were not read are not known here.")
    read = number(len(frame))
    if len(places) == 1:
        st.caption(_("No other claim on this warranty among the {read} that were read.", read=read) + known)
        return
    st.caption(
        _(
            "Claim {nth} of {n} on this warranty among the {read} that were read.",
            nth=number(places.index(place) + 1),
            n=number(len(places)),
            read=read,
        )
        + known
    )
    for count, other in enumerate(places, start=1):
        if other == place:
            continue
        row = frame.iloc[other]
        words = f"{number(count)}: {day_words(row['claim_date'].date())}, {status_words(str(row['status']))}"
        opening = opens(other)
        if opening is None:
            st.text(_("{claim} (not in the list as it is filtered)", claim=words))
        else:
            st.button(plain(words), key=f"claims-same:{count}", on_click=opening, type="tertiary")

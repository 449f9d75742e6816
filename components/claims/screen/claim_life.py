"""A claim's life as a line: the start of its warranty, the claim, and today; in words beside it."""

from datetime import date
from typing import Final

import streamlit as st

from components.claims.charts.colours import MAIN, OTHER
from warranty.language import _, ngettext
from warranty.language.written import number

_LENGTH: Final = 480
_ENDS: Final = 8


def claim_life(*, start: date, claim: date, today: date, is_closed: bool) -> None:
    """Draw it; all three days are of service time."""
    words = life_words(start=start, claim=claim, today=today, is_closed=is_closed)
    st.image(_drawn(start=start, claim=claim, today=today, is_closed=is_closed), alt=words, width="stretch")
    st.caption(words)


def life_words(*, start: date, claim: date, today: date, is_closed: bool) -> str:
    """`Claimed 41 days after the warranty's start, open for 3 days`; when a claim was closed is not known here."""
    after = (claim - start).days
    n = number(abs(after))
    if after > 0:
        came = ngettext(
            "Claimed {n} day after the warranty's start", "Claimed {n} days after the warranty's start", after, n=n
        )
    elif after < 0:
        came = ngettext(
            "Claimed {n} day before the warranty's start", "Claimed {n} days before the warranty's start", -after, n=n
        )
    else:
        came = _("Claimed on the day of the warranty's start")
    age = max(0, (today - claim).days)
    since = ngettext("open for {n} day", "open for {n} days", age, n=number(age))
    if is_closed:  # not in the braces below: what collects the sentences does not look there
        since = _("closed by now")
    return f"{came}, {since}."


def _drawn(*, start: date, claim: date, today: date, is_closed: bool) -> str:
    first, last = min(start, claim), max(start, claim, today)
    days = max(1, (last - first).days)
    began, made, now = (
        _ENDS + (_LENGTH - 2 * _ENDS) * (day - first).days / days for day in (start, claim, max(today, claim))
    )
    dashes = ' stroke-dasharray="2 5"' if is_closed else ""
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LENGTH} 20">
<path d="M{began:.1f} 10H{made:.1f}" stroke="{OTHER}" stroke-width="2"/>
<path d="M{made:.1f} 10H{now:.1f}" stroke="{MAIN}" stroke-width="5"{dashes}/>
<circle cx="{began:.1f}" cy="10" r="5" fill="{OTHER}"/>
<rect x="{made - 6:.1f}" y="4" width="12" height="12" fill="{MAIN}"/>
<path d="M{now:.1f} 3V17" stroke="{MAIN}" stroke-width="3"/>
</svg>"""

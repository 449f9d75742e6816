"""Claims that share a warranty: how many there are, and the others beside a claim, to open."""

from collections.abc import Callable

import streamlit as st

from components.platform.markup import plain
from components.words.statuses import status_words
from warranty.claims.analysis.identity import on_the_same_warranty
from warranty.claims.analysis.periods import day_words
from warranty.claims.readings.readings import KeptClaims
from warranty.client.resources import ClaimQuery
from warranty.language import _, language
from warranty.language.written import number


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
            "{nth} of {n} claims on this warranty among the {read} that were read.",
            nth=_ordinal(places.index(place) + 1),
            n=number(len(places)),
            read=read,
        )
        + known
    )
    for count, other in enumerate(places, start=1):
        if other == place:
            continue
        row = frame.iloc[other]
        words = f"{_ordinal(count)}: {day_words(row['claim_date'].date())}, {status_words(str(row['status']))}"
        opening = opens(other)
        if opening is None:
            st.text(_("{claim} (not in the list as it is filtered)", claim=words))
        else:
            st.button(plain(words), key=f"claims-same:{count}", on_click=opening, type="tertiary")


def _ordinal(count: int) -> str:
    """`2nd`; in Spanish as of claims, which are masculine."""
    if language() == "es":
        return f"{count}.º"
    ending = "th" if 10 <= count % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"

"""Claims that share a warranty: how many there are, and the others beside a claim, to open."""

from collections.abc import Callable

import streamlit as st

from components.claims.shown_rows import Places
from components.forms.faults import plain
from components.words.amounts import counted
from components.words.statuses import status_words
from warranty.analysis import Base, Figure
from warranty.analysis.periods import day_words
from warranty.analysis.repeats import claim_numbers, on_the_same_warranty
from warranty.claims.readings import KeptClaims
from warranty.resources import ClaimQuery


def repeat_figure(kept: KeptClaims, places: Places, base: Base) -> Figure[int]:
    """How many of the claims at these places are not the first on their warranty, among all that were read."""
    numbers = kept.derived(("claim numbers",), lambda: claim_numbers(kept.claims.frame))
    return Figure(name="Claims that repeat a warranty", value=int((numbers[places] > 1).sum()), base=base)


def repeat_words(figure: Figure[int]) -> str:
    """The figure as a sentence with its base."""
    does = "is" if figure.value == 1 or figure.base.count == 1 else "are"
    return (
        f"{figure.said} of {counted(figure.base.count, 'claim')} {does} a second or later one on the same warranty, "
        "among the claims that were read."
    )


def others_on_the_warranty(
    kept: KeptClaims, place: int, *, opens: Callable[[int], Callable[[], None] | None]
) -> None:
    """Draw which claim on its warranty the one at `place` is, and the others, of those that were read.

    `opens` gives what opens the claim at a place, None for one that the list around does not hold.
    """
    frame = kept.claims.frame
    places = on_the_same_warranty(frame, place).tolist()
    is_all = kept.claims.is_complete and kept.claims.query == ClaimQuery()
    known = "" if is_all else " Others that were not read are not known here."
    if len(places) == 1:
        st.caption(f"The only claim on this warranty among the {len(frame):,} that were read.{known}")
        return
    st.caption(
        f"{_ordinal(places.index(place) + 1)} of {counted(len(places), 'claim')} on this warranty among the "
        f"{len(frame):,} that were read.{known}"
    )
    for number, other in enumerate(places, start=1):
        if other == place:
            continue
        row = frame.iloc[other]
        words = (
            f"{_ordinal(number)}: {day_words(row['claim_date'].date())}, {status_words(str(row['status']))}"
        )
        opening = opens(other)
        if opening is None:
            st.text(f"{words} (not in the list as it is filtered)")
        else:
            st.button(plain(words), key=f"claims-same:{number}", on_click=opening, type="tertiary")


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"

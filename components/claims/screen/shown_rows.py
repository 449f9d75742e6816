"""What of a claim set is shown, and in which order: places of rows, worked out once and shared by all who look.

No frame is copied for a person: a view is a list of places in the set's own frame, and a page of the table takes
its few rows from there.
"""

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.claims.charts.colours import pale, status_colours
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.columns import SORTINGS, Sorting
from components.words.statuses import status_words
from warranty.claims.analysis import NO_PICK, choices
from warranty.claims.readings.readings import KeptClaims

Places = npt.NDArray[np.int64]


def shown_places(cached: KeptClaims, chosen: ClaimsFilter) -> Places:
    """Give the places of the rows that the filter leaves, in its order of the whole set."""
    key = ("places", chosen.selection(closed=cached.closed), chosen.order)
    return cached.derived(key, lambda: _places(cached, chosen, SORTINGS[chosen.order]))


def _places(cached: KeptClaims, chosen: ClaimsFilter, sorting: Sorting) -> Places:
    frame = cached.claims.frame
    every = cached.derived(("order", sorting.name), lambda: _sorted(frame, sorting, cached.closed))
    if not chosen.narrows:
        return every
    keep = np.zeros(len(frame), dtype=bool)
    keep[chosen.selection(closed=cached.closed).of(frame).index.to_numpy()] = True
    return every[keep[every]]


def chips_shown(cached: KeptClaims, chosen: ClaimsFilter) -> dict[str, str]:
    """The colour of each status, as people read it: those of the chart of the same claims, pale."""
    chosen = replace(chosen, pick=NO_PICK)

    def made() -> dict[str, str]:
        shown = cached.claims.frame[["status"]].iloc[shown_places(cached, chosen)]
        colours = status_colours(list(choices(shown, "status")), closed=cached.closed)
        # Two words may be said alike: the more frequent one has the colour.
        return {status_words(word): pale(colour) for word, colour in reversed([*colours.items()])}

    return cached.derived(("chips", chosen.selection(closed=cached.closed)), made)


def days_open(claims: pd.DataFrame, *, closed: tuple[str, ...], today: date) -> "pd.Series[Any]":
    """Whole days from the day of each claim to today, both in service time; none for a closed claim.

    A claim that is dated ahead is 0 days old: the service's clock may be in another zone.
    """
    days: pd.Series[Any] = (pd.Timestamp(today) - claims["claim_date"].dt.normalize()).dt.days.clip(lower=0)
    return days.astype("Int64").mask(claims["status"].isin(closed))


def _sorted(frame: pd.DataFrame, sorting: Sorting, closed: tuple[str, ...]) -> Places:
    """Sort stably, so that claims that are equal here stay newest first; letters sort without regard to case.

    By days open whatever day it is: the open claims by their date, then those that are closed.
    """
    if sorting.column == "days_open":
        dates = frame["claim_date"].mask(frame["status"].isin(closed)).reset_index(drop=True)
        return dates.sort_values(ascending=sorting.descending, kind="stable").index.to_numpy(dtype=np.int64)
    column = frame[sorting.column].reset_index(drop=True)
    ordered = column.sort_values(ascending=not sorting.descending, kind="stable", key=_without_case)
    return ordered.index.to_numpy(dtype=np.int64)


def _without_case(column: "pd.Series[Any]") -> "pd.Series[Any]":
    if column.dtype.kind == "M":
        return column
    texts = column.astype("str")
    return texts.str.casefold() + "\0" + texts

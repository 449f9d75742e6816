"""What of a claim set is shown, and in which order: places of rows, worked out once and shared by all who look.

No frame is copied for a person: a view is a list of places in the set's own frame, and a page of the table takes
its few rows from there.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.claims.claims_filter import ClaimsFilter
from components.claims.columns import SORTINGS, Sorting
from warranty.claims.readings import KeptClaims

Places = npt.NDArray[np.int64]


def shown_places(kept: KeptClaims, chosen: ClaimsFilter) -> Places:
    """Give the places of the rows that the filter leaves, in its order of the whole set."""
    key = ("places", chosen.selection, chosen.order)
    return kept.derived(key, lambda: _places(kept, chosen, SORTINGS[chosen.order]))


def _places(kept: KeptClaims, chosen: ClaimsFilter, sorting: Sorting) -> Places:
    frame = kept.claims.frame
    every = kept.derived(("order", sorting.name), lambda: _sorted(frame, sorting))
    if not chosen.narrows:
        return every
    keep = np.zeros(len(frame), dtype=bool)
    keep[chosen.selection.of(frame).index.to_numpy()] = True
    return every[keep[every]]


def _sorted(frame: pd.DataFrame, sorting: Sorting) -> Places:
    """Sort stably, so that claims that are equal here stay newest first; letters sort without regard to case."""
    column = frame[sorting.column].reset_index(drop=True)
    ordered = column.sort_values(ascending=not sorting.descending, kind="stable", key=_without_case)
    return ordered.index.to_numpy(dtype=np.int64)


def _without_case(column: "pd.Series[Any]") -> "pd.Series[Any]":
    if column.dtype.kind == "M":
        return column
    texts = column.astype("str")
    return texts.str.casefold() + "\0" + texts

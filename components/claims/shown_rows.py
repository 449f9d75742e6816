"""What of a claim set is shown, and in which order: places of rows, worked out once and shared by all who look.

No frame is copied for a person: a view is a list of places in the set's own frame, and a page of the table takes
its few rows from there.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.claims.claims_filter import ClaimsFilter
from components.claims.columns import FIRST_SORTING, SORTINGS, Sorting
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
    if sorting.name == FIRST_SORTING:
        return np.arange(len(frame), dtype=np.int64)
    column = frame[sorting.column]
    ranks: npt.NDArray[Any]
    if column.dtype.kind == "M":
        ranks = column.to_numpy(dtype="datetime64[us]").astype(np.int64)
    else:
        texts = column.astype("str")
        distinct = sorted(texts.unique(), key=lambda text: (text.casefold(), text))
        ranks = texts.map({text: rank for rank, text in enumerate(distinct)}).to_numpy(dtype=np.int64)
    return np.argsort(-ranks if sorting.descending else ranks, kind="stable").astype(np.int64)

"""Claims that share a warranty: which of them is the second, the third, and which ones came before."""

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

_SHARED: Final = ["order_id", "warranty_id"]
Numbers = npt.NDArray[np.int64]


def claim_numbers(frame: pd.DataFrame) -> Numbers:
    """Give each row of claims its number on its warranty, 1 for the oldest, by claim date, among these rows only.

    A warranty is known by its id and its order's. A claim without a warranty's id is the first: an empty id is shared
    by chance.
    """
    oldest_first = frame.sort_values("claim_date", kind="stable")
    numbers = oldest_first.groupby(_SHARED, sort=False, observed=True).cumcount() + 1
    numbers[oldest_first["warranty_id"].astype("str").str.strip() == ""] = 1
    return numbers.reindex(frame.index).to_numpy().astype(np.int64)


def on_the_same_warranty(frame: pd.DataFrame, place: int) -> Numbers:
    """Give the places of all claims on the warranty of the claim at `place`, the oldest first, with its own."""
    claim = frame.iloc[place]
    if not str(claim["warranty_id"]).strip():
        return np.array([place], dtype=np.int64)
    shared = (frame["warranty_id"] == claim["warranty_id"]) & (frame["order_id"] == claim["order_id"])
    places = np.flatnonzero(shared.to_numpy())
    dates = frame["claim_date"].to_numpy()[places]
    ordered: Numbers = places[np.argsort(dates, kind="stable")]
    return ordered

"""Which records are the same claim, decided once for the screens and for the history; which share a warranty.

Claims have no id. Two records are taken for the same claim when service time, order and warranty agree (claim_date to
the microsecond, order_id, warranty_id). Where several records of one reading share these, those that agree in all
fields are paired first, then those that agree in all but the status, then the rest in order; so equal-looking claims
are counted and not merged. Why: docs/decisions/figures.md.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

IDENTITY: Final = ["claim_date", "order_id", "warranty_id"]
_TEXTS: Final = ("description", "description_hash", "order_date", "product_name", "warranty_start_date")

Numbers = npt.NDArray[np.int64]


def texts(before: pd.DataFrame, now: pd.DataFrame) -> list[str]:
    """Give the columns, beside identity and status, by which claims of these two frames are told apart."""
    return [name for name in _TEXTS if name in before.columns and name in now.columns]


def alike(frame: pd.DataFrame) -> int:
    """How many claims cannot be told from an earlier one of the frame by their identity."""
    # Few claims share a microsecond, and the others need no comparing of texts.
    at_once = frame[frame["claim_date"].duplicated(keep=False)]
    return int(at_once.duplicated(IDENTITY).sum())


def same_claims(before: pd.DataFrame, now: pd.DataFrame) -> tuple[pd.Index, pd.Index]:
    """Give the labels of the claims that are in both frames, in the order of `before`: one claim at each place.

    Both frames have the columns of `IDENTITY`, a status and any of the other fields, and labels that are unique.
    """
    one, other = (frame[~frame.duplicated(IDENTITY, keep=False)] for frame in (before, now))
    earlier, later = _pair(one, other, IDENTITY, numbered=False)
    one, other = before.drop(index=earlier), now.drop(index=later)
    one, other = (frame.assign(status=frame["status"].astype("str")) for frame in (one, other))
    finer = texts(before, now)
    for keys in ([*IDENTITY, *finer, "status"], [*IDENTITY, *finer], IDENTITY):
        found, found_later = _pair(one, other, keys)
        one, other = one.drop(index=found), other.drop(index=found_later)
        earlier, later = earlier.append(found), later.append(found_later)
    order = before.index.get_indexer(earlier).argsort()
    return earlier[order], later[order]


def _pair(
    earlier: pd.DataFrame, later: pd.DataFrame, keys: Sequence[str], *, numbered: bool = True
) -> tuple[pd.Index, pd.Index]:
    """Pair rows that agree in `keys`; several of them, where they are `numbered`, the first with the first."""
    left, right = (_keyed(frame, keys, numbered=numbered) for frame in (earlier, later))
    on = [name for name in left.columns if name != "row"]
    both = left.merge(right, on=on, suffixes=("_earlier", "_later"))
    return pd.Index(both["row_earlier"]), pd.Index(both["row_later"])


def _keyed(frame: pd.DataFrame, keys: Sequence[str], *, numbered: bool) -> pd.DataFrame:
    columns = frame[list(keys)].copy(deep=False)
    if numbered:
        columns["occurrence"] = frame.groupby(list(keys), sort=False, observed=True).cumcount()
    columns["row"] = frame.index
    return columns


def on_the_same_warranty(frame: pd.DataFrame, place: int) -> Numbers:
    """Give the places of all claims on the warranty of the claim at `place`, the oldest first, with its own.

    A warranty is known by its id and its order's; an empty id is shared by chance.
    """
    claim = frame.iloc[place]
    if not str(claim["warranty_id"]).strip():
        return np.array([place], dtype=np.int64)
    shared = (frame["warranty_id"] == claim["warranty_id"]) & (frame["order_id"] == claim["order_id"])
    places = np.flatnonzero(shared.to_numpy())
    dates = frame["claim_date"].to_numpy()[places]
    ordered: Numbers = places[np.argsort(dates, kind="stable")]
    return ordered

"""What changed between two readings of the same filter: new claims, changed ones, vanished ones.

Claims have no id. Two records are taken for the same claim when service time, order and warranty agree
(claim_date to the microsecond, order_id, warranty_id). Where several records share these, those that agree in all
fields are paired first, then those that agree in all but the status, then the rest in order; so equal-looking
claims are counted and not merged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

_IDENTITY: Final = ["claim_date", "order_id", "warranty_id"]
_TEXTS: Final = ["description", "order_date", "product_name", "warranty_start_date"]
STATUS_BEFORE: Final = "status_before"


@dataclass(frozen=True, slots=True)
class Changes:
    """`new` and `changed` are rows of the later reading, `vanished` rows of the earlier one.

    `changed` has the former status in `status_before`; `edited` counts claims whose other texts differ.
    """

    new: pd.DataFrame
    changed: pd.DataFrame
    vanished: pd.DataFrame
    edited: int

    @property
    def any(self) -> bool:
        """Whether there is anything to tell."""
        return bool(len(self.new) or len(self.changed) or len(self.vanished) or self.edited)


def compare(before: pd.DataFrame, now: pd.DataFrame) -> Changes:
    """Compare two frames of claims; their rows keep their indices in the result."""
    earlier, later = before.copy(deep=False), now.copy(deep=False)
    for frame in (earlier, later):
        frame["status"] = frame["status"].astype("str")
    pairs: list[tuple[pd.Index, pd.Index]] = []
    for keys in ([*_IDENTITY, *_TEXTS, "status"], [*_IDENTITY, *_TEXTS], _IDENTITY):
        matched_earlier, matched_later = _pair(earlier, later, keys)
        pairs.append((matched_earlier, matched_later))
        earlier, later = earlier.drop(index=matched_earlier), later.drop(index=matched_later)
    _, (old_status, new_status), (old_rest, new_rest) = pairs
    former = [*before.loc[old_status, "status"], *before.loc[old_rest, "status"]]
    changed = now.loc[[*new_status, *new_rest]].assign(**{STATUS_BEFORE: pd.array(former, dtype="str")})
    moved = changed["status"].astype("str") != changed[STATUS_BEFORE]
    return Changes(
        new=now.loc[later.index],
        changed=changed[moved],
        vanished=before.loc[earlier.index],
        edited=int((~moved).sum()),
    )


def _pair(earlier: pd.DataFrame, later: pd.DataFrame, keys: Sequence[str]) -> tuple[pd.Index, pd.Index]:
    """Pair rows that agree in `keys`, the first with the first, the second with the second."""
    left, right = (_numbered(frame, keys) for frame in (earlier, later))
    both = left.merge(right, on=[*keys, "occurrence"], suffixes=("_earlier", "_later"))
    return pd.Index(both["row_earlier"]), pd.Index(both["row_later"])


def _numbered(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    columns = frame[list(keys)].copy(deep=False)
    columns["occurrence"] = frame.groupby(list(keys), sort=False, observed=True).cumcount()
    columns["row"] = frame.index
    return columns

"""What changed between two readings of the same filter: new claims, changed ones, vanished ones."""

from dataclasses import dataclass
from typing import Final

import pandas as pd

from warranty.claims.analysis.identity import same_claims, texts

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
    """Compare two frames of claims (see `identity`); their rows keep their indices in the result."""
    old, new = same_claims(before, now)
    earlier, later = before.loc[old], now.loc[new]
    former = earlier["status"].astype("str").set_axis(new)
    moved = later["status"].astype("str") != former
    edited = pd.Series(False, index=new)
    for name in texts(before, now):
        edited |= later[name] != earlier[name].set_axis(new)
    return Changes(
        new=now.drop(index=new),
        changed=later.assign(**{STATUS_BEFORE: former})[moved],
        vanished=before.drop(index=old),
        edited=int((edited & ~moved).sum()),
    )

"""The runs of each claim: from which complete night to which it stood with one status.

A night need not read what can hardly have changed: such a claim stands there as it was read before, and only the last
night that did read it tells how long its status held.

All this is worked out night by night, and kept beside the nights so that it need not be done again; it can be made anew
from them at any time. A claim is known again by service time, order and warranty, as `analysis.identity` has
it; where several agree in these, those of unchanged status are paired first. Of the three a hash of 64 bits is kept:
in a history of 5 million claims two are taken for one with a chance of one in a million.
"""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from warranty.claims.analysis.identity import IDENTITY

NEEDED: Final = (*IDENTITY, "status", "product_name")
STILL: Final = 32_767
"""The last night of a run that goes on: no number of a night."""
_MADE_WITH: Final = f"2, pandas {pd.__version__}"  # its hashes need not be the same in another
_TABLES: Final = ("claims", "runs")
_ABOUT: Final = b"warranty_desk"
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
Keys = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]


@dataclass(slots=True)
class Runs:
    """Claims and their runs; nights are numbered from 0, the oldest first, statuses and products by their place.

    `claims` has a row for each: key (the hash), made (day of claim_date since 1970, service time), product, run (the
    row of its last run). `runs` has claim (its row), status, first and last (numbers of nights; `STILL`: it goes on)
    and known (the last night that read it; -1: none did), in the order in which they began. `taken` says of each night
    its day and, in any words, which reading it was.
    """

    taken: list[tuple[date, str]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    products: list[str] = field(default_factory=list)
    claims: pd.DataFrame = field(
        default_factory=lambda: _table(key=np.uint64, made=np.int32, product=np.int32, run=np.int32)
    )
    runs: pd.DataFrame = field(
        default_factory=lambda: _table(claim=np.int32, status=np.int16, first=np.int16, last=np.int16, known=np.int16)
    )

    @property
    def days(self) -> Places:
        """The days of the nights, since 1970."""
        return np.array([day for day, _ in self.taken], "M8[D]").astype(np.int64)

    def add(
        self, day: date, parts: Iterable[pd.DataFrame], *, as_of: datetime | None = None, reading: str = ""
    ) -> None:
        """Add a complete night, later than all before; its claims may come in parts, so that memory holds one.

        Claims whose `read_at` is before `as_of` were not read in this night (None: all were).
        """
        key, made, product, status, read = self._coded(parts, as_of)
        night, runs, claims = len(self.taken), self.runs, self.claims
        current = claims["run"].to_numpy()
        last = runs["last"].to_numpy(copy=True)
        was, alive = runs["status"].to_numpy()[current], last[current] == STILL
        here = np.flatnonzero(alive)
        known = claims["key"].to_numpy()
        continued, found = pair(_with(known[here], was[here]), _with(key, status))
        rest, new = _without(len(known), here[continued]), _without(len(key), found)
        moved, moved_now = pair(known[rest], key[new])
        ended, moved_now = rest[alive[rest]], new[moved_now]
        moved = rest[moved]
        last[current[ended]] = night - 1
        seen = runs["known"].to_numpy(copy=True)
        seen[current[here[continued[read[found]]]]] = night
        fresh = np.setdiff1d(new, moved_now, assume_unique=True)
        begun = np.concatenate([moved, len(claims) + np.arange(len(fresh))])
        began = np.concatenate([moved_now, fresh])
        run = np.concatenate([current, np.zeros(len(fresh), np.int32)])
        run[begun] = len(runs) + np.arange(len(begun))
        self.claims = pd.DataFrame(
            {
                "key": np.concatenate([known, key[fresh]]),
                "made": np.concatenate([claims["made"], made[fresh]]),
                "product": np.concatenate([claims["product"], product[fresh]]),
                "run": run.astype(np.int32),
            },
            copy=False,
        )
        self.runs = pd.DataFrame(
            {
                "claim": np.concatenate([runs["claim"], begun.astype(np.int32)]),
                "status": np.concatenate([runs["status"], status[began]]),
                "first": np.concatenate([runs["first"], np.full(len(begun), night, np.int16)]),
                "last": np.concatenate([last, np.full(len(begun), STILL, np.int16)]),
                "known": np.concatenate([seen, np.where(read[began], night, -1).astype(np.int16)]),
            },
            copy=False,
        )
        self.taken.append((day, reading))

    def _coded(
        self, parts: Iterable[pd.DataFrame], as_of: datetime | None
    ) -> tuple[Keys, Places, Places, npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
        columns: list[tuple[Any, ...]] = [
            (
                pd.util.hash_pandas_object(part[IDENTITY], index=False, categorize=False).to_numpy(),
                part["claim_date"].to_numpy().astype("M8[D]").astype(np.int32),
                _codes(part["product_name"], self.products).astype(np.int32),
                _codes(part["status"], self.statuses).astype(np.int16),
                np.ones(len(part), bool) if as_of is None else (part["read_at"] >= as_of).to_numpy(),
            )
            for part in parts
        ]
        empty = [np.zeros(0, kind) for kind in (np.uint64, np.int32, np.int32, np.int16, np.bool_)]
        key, made, product, status, read = map(np.concatenate, zip(empty, *columns, strict=True))
        return key, made, product, status, read

    def save(self, folder: Path) -> None:
        """Write both tables; each says what it is of, so that `load` takes no two that do not belong together."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = {
            "about": "Derived from the nights beside it; delete it and it is made anew.",
            "made_with": _MADE_WITH,
            "taken": [(day.isoformat(), reading) for day, reading in self.taken],
            "statuses": self.statuses,
            "products": self.products,
        }
        made = {name: folder / f".{name}-{os.getpid()}" for name in _TABLES}
        for name, frame in zip(_TABLES, (self.claims, self.runs), strict=True):
            table = pa.Table.from_pandas(frame, preserve_index=False)
            pq.write_table(table.replace_schema_metadata({_ABOUT: json.dumps(about)}), made[name])
            made[name].chmod(0o600)
        for name in _TABLES:
            made[name].replace(folder / f"{name}.parquet")

    @classmethod
    def load(cls, folder: Path, taken: Sequence[tuple[date, str]]) -> Self:
        """Give what is kept of the first of these nights; nothing where it is of others, or cannot be read.

        Nights before them, which were removed since, stay in it.
        """
        try:
            claims, runs = (pq.read_table(folder / f"{name}.parquet") for name in _TABLES)
        except (OSError, pa.ArrowInvalid):
            return cls()
        about, same = (json.loads(table.schema.metadata[_ABOUT]) for table in (claims, runs))
        stored = [(date.fromisoformat(day), reading) for day, reading in about["taken"]]
        still = [night for night in stored if not taken or night[0] >= taken[0][0]]
        if about != same or about["made_with"] != _MADE_WITH or still != list(taken[: len(still)]):
            return cls()
        return cls(stored, about["statuses"], about["products"], claims.to_pandas(), runs.to_pandas())


def pair(left: Keys, right: Keys) -> tuple[Places, Places]:
    """Give the places of equal keys: the first of the left with the first of the right, the second with the second."""
    by_left, by_right = np.argsort(left, kind="stable"), np.argsort(right, kind="stable")
    left, right = left[by_left], right[by_right]
    nth = np.arange(len(right)) - np.searchsorted(right, right)
    place = np.searchsorted(left, right) + nth
    found = place < len(left)
    found[found] = left[place[found]] == right[found]
    return by_left[place[found]], by_right[found]


def _with(keys: Keys, status: npt.NDArray[np.int16]) -> Keys:
    mixed: Keys = keys ^ (status.astype(np.uint64) + np.uint64(1)) * _ODD
    return mixed


def _without(count: int, places: Places) -> Places:
    left = np.ones(count, bool)
    left[places] = False
    return np.flatnonzero(left)


def _codes(column: "pd.Series[Any]", names: list[str]) -> Places:
    """Code a column of words into `names`, which grows by those that it does not have."""
    codes, found = column.factorize(use_na_sentinel=False)
    words = [str(word) for word in found]
    known = set(names)
    names.extend(word for word in words if word not in known)
    place = {name: number for number, name in enumerate(names)}
    coded: Places = np.array([place[word] for word in words], np.int64)[codes]
    return coded


def _table(**columns: type[np.generic]) -> pd.DataFrame:
    return pd.DataFrame({name: np.zeros(0, kind) for name, kind in columns.items()})

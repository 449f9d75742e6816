"""Many answers into columns: typed all at once where the records are good, one by one where they are not.

Records become columns of text `GROUP` by group, as long as they lie in the processor's cache, and their timestamps
are read `CHUNK` by chunk, each in a few calls for all. Only what fails is looked at more closely, and only its bad
records are set aside, each with its answer, its place, the field and the reason.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from warranty.retrieval.answers import Answer
from warranty.retrieval.claim_codes import ClaimCodes
from warranty.retrieval.timestamps import TAILS, as_text, odd_places, read_timestamps

FIELDS: Final = (
    "claim_date", "description", "order_date", "order_id", "product_name", "status", "warranty_id",
    "warranty_start_date",
)  # fmt: skip
"""The eight fields of a claim record (interface: Claim record)."""
_INSTANT: Final = pa.timestamp("us", "UTC")
TIMESTAMPS: Final = {
    "claim_date": pa.timestamp("us"),
    "order_date": _INSTANT,
    "warranty_start_date": _INSTANT,
}
"""claim_date is service time: no zone, microseconds, never shifted. The others are instants: their offset counts."""
_RECORD: Final = pa.struct([(name, pa.string()) for name in FIELDS])
_TEXTS_OF: Final = itemgetter(*FIELDS)
GROUP: Final = 250
CHUNK: Final = 2_000
_SLICE: Final = 50
_ARROW_REFUSALS: Final = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, UnicodeEncodeError)
_SCHEMA: Final = pa.schema(
    [(name, TIMESTAMPS.get(name, pa.string())) for name in FIELDS]
    + [(f"{name} tail", TAILS) for name in TIMESTAMPS]
    + [(f"{name} verbatim", pa.string()) for name in TIMESTAMPS]
    + [("part", pa.int32())]
)


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that could not be read: the request that brought it (from 1), its place there (from 0), why.

    `field` is empty where the record as a whole is wrong. `content` is what came (of a record that is only odd in
    a timestamp, its eight fields): it may hold a customer's words, hence it is in no repr.
    """

    answer: int
    record: int
    field: str
    reason: str
    content: Any = dataclass_field(repr=False)


class ClaimTable:
    """All good records: `frame` typed for use, `codes` for counting, `as_received` the texts that the service sent.

    `repeated` counts the records that repeat another one, equal to the microsecond, in all eight fields.
    """

    def __init__(self, table: pa.Table) -> None:
        columns = {name: table[name] for name in FIELDS}
        columns["status"] = columns["status"].dictionary_encode()
        self.frame: pd.DataFrame = pa.table(columns).to_pandas()
        if (
            self.frame.empty
        ):  # no status is a text either: without this a file of no claims had a column of nothing
            self.frame["status"] = self.frame["status"].cat.set_categories(pd.Index([], dtype="str"))
        self.codes: ClaimCodes = ClaimCodes.of(self.frame)
        at_once = self.frame[
            self.frame["claim_date"].duplicated(keep=False)
        ]  # few: the rest need no comparing
        self.repeated = int(at_once.duplicated().sum())
        self._received = table.select([name for name in table.column_names if name not in FIELDS])

    def as_received(self, frame: pd.DataFrame | None = None) -> pd.DataFrame:
        """Give the rows of `frame` (a selection of `self.frame`; None: all) as eight columns of text, as received.

        Rows are found by the index of `self.frame`, which a selection keeps. Raises `KeyError` for another index.
        """
        frame = self.frame if frame is None else frame
        moments = pa.Table.from_pandas(self.frame[list(TIMESTAMPS)], preserve_index=False)
        received = self._received
        if frame is not self.frame:
            rows = frame.index.to_numpy()
            if len(rows) and (rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= len(self.frame)):
                raise KeyError("The rows are not a selection of this claim set: their index was changed.")
            moments, received = moments.take(pa.array(rows)), received.take(pa.array(rows))
        texts: dict[str, pa.Array | pa.ChunkedArray] = {}
        for name in FIELDS:
            if name in TIMESTAMPS:
                texts[name] = as_text(moments[name], received[f"{name} tail"], received[f"{name} verbatim"])
            else:
                texts[name] = pa.array(frame[name])
        table = pa.table({name: column.cast(pa.large_string()) for name, column in texts.items()})
        written: pd.DataFrame = table.to_pandas().set_index(frame.index)
        return written


class _Origins:
    """Where records come from: for each run of them its answer, their places in it, and their part."""

    def __init__(self) -> None:
        self.runs: list[tuple[int, Sequence[int], int]] = []

    @property
    def parts(self) -> npt.NDArray[np.int32]:
        """The part of each record."""
        parts = np.array([part for _, _, part in self.runs], np.int32)
        return np.repeat(parts, [len(places) for _, places, _ in self.runs])

    def __getitem__(self, number: int) -> tuple[int, int, int]:
        for answer, places, part in self.runs:
            if number < len(places):
                return answer, places[number], part
            number -= len(places)
        raise IndexError(number)

    def without(self, bad: Collection[int]) -> "_Origins":
        """Give those of the records that are left without some."""
        left, start = _Origins(), 0
        for answer, places, part in self.runs:
            end = start + len(places)
            if any(start <= number < end for number in bad):
                kept = [place for number, place in enumerate(places, start) if number not in bad]
                left.runs.append((answer, kept, part))
            else:
                left.runs.append((answer, places, part))
            start = end
        return left


class ClaimColumns:
    """Collects records of many answers and turns them into one `ClaimTable`. Not thread-safe."""

    def __init__(self) -> None:
        self._records: list[Any] = []
        self._origins = _Origins()
        self._gathered: list[tuple[_Origins, pa.StructArray]] = []
        self._batches: list[pa.RecordBatch] = []
        self._rejected: list[tuple[int, RejectedRecord]] = []
        self._dropped: set[int] = set()

    @property
    def rejected(self) -> tuple[RejectedRecord, ...]:
        """The records that could not be read, in the order in which they came."""
        self._flush()
        found = [record for part, record in self._rejected if part not in self._dropped]
        return tuple(sorted(found, key=lambda record: (record.answer, record.record)))

    def drop(self, part: int) -> None:
        """Forget what was added as `part`."""
        self._dropped.add(part)

    def add(self, answer: Answer, places: Sequence[int] | None = None, *, part: int = 0) -> None:
        """Take the records of `answer` at `places` (all where None) as a `part` that may be dropped later."""
        if places is None:
            places = range(len(answer.records))
            self._records += answer.records
        else:
            self._records += [answer.records[place] for place in places]
        self._origins.runs.append((answer.number, places, part))
        if len(self._records) >= GROUP:
            self._gather()

    def table(self, *, newest_first: bool = False, more: bool = False) -> ClaimTable:
        """Give all that was added, in the order of adding or with the newest claim first.

        `more`: it is kept, as more may be added; else it is dropped.
        """
        self._flush()
        table = pa.Table.from_batches(self._batches, schema=_SCHEMA)
        if not more:
            self._batches = []
        if self._dropped:
            dropped = pc.is_in(table["part"], pa.array(list(self._dropped), pa.int32()))
            table = table.filter(pc.invert(dropped))
        table = table.drop_columns(["part"])
        if newest_first:
            keys = [("claim_date", "descending"), ("order_id", "ascending"), ("warranty_id", "ascending")]
            table = table.take(pc.sort_indices(table.select([name for name, _ in keys]), sort_keys=keys))
        return ClaimTable(table)

    def _flush(self) -> None:
        if self._records:
            self._gather()
        if self._gathered:
            self._type()

    def _gather(self) -> None:
        """Turn a group of records into columns of texts, without those that are no object of texts.

        The records themselves are dropped at once: keeping them until their timestamps are read would push the
        next ones out of the cache, and cost a quarter of the whole.
        """
        records, origins = self._records, self._origins
        self._records, self._origins = [], _Origins()
        try:
            rows = pa.array(records, _RECORD)
            bad = _incomplete(rows, records)
            if bad:
                rows = _without(rows, bad)
        except _ARROW_REFUSALS:
            bad = _misfits(records)
            rows = pa.array([record for place, record in enumerate(records) if place not in bad], _RECORD)
        if bad:
            for place, reason in bad.items():
                self._reject(origins[place], reason, records[place])
            origins = origins.without(bad)
        self._gathered.append((origins, rows))
        if sum(len(gathered) for _, gathered in self._gathered) >= CHUNK:
            self._type()

    def _type(self) -> None:
        """Read the timestamps of the gathered texts, all at once where they are good."""
        groups, texts = zip(*self._gathered, strict=True)
        self._gathered = []
        rows, parts = pa.concat_arrays(texts), np.concatenate([origins.parts for origins in groups])
        try:
            self._batches.append(_batch(rows, parts))
            return
        except pa.ArrowInvalid:
            odd = _odd_rows(rows)
        starts = [0, *accumulate(map(len, texts))]
        for row, field in sorted(odd.items()):
            group = bisect_right(starts, row) - 1
            origin = groups[group][row - starts[group]]
            self._reject(origin, (field, _odd_reason(field)), rows[row].as_py())
        self._batches.append(_batch(_without(rows, odd), np.delete(parts, list(odd))))

    def _reject(self, origin: tuple[int, int, int], reason: tuple[str, str], record: Any) -> None:
        answer, place, part = origin
        self._rejected.append((part, RejectedRecord(answer, place, *reason, record)))


def _batch(rows: pa.StructArray, parts: npt.NDArray[np.int32]) -> pa.RecordBatch:
    """Type the columns of texts; raises `ArrowInvalid` where a timestamp is odd."""
    columns: dict[str, pa.Array] = dict(zip(FIELDS, rows.flatten(), strict=True))
    for name, kind in TIMESTAMPS.items():
        read = read_timestamps(columns[name], kind)
        columns[name] = read.moments
        columns[f"{name} tail"], columns[f"{name} verbatim"] = read.tails, read.verbatim
    columns["part"] = pa.array(parts)
    return pa.RecordBatch.from_arrays([columns[name] for name in _SCHEMA.names], schema=_SCHEMA)


def _without(rows: pa.StructArray, bad: Collection[int]) -> pa.StructArray:
    kept = np.ones(len(rows), np.bool_)
    kept[list(bad)] = False
    return rows.filter(pa.array(kept))


def _odd_rows(rows: pa.StructArray) -> dict[int, str]:
    """Give the rows with an odd timestamp, each with the first field that has one."""
    columns = dict(zip(FIELDS, rows.flatten(), strict=True))
    odd: dict[int, str] = {}
    for name, kind in TIMESTAMPS.items():
        for place in odd_places(columns[name], kind):
            odd.setdefault(place, name)
    return odd


def _incomplete(rows: pa.StructArray, records: list[Any]) -> dict[int, tuple[str, str]]:
    """Find the records without a text in some field, among rows of which no other text is anything else."""
    columns = [column for column in rows.flatten() if column.null_count]
    places = {int(place) for column in columns for place in np.flatnonzero(column.is_null())}
    found = ((place, _misfit(records[place])) for place in sorted(places))
    return {place: reason for place, reason in found if reason is not None}


def _misfits(records: list[Any]) -> dict[int, tuple[str, str]]:
    """Find the records that are no object of texts, looking at each slice as a whole first."""
    bad: dict[int, tuple[str, str]] = {}
    for start in range(0, len(records), _SLICE):
        part = records[start : start + _SLICE]
        try:
            # The quickest way to meet what is no text, or not there: joining it.
            "".join(chain.from_iterable(map(_TEXTS_OF, part))).encode()
        except (TypeError, KeyError, UnicodeEncodeError):
            found = ((start + place, _misfit(record)) for place, record in enumerate(part))
            bad.update((place, reason) for place, reason in found if reason is not None)
    return bad


def _misfit(record: Any) -> tuple[str, str] | None:
    """Say which field is missing or no text, and how; None where all are texts."""
    if not isinstance(record, dict):
        return "", f"is {_kind(record)}, not an object"
    for name in FIELDS:
        value = record.get(name)
        if not isinstance(value, str):
            return name, f"is {_kind(value)}, not text" if name in record else "is missing"
        try:
            value.encode()
        except UnicodeEncodeError:
            return name, "is not valid Unicode text"
    return None


def _odd_reason(name: str) -> str:
    zone = "without a zone" if TIMESTAMPS[name].tz is None else "with a UTC offset"
    return f"is not a timestamp {zone}, to the microsecond at most"


_KINDS: Final[tuple[tuple[type, str], ...]] = (
    (bool, "true or false"),
    (int, "a number"),
    (float, "a number"),
    (str, "text"),
    (list, "a list"),
    (dict, "an object"),
)


def _kind(value: object) -> str:
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "null")

"""Many answers into columns: typed all at once where the records are good, one by one where they are not.

Records become columns of text `GROUP` by group, as long as they lie in the processor's cache, and their timestamps
are read `CHUNK` by chunk, each in a few calls for all. Only what fails is looked at more closely, and only its bad
records are set aside, each with its answer, its place, the field and the reason.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.claim_codes import ClaimCodes
from warranty.claims.retrieval.timestamps import TAILS, as_text, odd_places, read_timestamps
from warranty.language import N_, Sentence

FIELDS: Final = (
    "claim_date", "description", "order_date", "order_id", "product_name", "status", "warranty_id",
    "warranty_start_date",
)  # fmt: skip
"""The eight fields of a claim record (interface: Claim record)."""
_INSTANT: Final = pa.timestamp("us", "UTC")
READ_AT: Final = "read_at"
TIMESTAMPS: Final = {"claim_date": pa.timestamp("us"), "order_date": _INSTANT, "warranty_start_date": _INSTANT}
"""claim_date is service time: no zone, microseconds, never shifted. The others are instants: their offset counts."""
_RECORD: Final = pa.struct([(name, pa.string()) for name in FIELDS])
_TEXTS_OF: Final = itemgetter(*FIELDS)
GROUP: Final = 250
CHUNK: Final = 2_000
_KINDS: Final = {
    bool: N_("true or false"),
    int: N_("a number"),
    float: N_("a number"),
    str: N_("text"),
    list: N_("a list"),
    dict: N_("an object"),
}
ARROW_REFUSALS: Final = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, UnicodeEncodeError)
_SCHEMA: Final = pa.schema(
    [(name, TIMESTAMPS.get(name, pa.string())) for name in FIELDS]
    + [(f"{name} tail", TAILS) for name in TIMESTAMPS]
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
    reason: Sentence
    content: Any = dataclass_field(repr=False)


class ClaimTable:
    """All good records: `frame` typed for use, `codes` for counting, `as_received` the texts that the service sent.

    `repeated` counts the records that repeat another one, equal to the microsecond, in all eight fields. `read_from`
    is as of when the one was read that was not read for longest; None where all were read as one.
    """

    def __init__(self, table: pa.Table) -> None:
        columns = {name: table[name] for name in FIELDS}
        columns["status"] = columns["status"].dictionary_encode()
        self.frame: pd.DataFrame = pa.table(columns).to_pandas()
        if self.frame.empty:  # no status is a text either: else a file of no claims had a column of nothing
            self.frame["status"] = self.frame["status"].cat.set_categories(pd.Index([], dtype="str"))
        self.codes: ClaimCodes = ClaimCodes.of(self.frame)
        at_once = self.frame[self.frame["claim_date"].duplicated(keep=False)]  # few; the rest need no comparing
        self.repeated = int(at_once.duplicated().sum())
        self._received = table.select([name for name in table.column_names if name not in FIELDS])
        self.read_from: datetime | None = pc.min(table[READ_AT]).as_py() if READ_AT in table.column_names else None

    def arrow(self, read_at: datetime | None = None) -> pa.Table:
        """All of it as columns; with `read_at` also as of when each row was read, which is then where none says so."""
        table = pa.Table.from_pandas(self.frame.astype({"status": "str"}), preserve_index=False)
        for name, column in zip(self._received.column_names, self._received.columns, strict=True):
            table = table.append_column(name, column)
        if read_at and not self.read_from:
            table = table.append_column(READ_AT, pa.repeat(pa.scalar(read_at, _INSTANT), len(table)))
        return table

    def as_received(self, frame: pd.DataFrame | None = None) -> pd.DataFrame:
        """Give the rows of `frame` (a selection of `self.frame`; None: all) as eight columns of text, as received.

        Rows are found by the index of `self.frame`, which a selection keeps. Raises `KeyError` for another index.
        """
        frame = self.frame if frame is None else frame
        moments = pa.Table.from_pandas(self.frame[list(TIMESTAMPS)], preserve_index=False)
        received = self._received
        if frame is not self.frame:
            rows = self.frame.index.get_indexer(frame.index)
            if (rows < 0).any():
                raise KeyError("The rows are not a selection of this claim set: their index was changed.")
            moments, received = moments.take(pa.array(rows)), received.take(pa.array(rows))
        texts = {name: pa.array(frame[name]) for name in FIELDS if name not in TIMESTAMPS}
        texts |= {name: as_text(moments[name], received[f"{name} tail"]) for name in TIMESTAMPS}
        table = pa.table({name: texts[name].cast(pa.large_string()) for name in FIELDS})
        written: pd.DataFrame = table.to_pandas().set_index(frame.index)
        return written

    def dated(self, times: tuple[datetime, datetime]) -> "ClaimTable":
        """The claims between two moments, both included, as a table of their own in the same order."""
        return ClaimTable(self.arrow().filter(pa.array(self.frame["claim_date"].between(*times))))


def newest_first_of(table: pa.Table) -> pa.Table:
    """Give the rows with the newest claim first."""
    keys = [("claim_date", "descending"), ("order_id", "ascending"), ("warranty_id", "ascending")]
    return table.take(pc.sort_indices(table.select([name for name, _ in keys]), sort_keys=keys))


class ClaimColumns:
    """Collects records of many answers and turns them into one `ClaimTable`. Not thread-safe."""

    def __init__(self) -> None:
        self._records: list[Any] = []
        self._origins: tuple[list[int], list[int], list[int]] = ([], [], [])
        self._gathered: list[pa.StructArray] = []
        self._bad: set[int] = set()
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
            places = range(len(answer))
            self._records += answer.records
        else:
            self._records += [answer.records[place] for place in places]
        answers, records, parts = self._origins
        answers += [answer.number] * len(places)
        records += places
        parts += [part] * len(places)
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
        return ClaimTable(newest_first_of(table) if newest_first else table)

    def _flush(self) -> None:
        if self._records:
            self._gather()
        if self._gathered:
            self._type()

    def _gather(self) -> None:
        """Turn a group of records into columns of texts; those that are no object of texts have gaps there.

        The records themselves are dropped at once: keeping them until their timestamps are read would push the
        next ones out of the cache, and cost a quarter of the whole.
        """
        records, before = self._records, sum(map(len, self._gathered))
        self._records = []
        try:
            texts = pa.array(records, _RECORD)
        except ARROW_REFUSALS:
            texts = pa.array([{} if _misfit(record) else record for record in records], _RECORD)
        self._gathered.append(texts)
        gaps = [np.flatnonzero(column.is_null()) for column in texts.flatten() if column.null_count]
        for place in {int(each) for gap in gaps for each in gap}:
            why = _misfit(records[place])
            if why is not None:
                self._reject(before + place, *why, records[place])
        if before + len(texts) >= CHUNK:
            self._type()

    def _type(self) -> None:
        """Read the timestamps of the gathered texts, all at once where they are good."""
        texts = dict(zip(FIELDS, pa.concat_arrays(self._gathered).flatten(), strict=True))
        columns = texts | {"part": pa.array(self._origins[-1], pa.int32())}
        for name, kind in TIMESTAMPS.items():
            good = texts[name]
            try:
                made = read_timestamps(good, kind)
            except pa.ArrowInvalid:
                odd = odd_places(good, kind)
                for place in odd:
                    record = {each: texts[each][place].as_py() for each in FIELDS}
                    self._reject(place, name, _odd_reason(kind), record)
                made = read_timestamps(pc.if_else(_all_but(odd, len(good)), good, None), kind)
            columns[name], columns[f"{name} tail"] = made
        typed = pa.RecordBatch.from_arrays([columns[name] for name in _SCHEMA.names], schema=_SCHEMA)
        self._batches.append(typed.filter(_all_but(self._bad, len(typed))) if self._bad else typed)
        self._origins, self._gathered, self._bad = ([], [], []), [], set()

    def _reject(self, place: int, field: str, reason: Sentence, record: Any) -> None:
        """Set a record of the chunk aside for the first thing that is wrong with it."""
        if place not in self._bad:
            answer, number, part = (column[place] for column in self._origins)
            self._rejected.append((part, RejectedRecord(answer, number, field, reason, record)))
            self._bad.add(place)


def _all_but(places: Collection[int], length: int) -> pa.BooleanArray:
    mask = np.ones(length, np.bool_)
    mask[list(places)] = False
    return pa.array(mask)


def _misfit(record: Any) -> tuple[str, Sentence] | None:
    """Say which field is missing or no text, and how; None where all are texts."""
    try:
        "".join(_TEXTS_OF(record)).encode()  # the quickest way to meet what is no text, or not there
        return None
    except (TypeError, KeyError, UnicodeEncodeError):
        pass
    if not isinstance(record, dict):
        return "", Sentence(N_("is {kind}, not an object"), kind=_kind(record))
    for name in FIELDS:
        value = record.get(name)
        if not isinstance(value, str):
            if name not in record:
                return name, Sentence(N_("is missing"))
            return name, Sentence(N_("is {kind}, not text"), kind=_kind(value))
        try:
            value.encode()
        except UnicodeEncodeError:
            return name, Sentence(N_("is not valid Unicode text"))
    return None


def _odd_reason(kind: pa.DataType) -> Sentence:
    if kind.tz is None:
        return Sentence(N_("is not a timestamp without a zone, to the microsecond at most"))
    return Sentence(N_("is not a timestamp with a UTC offset, to the microsecond at most"))


def _kind(value: object) -> Sentence:
    return Sentence(next((words for kind, words in _KINDS.items() if isinstance(value, kind)), N_("null")))

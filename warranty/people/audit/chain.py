"""The chain: each row sealed over what it says and over the row before it, both ends sealed as well.

What it protects against, and what not: docs/decisions/personal-data.md.
"""

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from warranty.language import N_, _

OWN_KEY: Final = "journal"
"""The name of the secret that the journal makes for itself; any other name is of the one in the settings."""
NEWEST: Final = "newest"
ANCHOR: Final = "anchor"
_Row = Mapping[Any, Any]
_SEALED: Final = (
    "number", "recorded_at", "environment", "kind", "username", "role", "address", "till", "store", "details",
    "sealed_with", "before",
)  # fmt: skip


class Break(StrEnum):
    """How the chain does not hold, in a sentence; `Fault.words` says it."""

    CHANGED = N_("Rows {first} to {last}: changed, or put in in the place of others.")
    MISSING = N_("Rows {first} to {last}: missing.")
    PUT_IN = N_("Rows {first} to {last}: put in after the newest row that the program wrote.")
    END = N_("The mark of the newest row is changed or missing: newer rows may be missing.")
    ANCHOR = N_("The mark of the last removal is changed or missing: older rows may be missing.")
    OTHER_KEY = N_("Rows {first} to {last}: sealed with another secret, so they could not be looked at.")
    WITHOUT_KEY = N_("Rows {first} to {last}: sealed without the secret of the settings.")
    TAKEN_BACK = N_("Row {first} is not there as it was seen before: an older copy was put back.")


@dataclass(frozen=True, slots=True)
class Fault:
    """One place where the chain does not hold: the rows `first` to `last`."""

    kind: Break
    first: int
    last: int

    @property
    def words(self) -> str:
        """What it says, for the screen and for a terminal."""
        return _(self.kind, first=self.first, last=self.last)


@dataclass(frozen=True, slots=True)
class Chain:
    """What was found: how many rows there are, the numbers of the first and the newest, and where it does not hold.

    `purged_to` is the last row that a purge removed (0: none), `without_key_to` the last one that was sealed before the
    settings had a key of their own (0: none), `seal` that of the newest row: who notes both number and seal elsewhere
    can tell later that no row was taken back.
    """

    rows: int
    first: int
    newest: int
    seal: str
    purged_to: int
    without_key_to: int
    faults: tuple[Fault, ...]

    @property
    def holds(self) -> bool:
        """Whether no row was changed, removed or put in."""
        return not self.faults


def sealed(secret: bytes, values: _Row) -> str:
    """The seal of a row's values; `recorded_at` aware in UTC, `details` as the text that is kept."""
    texts = [_text(values[name]) for name in _SEALED]
    return _mac(secret, ["row", *texts])


def end_seal(secret: bytes, name: str, number: int, seal: str) -> str:
    """The seal of one of the chain's ends: that this row is the newest, or the last that a purge removed."""
    return _mac(secret, [name, str(number), seal])


def looked_at(rows: Iterable[_Row], ends: Mapping[str, _Row], secrets: Mapping[str, bytes]) -> Chain:
    """Look at all rows, in the order of their numbers, and at both ends; `secrets` are those known, by their names.

    Where the settings have a secret, it is the last one: the newest row has to be sealed with it.
    """
    count = first = number = purged_to = without_key_to = 0
    faults: list[Fault] = []
    seal, key, anchor = "", OWN_KEY, ends.get(ANCHOR)
    if anchor is not None:
        number, seal, purged_to = anchor["number"], anchor["seal"], anchor["number"]
        faults += _of_end(ANCHOR, anchor, secrets)
    for row in rows:
        count += 1
        first = first or row["number"]
        faults += _of_row(row, number, seal, former_key=key, secrets=secrets)
        number, seal, key = row["number"], row["seal"], row["sealed_with"]
        without_key_to = number if key == OWN_KEY else without_key_to
    newest, end = number, ends.get(NEWEST)
    if end is None:
        if count or anchor is not None:
            faults.append(Fault(Break.END, newest, newest))
    else:
        faults += _of_end(NEWEST, end, secrets)
        if end["number"] > newest:
            faults.append(Fault(Break.MISSING, newest + 1, end["number"]))
        elif end["number"] < newest:
            faults.append(Fault(Break.PUT_IN, end["number"] + 1, newest))
        elif end["seal"] != seal:
            faults.append(Fault(Break.CHANGED, newest, newest))
    if count and key == OWN_KEY and list(secrets)[-1] != OWN_KEY:
        faults.append(Fault(Break.WITHOUT_KEY, newest, newest))
    return Chain(count, first, newest, seal, purged_to, without_key_to, tuple(_together(faults)))


def _of_row(row: _Row, number: int, seal: str, *, former_key: str, secrets: Mapping[str, bytes]) -> Iterator[Fault]:
    here = row["number"]
    if here > number + 1:
        # Where a whole row is gone from the front of all, no purge has said so.
        yield Fault(Break.MISSING, number + 1, here - 1)
    secret = secrets.get(row["sealed_with"])
    if secret is None:
        yield Fault(Break.OTHER_KEY, here, here)
    elif not hmac.compare_digest(sealed(secret, row), row["seal"]) or (here == number + 1 and row["before"] != seal):
        yield Fault(Break.CHANGED, here, here)
    elif row["sealed_with"] == OWN_KEY and former_key != OWN_KEY:
        yield Fault(Break.WITHOUT_KEY, here, here)


def _of_end(name: str, end: _Row, secrets: Mapping[str, bytes]) -> Iterator[Fault]:
    secret = secrets.get(end["sealed_with"])
    mark = "" if secret is None else end_seal(secret, name, end["number"], end["seal"])
    if not (mark and hmac.compare_digest(mark, end["mark"])):
        yield Fault(Break.END if name == NEWEST else Break.ANCHOR, end["number"], end["number"])


def _together(faults: Iterable[Fault]) -> Iterator[Fault]:
    """Those of one kind that follow each other, as one; each place once."""
    last: Fault | None = None
    for each in faults:
        if last and each.kind is last.kind and each.first <= last.last + 1:
            last = Fault(last.kind, last.first, max(last.last, each.last))
            continue
        if last:
            yield last
        last = each
    if last:
        yield last


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _mac(secret: bytes, texts: list[str]) -> str:
    return hmac.new(secret, json.dumps(texts, ensure_ascii=False).encode(), "sha256").hexdigest()

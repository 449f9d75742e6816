"""What an import of orders is made of: its states and its values.

`source` and `body` of an order hold personal data: `warranty.desk.journal.batches` says when they are erased.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from warranty.access import FIRST_STORE

_DRAFT_IDS: Final = uuid.UUID("5a0c2f0e-8f0d-4a53-9c39-6a1a3f4d2b17")


class BatchState(StrEnum):
    """How far an import has come."""

    PREVIEW = "preview"
    SENDING = "sending"
    PAUSED = "paused"
    FINISHED = "finished"
    CLOSED = "put away"  # the word that journals hold; another would leave their closed imports unreadable


class RowState(StrEnum):
    """What has become of one order of an import."""

    READ = "read"
    WAITING = "waiting"
    DONE = "done"
    REFUSED = "refused"
    NOT_SENT = "not sent"
    UNKNOWN = "unknown"
    LEFT_OUT = "left out"
    FAULTY = "faulty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """An import: whose, of which file, how far, and what was decided about it. `note` says why it pauses."""

    batch_id: str
    environment: str
    username: str
    file_name: str
    state: BatchState
    note: str
    layout: Mapping[str, Any]
    choices: Mapping[str, Any]
    created_at: datetime
    store_id: str = FIRST_STORE
    till_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOrder:
    """An order of an import; `result` tells what became of it, `source` and `body` are erased when it is done."""

    batch_id: str
    number: int
    name: str
    first_row: int
    order_id: str
    state: RowState
    source: Mapping[str, Any] | None = field(default=None, repr=False)
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    result: Mapping[str, Any] = field(default_factory=dict)

    @property
    def draft_id(self) -> str:
        """The same at every try and in every process, so that the journal's unique row lets it be sent once."""
        return uuid.uuid5(_DRAFT_IDS, f"{self.batch_id}/{self.number}").hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A new state of an order of an import, with what tells of it."""

    number: int
    state: RowState
    result: Mapping[str, Any] = field(default_factory=dict)
    order_id: str | None = None
    body: Mapping[str, Any] | None = field(default=None, repr=False)

"""The append-only record of every attempt to write to the service, with drafts and imports beside it."""

from warranty.desk.journal.batches import Batch, Batches, BatchOrder, BatchState, Changed, RowState
from warranty.desk.journal.drafts import Drafts
from warranty.desk.journal.entries import (
    FOUND_BY_READING,
    LOOKED_UP,
    NOTHING_WRITTEN,
    Attempt,
    AttemptFilter,
    AttemptState,
    Draft,
    Intent,
    ItemLine,
    Operation,
    Outcome,
    Purged,
    Queue,
    Result,
    Settlement,
)
from warranty.desk.journal.journal import Begun, Journal, LinkShown, LinksShown

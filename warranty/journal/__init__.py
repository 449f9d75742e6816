"""The append-only record of every attempt to write to the service, with drafts and imports beside it."""

from warranty.journal.batch_entries import Batch, BatchOrder, BatchState, Changed, RowState
from warranty.journal.batches import Batches
from warranty.journal.drafts import Drafts
from warranty.journal.entries import (
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
    Settlement,
)
from warranty.journal.journal import Begun, Journal
from warranty.journal.links import LinkShown, LinksShown

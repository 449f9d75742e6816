"""Whether a journal is what the program leaves behind: every rule that its rows keep, looked at in one state."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from alembic.autogenerate import compare_metadata  # platform: name alembic.autogenerate.compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Select, UniqueConstraint, exists, func, literal, or_, select, text

from warranty.database.database import Database
from warranty.database.schema import schema_of
from warranty.database.tables import METADATA
from warranty.desk.journal.batches import BatchState, RowState
from warranty.desk.journal.entries import OPEN, AttemptState, Operation
from warranty.desk.journal.queries import WITH_NEWEST_OUTCOME
from warranty.desk.journal.tables import ATTEMPTS, BATCH_ORDERS, ORDER_BATCHES, OUTCOMES, UNSETTLED

_ROWS_AT_ONCE: Final = 1000

_is_open = OUTCOMES.c.state.is_(None) | OUTCOMES.c.state.in_(OPEN)
_has_unsettled = exists().where(UNSETTLED.c.attempt_id == ATTEMPTS.c.attempt_id)
_number, _revision = OUTCOMES.c.number, ATTEMPTS.c.revision
_holds_customers = or_(BATCH_ORDERS.c.source.is_not(None), BATCH_ORDERS.c.body.is_not(None))

_RULES: Final[Mapping[str, Select[Any]]] = {
    "entries whose outcomes are not numbered from 1 without gaps": select(OUTCOMES.c.attempt_id)
    .group_by(OUTCOMES.c.attempt_id)
    .having(or_(func.min(_number) != 1, func.max(_number) != func.count())),
    "drafts whose sendings are not numbered without gaps": select(ATTEMPTS.c.environment, ATTEMPTS.c.draft_id)
    .group_by(ATTEMPTS.c.environment, ATTEMPTS.c.draft_id)
    .having(func.max(_revision) - func.min(_revision) + 1 != func.count()),
    "entries that are open and are not kept as unsettled": WITH_NEWEST_OUTCOME.where(_is_open, ~_has_unsettled),
    "entries that are settled and still hold what was sent": WITH_NEWEST_OUTCOME.where(~_is_open, _has_unsettled),
    "imported orders that the service has and that still hold customers": select(BATCH_ORDERS.c.number).where(
        BATCH_ORDERS.c.state == RowState.DONE, _holds_customers
    ),
    "orders of closed imports that still hold customers": select(BATCH_ORDERS.c.number)
    .join(ORDER_BATCHES)
    .where(ORDER_BATCHES.c.state == BatchState.CLOSED, _holds_customers),
}
_WORDS: Final = {
    ATTEMPTS.c.operation: get_args(Operation),
    OUTCOMES.c.state: tuple(AttemptState),
    ORDER_BATCHES.c.state: tuple(BatchState),
    BATCH_ORDERS.c.state: tuple(RowState),
}


@dataclass(frozen=True, slots=True)
class Verified:
    """The rows of each table, and a sentence for each rule that is broken, without any value."""

    rows: Mapping[str, int]
    faults: tuple[str, ...]


def verify(database: Database) -> Verified:
    """Look at all of a journal. Raises `JournalUnavailable` where it cannot be read at all."""
    rows: dict[str, int] = {}
    with database.snapshot() as connection:
        faults = list(_of_tables(connection))
        if not faults:
            faults += _of_rows(connection, rows)
    return Verified(rows, tuple(faults))


def _of_tables(connection: Connection) -> Iterator[str]:
    """What is wrong with the file or the tables; where anything is, no row is looked at."""
    if connection.dialect.name == "sqlite":
        if connection.scalar(text("PRAGMA integrity_check(1)")) != "ok":
            yield "the file is damaged"
            return
        triggers = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    else:
        triggers = text("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'")
    if not schema_of(connection).is_own:
        yield "the tables are of another version of this program"
        return
    if differences := compare_metadata(MigrationContext.configure(connection), METADATA):
        yield f"the tables are not those of this program ({len(differences)} differences)"
    there = set(connection.scalars(triggers))
    guards = {table.name: table.info["guard"] for table in METADATA.sorted_tables if "guard" in table.info}
    yield from (f"{name} are not guarded against changes" for name, guard in guards.items() if guard not in there)


def _of_rows(connection: Connection, rows: dict[str, int]) -> Iterator[str]:
    for table in METADATA.sorted_tables:
        try:
            found = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(select(table))
            rows[table.name] = sum(len(some) for some in found.partitions(_ROWS_AT_ONCE))
        except (ValueError, TypeError, KeyError):
            yield f"a row of {table.name} cannot be read"
    for what, broken in _rules():
        found_rows = broken.with_only_columns(literal(1), maintain_column_froms=True).subquery()
        if times := connection.scalar(select(func.count()).select_from(found_rows)):
            yield f"{times} {what}"


def _rules() -> Iterator[tuple[str, Select[Any]]]:
    """Each rule with the rows that break it."""
    yield from _RULES.items()
    for table in METADATA.sorted_tables:
        for key in table.foreign_keys:
            missing = select(key.parent).where(~exists().where(key.column == key.parent))
            yield f"rows of {table.name} without their {key.column.table.name}", missing
        for unique in table.constraints:
            if isinstance(unique, UniqueConstraint) or unique is table.primary_key:
                twice = select(*unique.columns).group_by(*unique.columns).having(func.count() > 1)
                yield (f"keys of {table.name} that stand there twice ({', '.join(unique.columns.keys())})", twice)
    for column, words in _WORDS.items():
        unknown = select(column).where(column.not_in(words))
        yield f"rows of {column.table.name} with a {column.name} that nobody knows", unknown

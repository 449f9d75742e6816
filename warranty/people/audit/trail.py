"""The audit trail in the journal's database: rows are added one after the other, by any number of programs at once.

A row is added at the end of a transaction, since the next program waits from then on until it is over. With the
transaction of what it tells of, it is there exactly when that is. The newest row as it was last seen stands in a file
outside the database: who puts back an older copy of that is found by a row that is gone.
"""

import hmac
import json
import logging
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from pydantic import SecretStr
from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from warranty.access import Operator
from warranty.database.database import Database, Repository, held, insert_unless_there, upsert
from warranty.database.preferences import keyed_hash, own_secret
from warranty.database.tables import PREFERENCES
from warranty.disk import write_whole
from warranty.people.audit.chain import ANCHOR, NEWEST, OWN_KEY, Break, Chain, Fault, end_seal, looked_at, sealed
from warranty.people.audit.entries import AuditFilter, AuditKind, AuditRow, By
from warranty.people.audit.tables import AUDIT, AUDIT_ENDS, AUDIT_SUBJECTS
from warranty.places.people_in_text import folded_address, without_addresses

_log: Final = logging.getLogger("warranty.audit")
_journal_log: Final = logging.getLogger("warranty.journal")
_SEEN: Final = "audit-seen"
_ROWS_AT_ONCE: Final = 1000
_LONGEST: Final = 500
_FIRST: Final = {"number": 0, "seal": "", "sealed_with": "", "mark": ""}


class AuditTrail(Repository):
    """The trail of a journal, as the programs of one environment write it; every method may raise `JournalUnavailable`.

    `secret` is the settings' own; without it rows are sealed with one that the journal keeps for itself.
    """

    def __init__(self, database: Database, environment: str, secret: SecretStr | None = None) -> None:
        super().__init__(database, environment)
        self._secret = secret

    def note(self, kind: AuditKind, by: By | Operator, **details: str | int) -> AuditRow:
        """Write a row, in a transaction of its own."""
        with self._database.write() as connection:
            row = self.add(connection, kind, by, **details)
        tell(row)
        return row

    def noting(self, kind: AuditKind, by: By | Operator, **details: str | int) -> "Noting":
        """A row that is written with another transaction, if that comes to it."""
        return Noting(self, kind, by, details)

    def add(self, connection: Connection, kind: AuditKind, by: By | Operator, **details: str | int) -> AuditRow:
        """Write a row with a transaction, as its last statement; who ends that one well has to `tell` of the row.

        What a text of the details says of e-mail addresses and phone numbers is taken out of it.
        """
        by = By.operator(by) if isinstance(by, Operator) else by
        newest = held(connection, AUDIT_ENDS, {"name": NEWEST}, **_FIRST)
        key, secret = self._key(connection)
        address = keyed_hash(connection, f"audit address\n{by.address}")[:16] if by.address else ""
        shortened = {name: _short(value) for name, value in details.items() if value != ""}
        values: dict[str, Any] = {
            "number": newest.number + 1,
            "recorded_at": self._clock(),
            "environment": self._environment,
            "kind": str(kind),
            **asdict(by),
            "address": address,
            "details": json.dumps(shortened, ensure_ascii=False, sort_keys=True),
            "sealed_with": key,
            "before": newest.seal,
        }
        values["seal"] = sealed(secret, values)
        connection.execute(insert(AUDIT), values)
        ended = self._end(NEWEST, values["number"], values["seal"], key, secret)
        connection.execute(update(AUDIT_ENDS).filter_by(name=NEWEST).values(ended))
        return AuditRow(**{**values, "details": shortened})

    def rows(self, query: AuditFilter) -> list[AuditRow]:
        """The rows of this environment that a filter asks for, newest first."""
        found = self._filtered(select(AUDIT), query).order_by(AUDIT.c.number.desc())
        return list(map(_row, self._found(found.limit(query.limit).offset(query.offset))))

    def count(self, query: AuditFilter) -> int:
        """How many rows a filter asks for, whatever its limit."""
        return int(self._found(self._filtered(select(func.count(AUDIT.c.number)), query))[0][0])

    def people(self) -> list[str]:
        """The login names that stand in the rows of this environment."""
        named = select(AUDIT.c.username).distinct().filter_by(environment=self._environment)
        return sorted(row.username for row in self._found(named) if row.username)

    def verify(self) -> Chain:
        """Look at all rows of all environments in one state: whether any was changed, removed or put in."""
        with self._database.snapshot() as connection:
            ends = {row["name"]: row for row in connection.execute(select(AUDIT_ENDS)).mappings()}
            secrets_known = self._known(own_secret(connection, make=False))
            rows = select(AUDIT).order_by(AUDIT.c.number)
            found = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(rows)
            return looked_at((row for some in found.mappings().partitions() for row in some), ends, secrets_known)

    def has(self, number: int, seal: str) -> bool:
        """Whether a row is as it was seen with this seal, or was removed by a purge since."""
        with self._database.read() as connection:
            if connection.scalar(select(AUDIT.c.seal).filter_by(number=number)) == seal:
                return True
            purged_to = connection.scalar(select(AUDIT_ENDS.c.number).filter_by(name=ANCHOR))
            return purged_to is not None and number <= purged_to

    def newest(self) -> "Seen | None":
        """The newest row; None while there is none."""
        end = select(AUDIT_ENDS.c.number, AUDIT_ENDS.c.seal).filter_by(name=NEWEST).where(AUDIT_ENDS.c.number > 0)
        return next((Seen(row.number, row.seal) for row in self._found(end)), None)

    def purge(self, before: datetime) -> int:
        """Remove what was recorded before a moment, and seal how far; the newest row stays. Gives how many went.

        Rows have the moment of the program that wrote them: what stands behind a younger row stays with it.
        """
        with self._database.write(erases=True) as connection:
            newest = held(connection, AUDIT_ENDS, {"name": NEWEST}, **_FIRST)
            younger = select(func.min(AUDIT.c.number)).where(AUDIT.c.recorded_at >= before)
            stays = connection.execute(younger).scalar_one() or newest.number
            last = select(AUDIT.c.number, AUDIT.c.seal).where(AUDIT.c.number < stays).order_by(AUDIT.c.number.desc())
            end = connection.execute(last.limit(1)).first()
            if end is None:
                return 0
            removed = connection.execute(delete(AUDIT).where(AUDIT.c.number <= end.number)).rowcount
            key, secret = self._key(connection)
            anchor = self._end(ANCHOR, end.number, end.seal, key, secret)
            upsert(connection, AUDIT_ENDS, key={"name": ANCHOR}, values=anchor)
            row = self.add(connection, AuditKind.PURGE, By.program(), rows=removed, up_to_row=end.number)
        tell(row)
        return removed

    def settings(self, values: Mapping[str, str]) -> None:
        """Write down which settings are not as they were at the last start, by their names; values are never kept."""
        with self._database.write() as connection:
            own = own_secret(connection)
            texts = {name: f"setting\n{name}\n{value}".encode() for name, value in values.items()}
            now = {name: hmac.new(own, text, "sha256").hexdigest()[:16] for name, text in texts.items()}
            place = {"username": "", "name": f"settings-known.{self._environment}"}
            former = connection.scalar(select(PREFERENCES.c.value).filter_by(**place))
            if former == now:
                return
            upsert(connection, PREFERENCES, key=place, values={"value": now})
            changed = sorted(name for name in now if (former or {}).get(name) != now[name])
            changes = ", ".join(changed) if former else "the first start"
            row = self.add(connection, AuditKind.SETTINGS, By.program(), changed=changes)
        tell(row)

    def hashed(self, text: str) -> str:
        """A keyed hash of a text that must not stand in a row: equal for equal ones."""
        with self._database.write() as connection:
            return keyed_hash(connection, f"audit text\n{text}")[:16]

    def subject(self, text: str, *, make: bool = True) -> str:
        """The keyed hash by which rows name an e-mail or a phone (`+1…`), whatever the case; empty for none yet.

        Its key is one of its own, so that it can be erased, and then no row says any more whose it was.
        """
        text = folded_address(text)
        with self._database.write() as connection:
            found_by = {"found_by": keyed_hash(connection, f"audit subject\n{text}")}
            if make:
                insert_unless_there(connection, AUDIT_SUBJECTS, {**found_by, "secret": secrets.token_hex(32)})
            secret = connection.scalar(select(AUDIT_SUBJECTS.c.secret).filter_by(**found_by))
        return hmac.new(bytes.fromhex(secret), text.encode(), "sha256").hexdigest()[:16] if secret else ""

    def about(self, subject: str) -> list[AuditRow]:
        """The rows of all environments that name this `subject`, oldest first."""
        named = select(AUDIT).where(AUDIT.c.details.contains(subject, autoescape=True)).order_by(AUDIT.c.number)
        found = map(_row, self._found(named)) if subject else ()
        return [row for row in found if row.details.get("customer") == subject]

    def forget_subject(self, text: str) -> bool:
        """Erase the key by which rows name somebody: nobody can say any more whose they were."""
        with self._database.write(erases=True) as connection:
            found_by = keyed_hash(connection, f"audit subject\n{folded_address(text)}")
            return connection.execute(delete(AUDIT_SUBJECTS).filter_by(found_by=found_by)).rowcount > 0

    def _filtered(self, statement: Select[Any], query: AuditFilter) -> Select[Any]:
        equal = {"environment": self._environment, "username": query.username, "kind": query.kind}
        statement = statement.filter_by(**{name: value for name, value in equal.items() if value is not None})
        if query.start is not None:
            statement = statement.where(AUDIT.c.recorded_at >= query.start)
        return statement if query.end is None else statement.where(AUDIT.c.recorded_at < query.end)

    def _known(self, own: bytes) -> dict[str, bytes]:
        """The secrets by the names that rows have for them; that of the settings is the last one."""
        known = {OWN_KEY: own}
        if self._secret is not None:
            secret = self._secret.get_secret_value().encode()
            known[hmac.new(secret, b"audit key", "sha256").hexdigest()[:8]] = secret
        return known

    def _key(self, connection: Connection) -> tuple[str, bytes]:
        return list(self._known(own_secret(connection)).items())[-1]

    @staticmethod
    def _end(name: str, number: int, seal: str, key: str, secret: bytes) -> Mapping[str, str | int]:
        return {"number": number, "seal": seal, "sealed_with": key, "mark": end_seal(secret, name, number, seal)}


class Noting:
    """One row to be: written as the last thing of a transaction, told once that is over."""

    def __init__(self, trail: AuditTrail, kind: AuditKind, by: By | Operator, details: Mapping[str, str | int]) -> None:
        self._trail, self._kind, self._by, self._details = trail, kind, by, details
        self._row: AuditRow | None = None

    def __call__(self, connection: Connection) -> None:
        """Write the row."""
        self._row = self._trail.add(connection, self._kind, self._by, **self._details)

    def tell(self) -> None:
        """Tell of the row, if it was written."""
        if self._row is not None:
            tell(self._row)


class Seen(NamedTuple):
    """A row by its number and its seal."""

    number: int
    seal: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Of `NUMBER:SEAL`; raises `ValueError`."""
        number, _, seal = text.strip().partition(":")
        if not seal:
            raise ValueError
        return cls(int(number), seal)

    def __str__(self) -> str:
        return f"{self.number}:{self.seal}"


@dataclass(frozen=True, slots=True)
class Watched:
    """A trail, and the folder in which its newest row is noted; each method may raise `JournalUnavailable`."""

    trail: AuditTrail
    folder: Path

    @property
    def file(self) -> Path:
        """Where it is noted."""
        return self.folder / _SEEN

    def verify(self, *seen: Seen) -> Chain:
        """As `AuditTrail.verify`, and whether the row of the file and those `seen` elsewhere are there still.

        Where all holds, the newest row takes the place of the one in the file.
        """
        chain = self.trail.verify()
        gone = [one for one in (*self._noted(), *seen) if not self.trail.has(*one)]
        faults = [Fault(Break.TAKEN_BACK, one.number, one.number) for one in gone]
        chain = replace(chain, faults=(*chain.faults, *faults))
        if chain.holds and chain.rows:
            self.note(Seen(chain.newest, chain.seal))
        return chain

    def look(self) -> None:
        """Put the newest row in the place of the one in the file, if that is there still; says so in the log if not."""
        if any(not self.trail.has(*one) for one in self._noted()):
            _journal_log.error("the audit trail is not as it was seen: verify it")
        elif (newest := self.trail.newest()) is not None:
            self.note(newest)

    def note(self, seen: Seen) -> None:
        """Write the file, for its owner's eyes, whole or not at all; where it cannot be written, the log says so."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.file, f"{seen}\n".encode())
        except OSError as fault:
            _journal_log.error("the newest row of the audit trail was not noted: %s", type(fault).__name__)

    def _noted(self) -> list[Seen]:
        """The row of the file; none where there is no such file, or nothing to be read in it."""
        try:
            return [Seen.read(self.file.read_text("ascii"))]
        except (OSError, ValueError):
            return []


def tell(row: AuditRow) -> None:
    """One JSON line of a row that is kept by now, for whoever gathers them elsewhere."""
    _log.info("%s", json.dumps({"event": "audit", **dict(items(row))}, ensure_ascii=False))


def items(row: AuditRow) -> Iterator[tuple[str, Any]]:
    """What a row says by its names, in the order of its columns; moments in ISO form, UTC."""
    for column in AUDIT.c:
        value = getattr(row, column.name)
        yield column.name, value.isoformat() if isinstance(value, datetime) else value


def _row(row: Row[Any]) -> AuditRow:
    values = {name: getattr(row, name) for name in AuditRow.__slots__}
    return AuditRow(**{**values, "details": json.loads(row.details)})


def _short(value: str | int) -> str | int:
    return value if isinstance(value, int) else without_addresses(value[:_LONGEST])

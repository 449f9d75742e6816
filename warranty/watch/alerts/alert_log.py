"""What was told without a browser: alerts, written down before they go out, and by which ways they went.

Nothing here says who a customer is. An alert is there once for as long as its trouble lasts, whatever looks at it how
often; those that were found together are one message, which keeps its id however often it is sent.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import Column, Connection, Index, Table, Text, func, insert, select, update

from warranty.database.database import Repository, insert_unless_there
from warranty.database.tables import METADATA, Instant, keys, required, texts

ALERTS: Final = Table(
    "alerts",
    METADATA,
    *keys("alert_id"),
    *texts("environment", "key", "kind", "words"),  # the key is what is told once: the kind and what it is about
    Column("raised_at", Instant, nullable=False),
    Column("message_id", Text, nullable=False, index=True),  # what is found together goes out together
    Column("over_at", Instant),
)
# The guard: of any number of programs that find the same trouble, one writes it down, until it is over.
_key, _standing = (ALERTS.c.environment, ALERTS.c.key), ALERTS.c.over_at.is_(None)
Index("uq_alerts_standing", *_key, unique=True, sqlite_where=_standing, postgresql_where=_standing)

ALERT_MESSAGES: Final = Table(
    "alert_messages",
    METADATA,
    *keys("message_id", "way"),
    *required(environment=Text, raised_at=Instant),
    Column("sent_at", Instant),  # empty: this way has not taken it yet
    Index(None, "environment", "sent_at"),
)


SAME_TROUBLE: Final = timedelta(hours=1)
"""What comes back sooner than this after it was over is the same trouble, and is not told again."""


@dataclass(frozen=True, slots=True)
class Alert:
    """A trouble that a person should know of; `key` names it, `words` are for people."""

    kind: str
    key: str
    words: str


@dataclass(frozen=True, slots=True)
class Known:
    """All that is wrong now of what was looked at: alerts whose keys begin with `scope`; none, where all is well."""

    scope: str
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """Alerts that were written down together (`raised_at`: aware, in UTC), and the ways that have yet to take them."""

    message_id: str
    raised_at: datetime
    alerts: tuple[Alert, ...]
    owed: frozenset[str]


class AlertLog(Repository):
    """The alerts of an environment."""

    def note(self, known: Sequence[Known], *, ways: Collection[str]) -> int:
        """Write down what is new, for these ways, and what is over; gives how many alerts are new.

        An alert is over when its scope was looked at and it was not found. Of several programs at once one writes it.
        """
        now = self._clock()
        wrong = {alert.key: alert for each in known for alert in each.alerts}
        looked_at = tuple(each.scope for each in known)
        with self._database.write() as connection:
            standing = self._standing(connection, since=now - SAME_TROUBLE)
            for key, is_over in standing.items():
                if is_over and key in wrong:
                    self._mark(connection, key, former=now - SAME_TROUBLE, over_at=None)
                elif not is_over and key not in wrong and key.startswith(looked_at):
                    self._mark(connection, key, former=None, over_at=now)
            return self._write(connection, [wrong[key] for key in sorted(wrong.keys() - standing)], ways, now)

    def begin(self, alert: Alert, *, ways: Collection[str], again: bool) -> None:
        """Write down what is told once and for all, as a month's report, unless it was; `again`: in any case."""
        now = self._clock()
        with self._database.write() as connection:
            if again:
                self._mark(connection, alert.key, former=None, over_at=now)
            self._write(connection, [alert], ways, now)

    def owed(self, ways: Collection[str]) -> list[Message]:
        """The messages that one of these ways has yet to take, oldest first."""
        sent = ALERT_MESSAGES.c
        owed = select(ALERTS, sent.way).join(ALERT_MESSAGES, sent.message_id == ALERTS.c.message_id)
        mine = owed.where(sent.environment == self._environment, sent.sent_at.is_(None), sent.way.in_(ways))
        found: dict[str, list[Any]] = {}
        for row in self._found(mine.order_by(sent.raised_at, sent.message_id, ALERTS.c.key)):
            found.setdefault(row.message_id, []).append(row)
        return [_message(rows) for rows in found.values()]

    def took(self, message_id: str, way: str) -> None:
        """Write down that a way took a message."""
        owed = update(ALERT_MESSAGES).filter_by(message_id=message_id, way=way, sent_at=None)
        self._change(owed.values(sent_at=self._clock()))

    def last_sent(self) -> datetime | None:
        """When a message last went out; None: none did."""
        newest = select(func.max(ALERT_MESSAGES.c.sent_at)).filter_by(environment=self._environment)
        last: datetime | None = self._found(newest)[0][0]
        return last

    def _standing(self, connection: Connection, *, since: datetime) -> dict[str, bool]:
        """The keys of what is wrong or was until a moment ago, and whether it is over."""
        over_at = ALERTS.c.over_at
        rows = connection.execute(
            select(ALERTS.c.key, over_at)
            .where(ALERTS.c.environment == self._environment, over_at.is_(None) | (over_at > since))
            .order_by(over_at.is_(None))  # what is wrong now decides
        )
        return {row.key: row.over_at is not None for row in rows}

    def _mark(self, connection: Connection, key: str, *, former: datetime | None, over_at: datetime | None) -> None:
        """Mark an alert as over, or as standing again: `former` is since when it was over at most."""
        is_meant = ALERTS.c.over_at.is_(None) if former is None else ALERTS.c.over_at > former
        marked = update(ALERTS).filter_by(environment=self._environment, key=key).where(is_meant)
        connection.execute(marked.values(over_at=over_at))

    def _write(self, connection: Connection, alerts: Sequence[Alert], ways: Collection[str], now: datetime) -> int:
        message = {"message_id": uuid4().hex, "environment": self._environment, "raised_at": now}
        rows = [{**message, "alert_id": uuid4().hex, **asdict(alert)} for alert in alerts]
        new = sum(insert_unless_there(connection, ALERTS, row) for row in rows)
        if new:
            connection.execute(insert(ALERT_MESSAGES), [{**message, "way": way} for way in sorted(ways)])
        return new


def _message(rows: Sequence[Any]) -> Message:
    """Of a row for each alert and each way that has yet to take it."""
    alerts = dict.fromkeys(Alert(row.kind, row.key, row.words) for row in rows)
    return Message(rows[0].message_id, rows[0].raised_at, tuple(alerts), frozenset(row.way for row in rows))

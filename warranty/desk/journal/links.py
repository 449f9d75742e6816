"""When a person of the desk first had the landing page's link of an order on the screen, and whether it was declined.

Nothing here says who the customer is. A row belongs to the attempt that gave the link and goes with it when its
retention ends; it is added once for each person and order, whatever is clicked. That the customer declined the plan is
all that is changed, and can be taken back.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, select, update

from warranty.database.database import Repository, insert_unless_there
from warranty.desk.journal.tables import ATTEMPTS, LINKS_SHOWN


@dataclass(frozen=True, slots=True)
class LinkShown:
    """One person had the link of one order on the screen, and noted that the customer declined; aware, in UTC.

    `shown_at` is the first time; `declined_at` is None where they did not.
    """

    order_id: str
    username: str
    operator_name: str
    shown_at: datetime
    declined_at: datetime | None = None


class LinksShown(Repository):
    """Who showed which order's link."""

    def note(self, attempt_id: str, *, username: str, operator_name: str) -> bool:
        """Write down that this person has the link of this attempt's order; gives whether that is new.

        An attempt that is not in the journal is not noted.
        """
        order = select(ATTEMPTS.c.environment, ATTEMPTS.c.order_id).where(ATTEMPTS.c.attempt_id == attempt_id)
        row = {
            "attempt_id": attempt_id,
            "username": username,
            "operator_name": operator_name,
            "shown_at": self._clock(),
        }
        with self._database.write() as connection:
            found = connection.execute(order).first()
            if found is None:
                return False
            shown = _of_order(*found).where(LINKS_SHOWN.c.username == username)
            if connection.execute(shown).first() is not None:
                return False
            return insert_unless_there(connection, LINKS_SHOWN, row)

    def decline(self, environment: str, order_id: str, username: str, *, declined: bool) -> None:
        """Write down that the customer declined the plan, once, by this person who has the link; or that they did not.

        Anybody may take back what another wrote down.
        """
        if declined == any(link.declined_at for link in self.of_order(environment, order_id)):
            return
        its = select(ATTEMPTS.c.attempt_id).where(_in(environment), ATTEMPTS.c.order_id == order_id)
        changed = update(LINKS_SHOWN).where(LINKS_SHOWN.c.attempt_id.in_(its))
        if declined:
            changed = changed.where(LINKS_SHOWN.c.username == username)
        with self._database.write() as connection:
            connection.execute(changed.values(declined_at=self._clock() if declined else None))

    def declined(self, environment: str, *such: ColumnElement[bool]) -> frozenset[str]:
        """The ids of the orders whose customers declined the plan, among such as these say."""
        orders = select(ATTEMPTS.c.order_id).join(LINKS_SHOWN).where(_in(environment), *such)
        with self._database.read() as connection:
            return frozenset(connection.scalars(orders.where(LINKS_SHOWN.c.declined_at.is_not(None))))

    def of_order(self, environment: str, order_id: str) -> list[LinkShown]:
        """Who has shown the link of the order of exactly this id, oldest first."""
        with self._database.read() as connection:
            return [LinkShown(*row) for row in connection.execute(_of_order(environment, order_id))]


def _of_order(environment: str, order_id: str) -> Select[Any]:
    """Those of an order, oldest first."""
    shown = LINKS_SHOWN.c
    return (
        select(ATTEMPTS.c.order_id, shown.username, shown.operator_name, shown.shown_at, shown.declined_at)
        .join(ATTEMPTS)
        .where(_in(environment), ATTEMPTS.c.order_id == order_id)
        .order_by(shown.shown_at, shown.username)
    )


def _in(environment: str) -> ColumnElement[bool]:
    """Compared as an expression, since SQLite would walk all attempts of the environment otherwise (see `queries`)."""
    return ATTEMPTS.c.environment.concat("") == environment

"""When a person of the desk first had the landing page's link of an order on the screen, to hand it over.

Nothing here says who the customer is. A row belongs to the attempt that gave the link and goes with it when its
retention ends; it is added once for each person and order, whatever is clicked, and never changed.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select

from warranty.database.database import Repository, insert_unless_there
from warranty.desk.journal.tables import ATTEMPTS, LINKS_SHOWN


@dataclass(frozen=True, slots=True)
class LinkShown:
    """One person had the link of one order on the screen; `shown_at`, the first time, is aware, in UTC."""

    order_id: str
    username: str
    operator_name: str
    shown_at: datetime


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

    def of_order(self, environment: str, order_id: str) -> list[LinkShown]:
        """Who has shown the link of the order of exactly this id, oldest first."""
        with self._database.read() as connection:
            return [LinkShown(*row) for row in connection.execute(_of_order(environment, order_id))]


def _of_order(environment: str, order_id: str) -> Select[Any]:
    """Those of an order, oldest first.

    The environment is compared as an expression, since SQLite would walk all its attempts otherwise (see `queries`).
    """
    shown = LINKS_SHOWN.c
    return (
        select(ATTEMPTS.c.order_id, shown.username, shown.operator_name, shown.shown_at)
        .join(ATTEMPTS)
        .where(ATTEMPTS.c.environment.concat("") == environment, ATTEMPTS.c.order_id == order_id)
        .order_by(shown.shown_at, shown.username)
    )

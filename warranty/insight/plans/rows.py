"""Plans sold by month of start and product, as files say: the base that claims are counted against."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Integer, Table, Text, delete, insert, select

from warranty.database.database import Repository
from warranty.database.tables import METADATA, Instant, keys, required

PLANS_SOLD: Final = Table(
    "plans_sold",
    METADATA,
    *keys("environment", "month", "product"),  # YYYY-MM, the month in which the plans start
    *required(plans=Integer, file_name=Text, username=Text, imported_at=Instant),
)


@dataclass(frozen=True, slots=True)
class PlansRow:
    """How many plans of a product start in a month (`YYYY-MM`), and from which file, whose, and since when (UTC)."""

    month: str
    product: str
    plans: int
    file_name: str
    username: str
    imported_at: datetime


class PlansSoldRows(Repository):
    """The plans sold of one environment."""

    def all(self) -> list[PlansRow]:
        """Every row, by month and product."""
        mine = select(*(PLANS_SOLD.c[name] for name in PlansRow.__slots__)).filter_by(environment=self._environment)
        statement = mine.order_by(PLANS_SOLD.c.month, PLANS_SOLD.c.product)
        return [PlansRow(*row) for row in self._found(statement)]

    def replace(self, plans: Mapping[tuple[str, str], int], *, file_name: str, username: str) -> None:
        """Keep these plans by month and product, in place of all that was kept of their months; all or nothing."""
        own: dict[str, Any] = {"file_name": file_name, "username": username, "imported_at": self._clock()}
        own["environment"] = self._environment
        rows = [{**own, "month": month, "product": name, "plans": count} for (month, name), count in plans.items()]
        with self._database.write() as connection:
            for month in {month for month, _ in plans}:
                connection.execute(delete(PLANS_SOLD).filter_by(environment=self._environment, month=month))
            connection.execute(insert(PLANS_SOLD), rows)

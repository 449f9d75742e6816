"""What was foretold of a month, and what came of it: written down once before, and once after."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import Column, Float, Integer, Table, select, update

from warranty.database.database import Repository, insert_unless_there
from warranty.database.tables import METADATA, keys, required

FORECASTS: Final = Table(
    "forecasts",
    METADATA,
    # Both months are YYYY-MM: the last one that was seen whole, and the one foretold; no product: all of them.
    *keys("environment", "as_of", "product", "month"),
    *required(expected=Float, low_80=Float, high_80=Float, low_95=Float, high_95=Float),
    Column("came", Integer),  # what came, once the month was over; filled in once
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foretold:
    """What was expected of `month` after `as_of` was over (both YYYY-MM), of a product (empty: of all together).

    `came` are the claims that were made, None until that month is over and was read completely.
    """

    as_of: str
    product: str
    month: str
    expected: float
    low_80: float
    high_80: float
    low_95: float
    high_95: float
    came: int | None = None

    @property
    def held(self) -> bool:
        """Whether what came lies in the interval of 95 %."""
        return self.came is not None and self.low_95 <= self.came <= self.high_95


class ForecastDiary(Repository):
    """The forecasts of one environment."""

    def all(self) -> list[Foretold]:
        """Every forecast that was written down, the earliest month first."""
        diary = FORECASTS.c
        columns = [column for column in diary if column is not diary.environment]
        statement = select(*columns).filter_by(environment=self._environment)
        rows = self._found(statement.order_by(diary.month, diary.as_of, diary.product))
        return [Foretold(**{name: getattr(row, name) for name in Foretold.__slots__}) for row in rows]

    def write(self, new: Iterable[Foretold]) -> None:
        """Write forecasts down; one that stands there already stays as it was said."""
        with self._database.write() as connection:
            for each in new:
                insert_unless_there(connection, FORECASTS, {"environment": self._environment, **asdict(each)})

    def came(self, forecasts: Iterable[Foretold]) -> None:
        """Write down what came, once: what stands there already stays."""
        with self._database.write() as connection:
            for each in forecasts:
                key = {"as_of": each.as_of, "product": each.product, "month": each.month}
                unknown = update(FORECASTS).filter_by(environment=self._environment, came=None, **key)
                connection.execute(unknown.values(came=each.came))

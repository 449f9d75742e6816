"""Plans sold as a base of rates, by a file or as recorded at this desk; claims beside these plans."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from warranty.access import Operator, Permission
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.starts import StartTable
from warranty.database.database import Database
from warranty.insight.plans.rows import PlansRow, PlansSoldRows
from warranty.people.audit import AuditKind, AuditTrail


@dataclass(frozen=True)
class PlansSold:
    """Plans by month of start (`YYYY-MM`) and product; `of_words` completes "of the 1,204 …".

    `months` are those that it knows of: a product without plans in one of these has 0. `orders` are the orders that the
    plans are on, where these are known: claims on others are not on these plans.
    """

    plans: Mapping[tuple[str, str], int]
    months: frozenset[str]
    of_words: str
    leaves_out: tuple[str, ...] = ()
    orders: frozenset[str] | None = None

    @classmethod
    def load(cls, database: Database, environment: str) -> Self:
        """What files say; empty where none was imported. May raise `JournalUnavailable`."""
        plans = {(row.month, row.product): row.plans for row in PlansSoldRows(database, environment).all()}
        return cls(plans, frozenset(month for month, _ in plans), "plans sold by the files imported")

    @cached_property
    def by_product(self) -> Mapping[str, Mapping[str, int]]:
        """The plans by month of each product."""
        found: dict[str, dict[str, int]] = {}
        for (month, product), count in self.plans.items():
            found.setdefault(product, {})[month] = count
        return found

    def of(self, product: str | None, starts: Sequence[str]) -> Counts | None:
        """Give the plans of a product (None: of all) for each month of start.

        None where that is not known: of a month that it does not know of, or of a product that it has no plan of.
        """
        if not self.months.issuperset(starts) or not (product is None or product in self.by_product):
            return None
        sold = self.by_product.values() if product is None else (self.by_product[product],)
        return np.array([sum(plans.get(month, 0) for plans in sold) for month in starts], np.int64)


@dataclass(frozen=True, slots=True)
class KeptPlans:
    """The door to plans sold for one person, who may see trends; `recorded_here` gives those recorded at this desk."""

    database: Database
    environment: str
    operator: Operator
    audit: AuditTrail
    recorded_here: Callable[[], PlansSold]

    def rows(self) -> list[PlansRow]:
        """What files say, row by row, with who imported them and when."""
        return PlansSoldRows(self.database, self.environment).all()

    def by_files(self) -> PlansSold:
        """What files say."""
        return PlansSold.load(self.database, self.environment)

    def replace(self, plans: Mapping[tuple[str, str], int], *, file_name: str) -> None:
        """Take over a file, in place of what was kept of its months. Raises `PermissionDenied`."""
        self.operator.acts(Permission.IMPORT_PLANS_SOLD)
        rows = PlansSoldRows(self.database, self.environment)
        rows.replace(plans, file_name=file_name, username=self.operator.username)
        self.audit.note(AuditKind.SHOP_FILE, self.operator, what="plans sold", file=file_name, count=len(plans))


@dataclass(frozen=True, slots=True, eq=False)
class Exposed:
    """Claims [starts, ages] on the plans [starts] that were sold; `left_out` claims have no plans sold beside them."""

    claims: Counts
    plans: Counts
    left_out: int


def exposed(table: StartTable, sold: PlansSold, product: str | None = None) -> Exposed:
    """Give the claims of a product (None: of all) in months of start for which plans of the product were sold."""
    size = len(table.starts)
    claims, plans = np.zeros((size, size), np.int64), np.zeros(size, np.int64)
    for name, by_month in sold.by_product.items() if product is None else [(product, sold.by_product.get(product, {}))]:
        of_product = np.array([by_month.get(month, 0) for month in table.starts], np.int64)
        plans += of_product
        claims += table.counts(name) * (of_product > 0)[:, None]
    return Exposed(claims, plans, int(table.counts(product).sum() - claims.sum()))


def unmatched(table: StartTable, sold: PlansSold) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Products of claims without plans sold, with their claims; and of plans sold without claims, with their plans.

    Names are compared letter by letter, in the months of the table.
    """
    months = set(table.starts)
    plans = {name: sum(of[month] for month in months & of.keys()) for name, of in sold.by_product.items()}
    claims = {name: int(table.counts(name).sum()) for name in table.products if not plans.get(name)}
    return claims, {name: count for name, count in plans.items() if count and name not in table.products}

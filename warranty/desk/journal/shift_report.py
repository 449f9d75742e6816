"""What a shift did, added up from the journal: orders, sales, attach rate, revenue, refusals, unknowns.

It covers what was recorded at this desk and nothing else: not the plans that customers bought on the landing page.
Money is summed exactly; `revenue` is price times units of the sales and checkouts that are done, in the order's
currency. A checkout that was sent again is the same plans.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, tzinfo
from decimal import Decimal
from typing import NamedTuple, TypeVar

from warranty.desk.journal import Attempt, AttemptState, ItemLine

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Sold:
    """Plans sold: how many, and for how much; `unpriced` are those whose price is not known here."""

    plans: int = 0
    revenue: Decimal = Decimal(0)
    unpriced: int = 0

    def __add__(self, other: "Sold") -> "Sold":
        return Sold(self.plans + other.plans, self.revenue + other.revenue, self.unpriced + other.unpriced)


class SoldLine(NamedTuple):
    """Who sold which plan; the term is None where it is not known."""

    person: str
    product: str
    term_months: int | None


@dataclass(slots=True)
class PersonShift:
    """What one person did."""

    name: str
    orders: int = 0
    declined: int = 0
    sales: int = 0
    checkouts: int = 0
    sold: Sold = field(default_factory=Sold)
    refused: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class AttachRate:
    """Of the counter's orders that a plan could be sold on, those on which one was sold, or declined, in that time.

    They are the new orders, but for those of a file, and what was checked out with its plans.
    """

    with_plan: int
    declined: int
    orders: int

    @property
    def percent(self) -> Decimal | None:
        """In percent, to one decimal; None without orders."""
        if not self.orders:
            return None
        return (Decimal(100) * self.with_plan / self.orders).quantize(Decimal("0.1"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftReport:
    """The sums of a time.

    `orders` are those that the service stored new, `known_before` those that it had already. `sold_by_day` has the day
    and `sold_by_hour` the hour in the zone of the report. `on_older_orders` are sales on orders that were not sent in
    this time, or not here.
    """

    orders: int
    known_before: int
    sales: int
    checkouts: int
    sold: Sold
    attach_rate: AttachRate
    on_older_orders: int
    sold_by_line: Mapping[SoldLine, Sold]
    sold_by_day: Mapping[date, Sold]
    sold_by_hour: Mapping[int, Sold]
    people: Sequence[PersonShift]
    refused: Sequence[Attempt]
    not_sent: Sequence[Attempt]
    not_recorded: Sequence[Attempt]
    unknown: Sequence[Attempt]
    waiting: Sequence[Attempt]

    @property
    def sold_by_product(self) -> Mapping[tuple[str, int | None], Sold]:
        """By product and term, those that brought most first."""
        sums: dict[tuple[str, int | None], Sold] = defaultdict(Sold)
        for line, sold in self.sold_by_line.items():
            sums[line.product, line.term_months] += sold
        return dict(sorted(sums.items(), key=lambda entry: (-entry[1].revenue, entry[0][0], entry[0][1] or 0)))


def shift_report(
    attempts: Iterable[Attempt], *, redone: Collection[str] = (), declined: Collection[str] = (), zone: tzinfo
) -> ShiftReport:
    """Add up the attempts of a time; their days are those of `zone`.

    `redone` are the ids of attempts that were sent again since: what was not sent, or not recorded, is then put right.
    `declined` are the ids of the orders whose customers declined a plan; what was sold all the same is sold.
    """
    attempts = list(attempts)
    done = [attempt for attempt in attempts if attempt.state is AttemptState.DONE]
    orders = [attempt for attempt in done if attempt.operation == "submit_order"]
    new = [attempt for attempt in orders if not attempt.result.already_known]
    sales = [attempt for attempt in done if attempt.operation == "record_sale"]
    lines = [(one, item) for one in with_plans(done) for item in one.items]
    by_line = _by((SoldLine(_seller(one)[1], item.title, item.term_months), item) for one, item in lines)
    by_day = _by((one.started_at.astimezone(zone).date(), item) for one, item in lines)
    by_hour = _by((one.started_at.astimezone(zone).hour, item) for one, item in lines)
    by_person = _by((_seller(one)[0], item) for one, item in lines)
    offered = [one for one in new if one.screen == one.operation and one.result.warrantable_products is not False]
    sellable = {one.order_id for one in (*offered, *(one for one, _ in lines if one.operation == "notify_checkout"))}
    sold_on = {one.order_id for one, _ in lines}
    without = (sellable - sold_on) & set(declined)
    return ShiftReport(
        orders=len(new),
        known_before=len(orders) - len(new),
        sales=len(sales),
        checkouts=sum(attempt.operation == "notify_checkout" for attempt in done),
        sold=sum(by_day.values(), Sold()),
        attach_rate=AttachRate(with_plan=len(sellable & sold_on), declined=len(without), orders=len(sellable)),
        on_older_orders=sum(sale.order_id not in {attempt.order_id for attempt in new} for sale in sales),
        sold_by_line=by_line,
        sold_by_day=dict(sorted(by_day.items())),
        sold_by_hour=dict(sorted(by_hour.items())),
        people=_people(attempts, without, by_person),
        refused=[attempt for attempt in attempts if attempt.state is AttemptState.REFUSED],
        not_sent=_left(attempts, AttemptState.NOT_SENT, redone),
        not_recorded=_left(attempts, AttemptState.NOT_RECORDED, redone),
        unknown=[attempt for attempt in attempts if attempt.state is AttemptState.UNKNOWN],
        waiting=[attempt for attempt in attempts if attempt.state is AttemptState.QUEUED],
    )


def with_plans(done: Iterable[Attempt]) -> list[Attempt]:
    """The sales and checkouts; of the checkouts of one order one, since what is sent again is the same plans."""
    sold = {one.order_id if one.operation == "notify_checkout" else one.attempt_id: one for one in done}
    return [one for one in sold.values() if one.operation != "submit_order"]


def _left(attempts: Sequence[Attempt], state: AttemptState, redone: Collection[str]) -> list[Attempt]:
    """Those in this state that nobody has sent again; a later checkout of an order is the same one sent again."""
    taken = {one.order_id for one in attempts if one.operation == "notify_checkout" and one.state is AttemptState.DONE}
    return [
        attempt
        for attempt in attempts
        if attempt.state is state
        and attempt.attempt_id not in redone
        and not (attempt.operation == "notify_checkout" and attempt.order_id in taken)
    ]


def _sold(item: ItemLine) -> Sold:
    if item.warranty_price is None:
        return Sold(plans=item.quantity, unpriced=item.quantity)
    return Sold(plans=item.quantity, revenue=item.warranty_price * item.quantity)


def _by(sold: Iterable[tuple[_Key, ItemLine]]) -> dict[_Key, Sold]:
    """The sums of the lines of each key."""
    sums: dict[_Key, Sold] = defaultdict(Sold)
    for key, item in sold:
        sums[key] += _sold(item)
    return sums


def _seller(attempt: Attempt) -> tuple[str, str]:
    """The login name and the name of who sold it: who sent it, unless for a colleague."""
    at = attempt.at
    return (at.sold_by, at.sold_by_name) if at.sold_by else (attempt.username, attempt.operator_name)


def _people(attempts: Sequence[Attempt], declined: Collection[str], sold: Mapping[str, Sold]) -> list[PersonShift]:
    """One entry for each person, those who sold most first; `declined` are the ids of orders."""
    people: dict[str, PersonShift] = {}
    for attempt in attempts:
        username, name = _seller(attempt)
        person = people.setdefault(username, PersonShift(name, sold=sold.get(username, Sold())))
        person.refused += attempt.state is AttemptState.REFUSED
        person.unknown += attempt.state is AttemptState.UNKNOWN
        if attempt.state is not AttemptState.DONE:
            continue
        if attempt.operation == "submit_order":
            person.orders += not attempt.result.already_known
            person.declined += not attempt.result.already_known and attempt.order_id in declined
        elif attempt.operation == "notify_checkout":
            person.checkouts += 1
        else:
            person.sales += 1
    return sorted(people.values(), key=lambda person: (-person.sold.revenue, person.name))

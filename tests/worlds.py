"""Shops made of chance and known truth: what a desk would read of them on any day, in numpy.

A `Shop` sells plans and gets claims; whatever is told of it can be held against what is true of it. Nothing changes in
it (the still world) unless `doubles` says so (the moved world). Sales may grow: that is no change of the product.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd

DAY: Final = 86_400_000_000
"""Microseconds."""
ENDS: Final = ("RESOLVED", "DENIED", "CANCELLED", "REPLACED")
UNDERWAY: Final = ("OPEN", "IN_REVIEW")


@dataclass(frozen=True)
class Shop:
    """A shop on `today`, with everything drawn from `seed`.

    claims_a_month   expected in the 30 days up to `today`, of all products together
    growth           of sales a month (0.03: three more in a hundred each month)
    resolve_days     mean of the days until a claim ends (exponential); `ends` are the shares of ENDS
    months, term     how long it has sold plans, and how long a plan lasts; claims come evenly over the term,
                     but `early` of them in its first tenth
    claims_a_plan    over its term; the number of plans sold follows from it and from claims_a_month
    products         equal in everything but their sales, which fall with the number (1, 1/2, 1/3 …)
    doubles          product number -> (day, times): from that day its claims come so many times as often
    reopened         share of ended claims that are opened again after `resolve_days`, and end for good later
    """

    seed: int = 0
    today: date = date(2026, 11, 22)
    claims_a_month: float = 40
    growth: float = 0.0
    resolve_days: float = 30
    months: int = 36
    term: int = 24
    early: float = 0.1
    claims_a_plan: float = 0.25
    products: int = 4
    doubles: Mapping[int, tuple[date, float]] = field(default_factory=dict)
    ends: tuple[float, float, float, float] = (0.8, 0.1, 0.05, 0.05)
    reopened: float = 0.0

    def claims(self, as_of: date | None = None) -> pd.DataFrame:
        """All claims up to the end of a day (none: today) with the statuses of that evening, newest first.

        The eight columns and types of `ClaimSet.frame`. Of a datetime (no zone): up to that moment.
        """
        moment = self._moment(as_of or self.today)
        later = int((self.life["claim_date"] > moment).sum())
        life = self.life[later:]
        ended = (life["ended_at"] <= moment) & ~((life["reopened_at"] <= moment) & (life["ended_again_at"] > moment))
        told = np.where(ended, life["end"], np.where(life["number"] % 2 == 0, *UNDERWAY))
        statuses = pd.Categorical(told, categories=sorted({*ENDS, *UNDERWAY})).remove_unused_categories()
        frame = self._lasting[later:].reset_index(drop=True)
        frame.insert(list(frame).index("warranty_id"), "status", pd.Series(statuses))
        return frame

    @cached_property
    def _lasting(self) -> pd.DataFrame:
        """What `claims` says of every claim whatever the day."""
        life = self.life
        frame = pd.DataFrame(
            {
                "claim_date": life["claim_date"], "description": "It does not start.",
                "order_date": (life["start"] - np.timedelta64(2 * DAY, "us")).dt.tz_localize("UTC"),
                "order_id": "o-" + life["plan"].astype(str), "product_name": "Product " + life["product"].astype(str),
                "warranty_id": "w-" + life["plan"].astype(str),
                "warranty_start_date": life["start"].dt.tz_localize("UTC"),
            }
        )  # fmt: skip
        return frame.astype(dict.fromkeys(("description", "order_id", "product_name", "warranty_id"), "str"))

    def plans_sold(self) -> pd.DataFrame:
        """Plans started by month (its first day) and product, up to today: `month, product, plans`."""
        months = self._starts.astype("M8[us]").astype("M8[M]")
        months = months[months <= np.datetime64(self.today, "M")]
        products = np.array([f"Product {number}" for number in range(1, self.products + 1)])
        counted = pd.Series(1, index=[months, products[self._product[: len(months)] - 1]])
        counted.index.names = ["month", "product"]
        return counted.groupby(level=[0, 1]).sum().rename("plans").reset_index()

    @cached_property
    def life(self) -> pd.DataFrame:
        """Every claim up to today with its whole course: what nobody can read anywhere, the truth.

        start, claim_date, ended_at, reopened_at, ended_again_at (no zone; later than today where still to come,
        NaT where never), end (its last status), plan, product, number. Newest first.
        """
        rng = np.random.default_rng([self.seed, 1])
        most = max((times for _, times in self.doubles.values()), default=1.0)
        plans = np.repeat(np.arange(len(self._starts)), rng.poisson(self.claims_a_plan * most, len(self._starts)))
        claimed = (self._starts[plans] + self._ages(rng, len(plans))).astype("M8[us]")
        rates = np.ones(len(plans))
        for product, (day, times) in self.doubles.items():
            rates[(self._product[plans] == product) & (claimed >= np.datetime64(day))] = times
        kept = (rng.random(len(plans)) < rates / most) & (claimed <= self._moment(self.today))
        kept = np.flatnonzero(kept)[np.argsort(claimed[kept])[::-1]]
        plans, claimed = plans[kept], claimed[kept]
        ended, reopened, again = (claimed + part for part in np.cumsum(self._courses(rng, len(kept)), axis=0))
        never = rng.random(len(kept)) >= self.reopened
        return pd.DataFrame(
            {
                "start": self._starts[plans].astype("M8[us]"), "claim_date": claimed, "ended_at": ended,
                "reopened_at": np.where(never, np.datetime64("NaT", "us"), reopened),
                "ended_again_at": np.where(never, np.datetime64("NaT", "us"), again),
                "end": rng.choice(ENDS, len(kept), p=self.ends), "plan": plans, "product": self._product[plans],
                "number": np.arange(len(kept))[::-1],
            }
        )  # fmt: skip

    def _moment(self, day: date) -> "np.datetime64":
        after = day if isinstance(day, datetime) else datetime.combine(day + timedelta(days=1), time())
        return np.datetime64(after, "us") - np.timedelta64(1, "us")

    def _courses(self, rng: np.random.Generator, claims: int) -> "np.ndarray[Any, Any]":
        return (rng.exponential(self.resolve_days, (3, claims)) * DAY).astype("m8[us]")

    def _ages(self, rng: np.random.Generator, claims: int) -> "np.ndarray[Any, Any]":
        share = np.where(rng.random(claims) < self.early, 0.1, 1.0) * rng.random(claims)
        return (share * self.term * 30.4375 * DAY).astype("m8[us]")

    @cached_property
    def _sold_a_day(self) -> "np.ndarray[Any, Any]":
        """Expected plans of each day up to today, such that the last 30 days bring `claims_a_month`."""
        days = np.arange(-round(self.months * 30.4375), 1)
        sales = (1 + self.growth) ** (days / 30.4375)
        share = (np.clip(-days / (self.term * 30.4375), 0, 1), np.clip((-days - 30) / (self.term * 30.4375), 0, 1))
        of_age = [self.early * np.minimum(1, 10 * each) + (1 - self.early) * each for each in share]
        return sales * self.claims_a_month / (self.claims_a_plan * np.sum(sales * (of_age[0] - of_age[1])))

    @cached_property
    def _starts(self) -> "np.ndarray[Any, Any]":
        """When each plan started, in order, within the day as a shop is open: 9 to 21 hours."""
        rng = np.random.default_rng([self.seed, 0])
        sold = rng.poisson(self._sold_a_day)
        day = np.repeat(np.arange(len(sold)), sold) - (len(sold) - 1)
        within = np.sort(day + rng.uniform(9, 21, len(day)) / 24) * DAY
        return np.datetime64(self.today, "us") + within.astype("m8[us]")

    @cached_property
    def _product(self) -> "np.ndarray[Any, Any]":
        share = 1 / np.arange(1, self.products + 1)
        rng = np.random.default_rng([self.seed, 2])
        return rng.choice(np.arange(1, self.products + 1), len(self._starts), p=share / share.sum())


@dataclass(frozen=True)
class Rhythm:
    """What goes on in a shop in which nothing changes: claims a day, from the first one on.

    `sundays` have so much of the usual day, a year swings `season` up and down, sales grow by `growth` a month; with
    `is_new` plans of two years are sold since the first day, so that those in force are more each month.
    """

    name: str
    sundays: float = 1.0
    season: float = 0.0
    growth: float = 0.0
    is_new: bool = False

    def by_month(self, first: date, months: int, a_month: float, rng: np.random.Generator) -> dict[date, int]:
        """Claims by month (its first day), around `a_month` in the last one."""
        last = np.datetime64(first, "M") + np.timedelta64(months, "M")
        days = np.arange(np.datetime64(first, "D"), last.astype("M8[D]"))
        age, turn = np.arange(len(days)) / 30.4375, rng.uniform(0, 2 * np.pi)
        usual = a_month / 30.4375 * (1 + self.growth) ** (age - months)
        usual = usual * np.where(pd.DatetimeIndex(days).day_of_week == 6, self.sundays, (7 - self.sundays) / 6)
        usual = usual * (1 + self.season * np.sin(2 * np.pi * age / 12 + turn))
        made = rng.poisson(usual * np.minimum(1, (age + 1 / 30.4375) / 24 if self.is_new else 1))
        firsts, place = np.unique(days.astype("M8[M]"), return_inverse=True)
        return dict(zip(firsts.astype(object), np.bincount(place, made).astype(int).tolist(), strict=True))


RHYTHMS: Final = (
    Rhythm("nothing"), Rhythm("Sundays at 0.3", sundays=0.3), Rhythm("a season of 30 %", season=0.3),
    Rhythm("Sundays and a season", sundays=0.3, season=0.3), Rhythm("the first two years", sundays=0.3, is_new=True),
    Rhythm("sales growing by 3 % a month", sundays=0.3, season=0.3, growth=0.03),
    Rhythm("sales falling by 3 % a month", sundays=0.3, season=0.3, growth=-0.03),
)  # fmt: skip
SIZES: Final = (30, 100, 300, 800, 2_000)
"""Claims a month."""

"""Products whose claims are more than their own past explains, each with how sure that is and since when.

A month is judged by the months before it (`statistics.warning`): by calendar months that are over. A season that the
shop's past has not shown for two years rule.rings as a fault does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import pandas as pd

from warranty.claims.analysis import Period, shown_word
from warranty.claims.analysis.cube import Counts, to_day
from warranty.claims.retrieval.claim_codes import DAY, Coded, moments, to_months
from warranty.insight.statistics import warning as rule
from warranty.language import _
from warranty.language.written import MONTH, dated, number

_LONGEST_PAST: Final = 24
_MUCH_OF_ALL: Final = 0.1
"""A product that makes more of the claims than this is left out of the growth and the season that it is judged by."""
_ENOUGH: Final = 240
"""Of fewer claims of other products than these neither can be told: then the product's own are among them."""


@dataclass(frozen=True, slots=True)
class ProductWarning:
    """A product to look at; `since` is the first day of the month with which it began.

    `sentence` says it for people, with the product's name as the service writes it: text, never Markdown.
    """

    product: str
    since: date
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What the rule says of every product in `month` (its first day), the last one that was over.

    `judged` has the products with a year of past, `came` their claims of the month. `too_young` are the others, which
    nothing is told of. `why_not` says in a sentence why nothing at all is told.
    """

    month: date
    judged: dict[str, rule.EarlyWarning]
    came: dict[str, int]
    too_young: tuple[str, ...]
    why_not: str = ""

    @property
    def warnings(self) -> tuple[ProductWarning, ...]:
        """The products to look at, the surest first."""
        rung = [(each.probability, product) for product, each in self.judged.items() if each.rings]
        return tuple(self._warning(product) for _, product in sorted(rung))

    @property
    def false_alarms_a_year(self) -> float:
        """How often in a year the rule rule.rings over these products though nothing changed."""
        return rule.false_alarms_a_year(self.judged.values())

    def rise_seen(self, product: str) -> float:
        """How many times the claims expected it would have found in 9 of 10 cases."""
        return rule.rise_it_would_see(self.judged[product])

    def _warning(self, product: str) -> ProductWarning:
        warning = self.judged[product]
        since = (np.datetime64(self.month, "M") - np.timedelta64(warning.since - 1, "M")).astype("M8[D]").item()
        sentence = _(
            "{product}: {n} claims in {month}, where its own past expects {expected}. Chance alone brings so many "
            "in {chance} such months.",
            product=shown_word(product),
            n=number(self.came[product]),
            month=dated(self.month, MONTH),
            expected=number(warning.expected),
            chance=chance_words(warning.probability),
        )
        if since < self.month:
            sentence += " " + _("More than expected since {month}.", month=dated(since, MONTH))
        return ProductWarning(product, since, sentence)


def product_warnings(frame: pd.DataFrame, *, days: Period) -> Sequence[ProductWarning]:
    """Give the products to look at; `frame` has every claim of `days`, of a complete reading."""
    return watch(frame, days=days).warnings


def watch(frame: pd.DataFrame, *, days: Period) -> Watch:
    """Judge the calendar month before that of the last day, product by product, by up to 24 months before it.

    The season is that of all whole months of `days`. `frame` has the columns of `ClaimSet.frame`, and every claim of
    `days`. A product's past begins with the month of its first claim in them.
    """
    first, running = to_months(np.array([to_day(days.first), to_day(days.last)])).tolist()
    last = running - 1
    first += days.first.day > 1
    month = np.datetime64(last, "M").astype("M8[D]").item()
    if last - first < rule.FEWEST_MONTHS:
        read = max(0, last - first + 1)
        why_not = _("A year and a month of claims is needed, and {n} whole months were read.", n=read)
        return Watch(month=month, judged={}, came={}, too_young=(), why_not=why_not)
    months = to_months(moments(frame["claim_date"]) // DAY)
    in_range = (months >= first) & (months <= last)
    products = Coded.of(frame["product_name"][in_range])
    counts = np.zeros((len(products.names), last - first + 1), np.int64)
    np.add.at(counts, (products.codes, months[in_range] - first), 1)
    judged: dict[str, rule.EarlyWarning] = {}
    too_young = []
    begun = int(np.argmax(counts.sum(axis=0) > 0))
    # Of the month of the first claim only a part may be known.
    counts = counts[:, min(begun + bool(begun), last - first) :]
    everything = counts.sum(axis=0)
    shared = _judged_by(everything)
    for product, made in zip(products.names, counts, strict=True):
        past, others = made[int(np.argmax(made > 0)) : -1][-_LONGEST_PAST:], everything - made
        is_much = made.sum() > _MUCH_OF_ALL * everything.sum() and others.sum() >= _ENOUGH
        growth, season = _judged_by(others) if is_much else shared
        warning = None
        if len(past) >= rule.FEWEST_MONTHS:
            warning = rule.rings(past.tolist(), int(made[-1]), growth=growth, season=season)
        if warning is None:
            too_young.append(product)
        else:
            judged[product] = warning
    came = {product: int(made[-1]) for product, made in zip(products.names, counts, strict=True)}
    return Watch(month=month, judged=judged, came=came, too_young=tuple(too_young))


def _judged_by(counts: Counts) -> tuple[rule.Growth, rule.Season]:
    """How fast claims of these months grow, and their season, by all but the last."""
    past = counts[:-1].tolist()
    season = rule.season_of(past)
    return rule.growth_of(past[-_LONGEST_PAST:], season), season


def chance_words(probability: float) -> str:
    """A small chance for people: `1 in 4,000`."""
    if probability < 1e-6:
        return _("fewer than 1 in a million")
    return _("1 in {n}", n=number(float(f"{1 / probability:.1g}")))

"""Claims counted for charts: once for a set and what narrows it, for all who look at it."""

from collections.abc import Callable
from datetime import date

from components.charts.colours import status_colours
from components.charts.figure import Chart
from components.claims.charts import (
    by_product_chart,
    days_to_claim_chart,
    open_by_age_chart,
    over_time_chart,
    starts_by_age_chart,
    weekday_by_hour_chart,
)
from components.claims.claims_filter import ClaimsFilter
from warranty.analysis import Headline, Period, Trends
from warranty.analysis.readings import covered, trends
from warranty.claims.readings import KeptClaims


class CountedClaims:
    """The charts of a set as a filter narrows it, each made when it is first asked for.

    A bar that was picked narrows the table, not the charts around it.
    """

    def __init__(self, kept: KeptClaims, chosen: ClaimsFilter) -> None:
        self._kept = kept
        self._selection = chosen.selection
        self.period: Period = kept.derived("period", lambda: covered(kept.claims))

    @property
    def is_whole(self) -> bool:
        """Whether all claims of the set came."""
        return self._kept.claims.is_whole

    @property
    def counts(self) -> Trends:
        """The counts behind all charts."""
        return self._kept.derived(
            ("counts", self._selection),
            lambda: trends(self._kept.claims, selection=self._selection, period=self.period),
        )

    def headline(self) -> Headline:
        """The figures of the period; what came before is another set."""
        return self._kept.derived(
            ("headline", self._selection), lambda: self.counts.headline(self.period, read=self.period)
        )

    def over_time(self) -> Chart:
        """Claims over time by status."""
        colours = self._kept.derived(
            "colours", lambda: status_colours(map(str, self._kept.claims.frame["status"].cat.categories))
        )
        return self._chart("over-time", lambda: over_time_chart(self.counts.over_time(self.period), colours))

    def by_product(self) -> Chart:
        """The products with the most claims."""
        return self._chart("by-product", lambda: by_product_chart(self.counts.by_product(self.period)))

    def days_to_claim(self) -> Chart:
        """Days from warranty start to claim."""
        return self._chart(
            "days-to-claim", lambda: days_to_claim_chart(self.counts.days_to_claim(self.period))
        )

    def weekday_by_hour(self) -> Chart:
        """When claims are made."""
        return self._chart("hours", lambda: weekday_by_hour_chart(self.counts.weekday_by_hour(self.period)))

    def starts_by_age(self) -> Chart:
        """Month of warranty start against age at claim."""
        return self._chart("starts", lambda: starts_by_age_chart(self.counts.starts_by_age(self.period)))

    def open_by_age(self, today: date) -> Chart:
        """Claims that are not resolved, by age."""
        return self._chart(
            f"open {today}",
            lambda: open_by_age_chart(
                self.counts.open_by_age(self.period, today=today), self.period, today=today
            ),
        )

    def _chart(self, name: str, make: Callable[[], Chart]) -> Chart:
        return self._kept.derived(("chart", name, self._selection), make)

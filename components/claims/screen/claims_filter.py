"""What a person wants to see of the claims, as one value that an address or a saved view can hold. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Self
from urllib.parse import quote, unquote

from components.claims.screen.columns import FIRST_SORTING, LABELS, SORTINGS
from components.words.days import EARLIEST, LATEST, PRESETS
from warranty.claims.analysis import NO_PICK, ChartPick, Period, Selection
from warranty.client.resources import ClaimQuery
from warranty.places.people_in_text import names_somebody

OFFERED: Final = tuple(name for name in PRESETS if name != "yesterday")
FIRST_PRESET: Final = "30-days"
_LONGEST_TEXT: Final = 200
_EMPTY: Final = "!"
"""An empty word among others in an address: a word that is quoted never holds this mark."""
_ONE_CUSTOMER: Final = "one"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsFilter:
    """Which claims: asked of the service (dates, warranty start, e-mail), then narrowed on what was read.

    `period` is the name of a preset, or empty where the days are picked freely; then `claimed` are the days, None
    for any. `pick` is the bar of a chart that was clicked. `order` and `columns` say how the table shows them (no
    columns: the first ones). The e-mail is personal data: it is in no address, no saved view and no repr
    (docs/decisions/claims-screen.md), and neither are words that hold one. An address only tells that there was one:
    `email_missing` until it is entered again.
    """

    period: str = FIRST_PRESET
    claimed: Period | None = None
    started: Period | None = None
    email: str = field(default="", repr=False)
    email_missing: bool = False
    statuses: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    words: str = field(default="", repr=False)
    open_only: bool = False
    pick: ChartPick = NO_PICK
    order: str = FIRST_SORTING
    columns: tuple[str, ...] = ()

    def days(self, today: date) -> Period | None:
        """The days of claim dates that are meant; None for any."""
        if not self.period:
            return self.claimed
        days = PRESETS[self.period].days
        return None if days is None else days(today)

    def query(self, today: date) -> ClaimQuery:
        """What is asked of the service. Raises pydantic's `ValidationError` where a part of it is not right."""
        claimed = self.days(today)
        return ClaimQuery(
            claim_dates=claimed.times if claimed else None,
            warranty_start_dates=self.started.times if self.started else None,
            customer_email=self.email or None,
        )

    @property
    def narrows(self) -> bool:
        """Whether it leaves out some of what is read."""
        return bool(self.selection(closed=()))

    def selection(self, *, closed: tuple[str, ...]) -> Selection:
        """What narrows the table and the files; the charts are narrowed by all of it but a picked bar.

        `closed` are the statuses of closed claims (`KeptClaims.closed`).
        """
        return Selection(self.statuses, self.products, self.words, self.pick, self.open_only, closed)

    def address(self) -> dict[str, str]:
        """The parameters of an address that opens this view; of an e-mail it tells only that there was one.

        It is never empty: no parameters at all mean that the filter stays as it is.
        """
        given = {
            "period": self.period,
            **_days_parameters("claimed", None if self.period else self.claimed),
            **_days_parameters("started", self.started),
            "customer": _ONE_CUSTOMER if self.email or self.email_missing else "",
            "status": _joined(self.statuses),
            "product": _joined(self.products),
            "words": "" if names_somebody(self.words) else self.words,
            "open": "1" if self.open_only else "",
            "pick": self.pick.parameter,
            "sort": "" if self.order == FIRST_SORTING else self.order,
            "columns": ",".join(self.columns),
        }
        if not self.period and self.claimed is None:
            given["period"] = "all"
        return {name: value for name, value in given.items() if value}

    @classmethod
    def from_address(cls, parameters: Mapping[str, str], *, email: str = "") -> Self:
        """Read the parameters of an address; what cannot be read is left out, as if it were not there."""
        claimed = _days(parameters, "claimed")
        if "period" in parameters:
            claimed = None
        period, order = parameters.get("period", ""), parameters.get("sort", "")
        return cls(
            period=period if period in OFFERED else "" if claimed else FIRST_PRESET,
            claimed=claimed,
            started=_days(parameters, "started"),
            email=email,
            email_missing=names_customer(parameters) and not email,
            statuses=_split(parameters.get("status", "")),
            products=_split(parameters.get("product", "")),
            words=parameters.get("words", "")[:_LONGEST_TEXT],
            open_only=parameters.get("open") == "1",
            pick=ChartPick.from_parameter(parameters.get("pick", "")),
            order=order if order in SORTINGS else FIRST_SORTING,
            columns=tuple(name for name in dict.fromkeys(parameters.get("columns", "").split(",")) if name in LABELS),
        )


def names_customer(parameters: Mapping[str, str]) -> bool:
    """Whether the view of these parameters shows one customer's claims."""
    return bool(parameters.get("customer"))


_RANGES: Final = {"claimed-from", "claimed-to", "started-from", "started-to"}
PARAMETERS: Final = _RANGES | {"period", "customer", "status", "product", "words", "open", "pick", "sort", "columns"}


def _days_parameters(name: str, days: Period | None) -> dict[str, str]:
    if days is None:
        return {}
    return {f"{name}-from": days.first.isoformat(), f"{name}-to": days.last.isoformat()}


OPEN_OLDEST_FIRST: Final = ClaimsFilter(period="all", open_only=True, order="oldest")
"""What is open, of any date."""


def _days(parameters: Mapping[str, str], name: str) -> Period | None:
    try:
        first = date.fromisoformat(parameters.get(f"{name}-from", ""))
        last = date.fromisoformat(parameters.get(f"{name}-to", ""))
    except ValueError:
        return None
    first, last = max(min(first, last), EARLIEST), min(max(first, last), LATEST)
    return Period(first, last) if first <= last else None


def _joined(values: Sequence[str]) -> str:
    """Write several values as one parameter: each quoted, since a value may hold a comma."""
    return ",".join(quote(value, safe=" ") or _EMPTY for value in values)


def _split(text: str) -> tuple[str, ...]:
    values = ("" if value == _EMPTY else unquote(value) for value in text.split(",") if value)
    return tuple(dict.fromkeys(values))

"""The figures over the claims: how many, how many open, how soon after the start of a warranty."""

from typing import NamedTuple

from components.words.statuses import status_words
from warranty.claims.analysis import Base, Figure, Form, Headline
from warranty.language import N_, _, ngettext
from warranty.language.written import number


class HeadlineFigures(NamedTuple):
    """The three figures, in their order on the screen.

    Only the count of claims may carry a change: the older of two periods has had longer to close its claims, and an age
    at claim moves with sales.
    """

    claims: Figure[int]
    open_claims: Figure[int]
    median: Figure[float]


def headline_figures(headline: Headline, base: Base, *, closed: tuple[str, ...]) -> HeadlineFigures:
    """Give the figures with their base; `closed` are the words that mean closed."""
    now = _(
        "As they stand now: open is every status but {statuses}. Connection lists the words",
        statuses=", ".join(map(status_words, closed)),
    )
    age = _("From the start of the warranty to the claim: half of the claims came sooner. Below 0 is before the start")
    none = "" if headline.claims else _("There are no claims")
    return HeadlineFigures(
        claims=Figure(name=N_("Claims"), value=headline.claims, base=base),
        open_claims=Figure(name=N_("Open claims"), value=headline.open_claims, base=base, about=now),
        median=Figure(
            name=N_("Median days to claim"),
            value=headline.median_days_to_claim,
            form=Form.DAYS,
            base=base,
            about=age,
            why_not=none,
        ),
    )


def headline_line(figures: HeadlineFigures, *, every: int) -> str:
    """The figures in one line, of `every` claim read: `12 of 480 claims · 3 open · median 41 days to claim`."""
    claims, still, median = figures.claims.value or 0, figures.open_claims, figures.median.value
    count = number(claims) if claims == every else _("{n} of {every}", n=number(claims), every=number(every))
    said = [
        ngettext("{n} claim", "{n} claims", every, n=count),
        ngettext("{n} open", "{n} open", still.value or 0, n=still.said),
    ]
    if median is not None and median < 0:
        said.append(_("half of them before the warranty began"))
    elif median is not None:
        said.append(ngettext("median {n} day to claim", "median {n} days to claim", median, n=number(median)))
    return " · ".join(said)

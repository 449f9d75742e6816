"""The figures over the claims: how many, and how many open."""

from typing import NamedTuple

from components.words.statuses import status_words
from warranty.claims.analysis import Base, Figure, Headline
from warranty.language import N_, _, ngettext
from warranty.language.written import number


class HeadlineFigures(NamedTuple):
    """The two figures, in their order on the screen.

    Only the count of claims may carry a change: the older of two periods has had longer to close its claims.
    """

    claims: Figure[int]
    open_claims: Figure[int]


def headline_figures(headline: Headline, base: Base, *, closed: tuple[str, ...]) -> HeadlineFigures:
    """Give the figures with their base; `closed` are the words that mean closed."""
    now = _(
        "As they stand now: open is every status but {statuses}. Connection lists the words",
        statuses=", ".join(map(status_words, closed)),
    )
    return HeadlineFigures(
        claims=Figure(name=N_("Claims"), value=headline.claims, base=base),
        open_claims=Figure(name=N_("Open claims"), value=headline.open_claims, base=base, about=now),
    )


def headline_line(figures: HeadlineFigures, *, every: int) -> str:
    """The figures in one line, of `every` claim read: `12 of 480 claims · 3 open`."""
    claims, still = figures.claims.value or 0, figures.open_claims
    count = number(claims) if claims == every else _("{n} of {every}", n=number(claims), every=number(every))
    return " · ".join(
        (
            ngettext("{n} claim", "{n} claims", every, n=count),
            ngettext("{n} open", "{n} open", still.value or 0, n=still.text),
        )
    )

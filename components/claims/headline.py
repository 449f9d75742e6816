"""The figures over the claims: how many, how many open, how soon after the start of a warranty."""

from typing import NamedTuple

from components.words.amounts import counted
from warranty.analysis import Base, Figure, Form, Headline


class HeadlineFigures(NamedTuple):
    """The four figures, in their order on the screen.

    Only the count of claims may carry a change: the older of two periods has had longer to close its claims, and an age
    at claim moves with sales.
    """

    claims: Figure[int]
    open_claims: Figure[int]
    open_share: Figure[float]
    median: Figure[float]


def headline_figures(headline: Headline, base: Base, *, closed: tuple[str, ...]) -> HeadlineFigures:
    """Give the figures with their base; `closed` are the words that mean closed."""
    now = f"As they stand now: open is every status but {', '.join(closed)}. Connection lists the words"
    age = "From the start of the warranty to the claim: half of the claims came sooner. Below 0 is before the start"
    none = "" if headline.claims else "There are no claims"
    return HeadlineFigures(
        claims=Figure(name="Claims", value=headline.claims, base=base),
        open_claims=Figure(name="Open", value=headline.open_claims, base=base, about=now),
        open_share=Figure(
            name="Share open", value=headline.open_share, form=Form.SHARE, base=base, about=now, why_not=none
        ),
        median=Figure(
            name="Median days to claim",
            value=headline.median_days_to_claim,
            form=Form.DAYS,
            base=base,
            about=age,
            why_not=none,
        ),
    )


def headline_line(figures: HeadlineFigures) -> str:
    """The figures in one line: `1,204 claims · 312 open · median 41 days from warranty start to claim`."""
    said = f"{counted(figures.claims.value or 0, 'claim')} · {figures.open_claims.said} open"
    median = figures.median.value
    if median is None:
        return said
    if median < 0:
        return f"{said} · median before the start of the warranty"
    return f"{said} · median {counted(median, 'day')} from warranty start to claim"

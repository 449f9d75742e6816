"""The figures over the claims: how many, how many open, how soon after the start of a warranty."""

from typing import Final, Literal

import streamlit as st

from components.words.amounts import counted
from warranty.analysis import Headline

_LABELS: Final = {
    "claims": "Claims",
    "open_claims": "Open",
    "open_share": "Share open",
    "median_days_to_claim": "Median days to claim",
}
_HELP: Final = {
    "open_claims": "Claims with a status that is not among the closed words: Connection lists them.",
    "median_days_to_claim": "From the start of the warranty to the claim: half of the claims came sooner. Below 0 is "
    "before the start.",
}
_ARROWS: Final[dict[str, Literal["up", "down", "off"]]] = {"+": "up", "-": "down"}


def headline_line(headline: Headline) -> str:
    """The figures in one line: `1,204 claims · 312 open · median 41 days from start to claim`."""
    said = f"{counted(headline.claims, 'claim')} · {headline.open_claims:,} open"
    median = headline.median_days_to_claim
    if median is None:
        return said
    if median < 0:
        return f"{said} · median before the start of the warranty"
    return f"{said} · median {counted(median, 'day')} from warranty start to claim"


def headline_figures(headline: Headline, before: Headline | None) -> None:
    """Draw the figures with the change against the period before; `before` is None where that is not known."""
    for place, (name, label) in zip(st.columns(4), _LABELS.items(), strict=True):
        now = getattr(headline, name)
        change = change_words(name, now, getattr(before, name, None))
        place.metric(
            label,
            _value_words(name, now),
            delta=change,
            delta_color="off",
            delta_arrow=_ARROWS.get((change or "")[:1], "off"),
            border=True,
            height="stretch",
            help=_HELP.get(name),
        )


def change_words(name: str, now: float | None, before: float | None) -> str | None:
    """The change in words: `+8 %`; in points for a share, in days for days; None where it cannot be told."""
    if now is None or before is None:
        return None
    change = now - before
    if name == "open_share":
        words = f"{change * 100:+.1f} points"
    elif name == "median_days_to_claim":
        if now < 0 or before < 0:
            return None  # claims before the start are counted together: by how many days is not known
        words = f"{change:+,.0f} days"
    else:
        words = f"{change / before * 100:+.0f} %" if before else f"{change:+,.0f}"
    return words if any(digit in words for digit in "123456789") else "no change"


def _value_words(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0%}" if name == "open_share" else "below 0" if value < 0 else f"{value:,.0f}"

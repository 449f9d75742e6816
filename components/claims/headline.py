"""The figures over the claims: how many, how many not resolved, how soon after the start of a warranty."""

from collections.abc import Callable
from typing import Final, Literal

import streamlit as st

from components.words.money import counted
from warranty.analysis import Figure, Headline

_LABELS: Final = {
    "claims": "Claims",
    "not_resolved": "Not RESOLVED",
    "not_resolved_share": "Share not RESOLVED",
    "median_days_to_claim": "Median days to claim",
}
_HELP: Final = {
    "median_days_to_claim": "From the start of the warranty to the claim: half of the claims came sooner. Below 0 is "
    "before the start."
}
_UNCHANGED: Final = "no change"


def headline_line(headline: Headline) -> str:
    """The figures in one line: `1,204 claims · 312 not resolved · median 41 days from start to claim`."""
    said = [counted(headline.claims.value or 0, "claim")]
    said.append(f"{headline.not_resolved.value or 0:,.0f} not resolved")
    median = headline.median_days_to_claim.value
    if median is not None:
        days = (
            "before the start of the warranty"
            if median < 0
            else f"{counted(median or 0, 'day')} from warranty start to claim"
        )
        said.append(f"median {days}")
    return " · ".join(said)


def headline_figures(headline: Headline, before: Headline | None) -> None:
    """Draw the figures with the change against the period before; `before` is None where that is not known."""
    for place, (name, label) in zip(st.columns(4), _LABELS.items(), strict=True):
        now: Figure = getattr(headline, name)
        then: Figure | None = getattr(before, name) if before else None
        change = change_words(name, Figure(now.value, then.value if then else None))
        place.metric(
            label,
            _WRITERS[name](now.value) if now.value is not None else "–",
            delta=change,
            delta_color="off",
            delta_arrow=_arrow(change),
            border=True,
            height="stretch",
            help=_HELP.get(name),
        )


def change_words(name: str, figure: Figure) -> str | None:
    """The change in words: `+8 %`; in points for a share, in days for days; None where it cannot be told."""
    if figure.value is None or figure.before is None:
        return None
    change = figure.value - figure.before
    if name == "not_resolved_share":
        words = f"{change * 100:+.1f} points"
    elif name == "median_days_to_claim":
        if figure.value < 0 or figure.before < 0:
            return None  # claims before the start are counted together: by how many days is not known
        words = f"{change:+,.0f} days"
    elif figure.change is None:
        words = f"{change:+,.0f}"
    else:
        words = f"{figure.change * 100:+.0f} %"
    return words if any(digit in words for digit in "123456789") else _UNCHANGED


def _arrow(words: str | None) -> Literal["up", "down", "off"]:
    if words is None or words == _UNCHANGED:
        return "off"
    return "up" if words.startswith("+") else "down"


_WRITERS: Final[dict[str, Callable[[float], str]]] = {
    "claims": lambda value: f"{value:,.0f}",
    "not_resolved": lambda value: f"{value:,.0f}",
    "not_resolved_share": lambda value: f"{value:.0%}",
    "median_days_to_claim": lambda value: "below 0" if value < 0 else f"{value:,.0f}",
}

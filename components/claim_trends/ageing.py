"""The tab Ageing of Trends: how soon and how often plans are claimed on after their start."""

from components.claim_trends.starts import read_starts
from components.wiring import Runtime
from components.words.days import service_today
from warranty.access import Operator


def ageing(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    starts = read_starts(runtime.claims.of(operator), today=service_today())
    if starts is None:
        return

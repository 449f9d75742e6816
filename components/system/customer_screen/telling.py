"""A tab tells its person's customer's screens what stands in it: when that is another than it told last."""

import contextlib
import time
from collections.abc import Sequence
from typing import Final

from components.platform import session
from components.system.customer_screen.shown import Shown
from warranty.access import Operator
from warranty.errors import JournalUnavailable
from warranty.people.tills.customer_screens import CustomerScreens

EVERYTHING: Final = ("basket", "link", "plans", "sold")
_TOLD: Final = "customer-screen-told"
_AGAIN_SECONDS: Final = 60
"""What still stands is told anew with the next run, so that it does not end while somebody works at it."""


def tell(
    screens: CustomerScreens, operator: Operator, shown: Shown | None, *, ends: Sequence[str] = EVERYTHING
) -> None:
    """Show this, or the shop's name alone; that ends what is of these kinds.

    An empty screen is told only by the tab that told something: another tab of the person may be at a basket. A
    journal that is away now is told with the next run; meanwhile the counter goes on.
    """
    nothing: tuple[Shown | None, float] = (None, 0.0)
    last, shown_at = session.recall(_TOLD, nothing)
    if shown is None and (last is None or last["kind"] not in ends):
        return
    if shown == last and time.monotonic() - shown_at < _AGAIN_SECONDS:
        return
    with contextlib.suppress(JournalUnavailable):
        if screens.count(operator.username, operator.at.till_id):
            screens.show(operator.username, shown, operator.at.till_id)
            session.remember(_TOLD, (shown, time.monotonic()))


def tell_anew() -> None:
    """Tell all of it with the next run: a screen was connected."""
    session.forget(_TOLD)

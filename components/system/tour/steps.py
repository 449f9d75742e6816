"""The steps of the tour: what to do on which screen, what the sandbox is to do wrong meanwhile, and when it is done.

What a step sees is what the journal holds of the person since their tour began, the screen that they are at, and
whether they opened a claim. What happens where none of it looks (a customer's page) the person says by a press.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from components.navigation import SCREENS
from warranty.access import Operator, Permission
from warranty.desk.journal import Attempt, AttemptState, Operation
from warranty.language import N_

_ORDER: Final = "submit_order"
_SALE: Final = "record_sale"


@dataclass(frozen=True, slots=True)
class Seen:
    """What there is of the person's tour so far: their attempts since it began, the screen, and what was opened."""

    attempts: Sequence[Attempt]
    screen: str
    opened_a_claim: bool = False

    def count(self, operation: Operation, *states: AttemptState) -> int:
        """How many attempts of an operation are in one of these states."""
        return sum(one.operation == operation and one.state in states for one in self.attempts)


@dataclass(frozen=True, slots=True)
class Step:
    """`done` is None where the person says so; `fault` is what the sandbox's next call meets, for `add_fault`.

    `not_yet` is for a step that is done without a run of the screen: its person says so, and reads this until it is.
    `permission` is what it takes where that is more than its screen does.
    """

    title: str
    words: str
    screen: str
    done: Callable[[Seen], bool] | None = None
    fault: Mapping[str, Any] | None = None
    not_yet: str = ""
    permission: Permission | None = None


def _was_at(screen: str) -> Callable[[Seen], bool]:
    return lambda seen: seen.screen == screen


def _was_silent(seen: Seen) -> bool:
    return seen.count(_SALE, AttemptState.UNKNOWN) > 0 or any(
        one.operation == _SALE and one.settled for one in seen.attempts
    )


def _is_settled(seen: Seen) -> bool:
    return _was_silent(seen) and not any(one.operation == _SALE and one.state.is_open for one in seen.attempts)


STEPS: Final[Sequence[Step]] = (
    Step(
        N_("Send an order"),
        N_("On New order, add two products, a name, an e-mail and a state, and send it. Try TV-55-OLED and LAMP-ARC."),
        "submit_order",
        done=lambda seen: seen.count(_ORDER, AttemptState.DONE) > 0,
    ),
    Step(
        N_("Be the customer"),
        N_("Open the link of the order, as the customer would at home, and buy a plan for one product there."),
        "submit_order",
    ),
    Step(
        N_("Sell at the counter"),
        N_("The customer is back and wants a plan for the other product. Find the order on Record sale and sell it."),
        "record_sale",
        done=lambda seen: seen.count(_SALE, AttemptState.DONE) > 0,
    ),
    Step(
        N_("Meet a refusal"),
        N_(
            "Press Next order and send another one: this time the service refuses it. "
            "Read what it says, and send the order again."
        ),
        "submit_order",
        done=lambda seen: seen.count(_ORDER, AttemptState.REFUSED) > 0 and seen.count(_ORDER, AttemptState.DONE) > 1,
        fault={"operation": "submit_order", "kind": "status", "status": 400},
    ),
    Step(
        N_("Meet an outage"),
        N_(
            "Press Next sale, and sell a plan on that order. The connection drops before the answer: we don't "
            "know yet if it went through."
        ),
        "record_sale",
        done=_was_silent,
        fault={"operation": "record_sale", "kind": "drop_after_write"},
    ),
    Step(
        N_("Settle it"),
        N_("On Activity, find out what became of the sale, and say so. Never charge a second time before that."),
        "activity",
        done=_is_settled,
    ),
    Step(
        N_("Look up a claim"),
        N_("On Claims, press a row: it shows what to tell the customer."),
        "claims",
        done=lambda seen: seen.opened_a_claim,
        not_yet=N_("Press a row first."),
    ),
    Step(
        N_("Take claims with you"),
        N_("Still on Claims, choose other days, look at the charts, and export the list."),
        "claims",
        permission=Permission.EXPORT_CLAIMS,
    ),
    Step(
        N_("See what changes"), N_("Open Overview: answers first, charts below."), "overview", done=_was_at("overview")
    ),
    Step(
        N_("Close the day"),
        N_("Open Shift report and find the sale that you recorded."),
        "shift_report",
        done=_was_at("shift_report"),
    ),
)


def steps_for(operator: Operator) -> list[Step]:
    """The steps that this person's role may do."""
    of_screens = {screen.name: screen.permission for screen in SCREENS}
    return [step for step in STEPS if operator.may(step.permission or of_screens[step.screen])]

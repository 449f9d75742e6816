"""The end of a screen that sends what must not act twice: checked, asked about once more where needed, sent once.

Asked is in production, and everywhere where something of the same kind was sent on the order before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import streamlit as st

from components.forms.draft_form import DraftForm
from components.orders.order_actions import order_actions
from components.sending import press
from components.sending.confirmation_dialog import asking, confirmation_dialog, confirmed
from components.wiring import Runtime
from warranty.access import Operator
from warranty.journal import Attempt, ItemLine

Resource_co = TypeVar("Resource_co", covariant=True)


class Entered(Protocol[Resource_co]):
    """What stands in a form."""

    @property
    def content(self) -> dict[str, Any]:
        """It as it is sent, not yet checked."""

    def checked(self) -> tuple[Resource_co | None, dict[str, str]]:
        """It as a resource, or the faults by field of the form."""

    def items(self) -> tuple[ItemLine, ...]:
        """Its lines for the journal."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked once more, the words of the button that sends, and what a second sending would do."""

    question: str
    button: str
    effect: str = ""


SECOND_SALE: Final = Question(
    "Record a second sale on this order?",
    "Record a second sale",
    "If the sale before was recorded, this one sells a second plan. If it is the same sale, go back.",
)
SECOND_CHECKOUT: Final = Question(
    "Send a second checkout of this order?",
    "Send a second checkout",
    "If the checkout before was taken, the customer gets a second welcome e-mail, and may get the plans twice.",
)


def send_when_asked(
    entered: Entered[Any],
    send: Callable[..., Attempt],
    *,
    form: DraftForm,
    runtime: Runtime,
    operator: Operator,
    attempt: Attempt | None,
    in_production: Question,
    second: Question,
    review: Callable[[], None],
    keep: Mapping[str, Any],
) -> None:
    """Start sending what was entered, if the send button was pressed and nothing stands against it.

    `send` is the desk's use case for this person, `attempt` the last one of this draft, `review` draws what is sent,
    `keep` is what the draft shall hold of this sending.
    """
    job, settings = form.draft_id, runtime.settings
    pressed = press.requested(job)
    if not pressed and not asking(job):
        return
    resource, faults = entered.checked()
    earlier: Sequence[Attempt] = ()
    if resource is not None:
        earlier = runtime.desk.sent_before(operator, resource, draft_id=job, items=entered.items())
    acknowledged = [one.attempt_id for one in earlier]
    asked, shown = (second if earlier else in_production), [entered.content, acknowledged]
    if not pressed:

        def body() -> None:
            order_actions(
                earlier, currency=settings.currency, concerns=earlier[0].operation if earlier else None
            )
            if earlier:
                st.markdown(asked.effect)
            review()

        confirmation_dialog(
            job,
            shown,
            environment=settings.environment,
            question=asked.question,
            button=asked.button,
            review=body,
        )
        return
    form.set_problems(faults)
    must_ask = bool(earlier) or settings.environment == "production"
    if resource is None or (must_ask and not confirmed(job, shown)):
        st.rerun()
    form.keep_all(keep)
    form.about_to_send()
    work = partial(
        send,
        resource,
        draft_id=form.draft_id,
        screen=form.screen,
        items=entered.items(),
        corrects=attempt.attempt_id if attempt and attempt.nothing_written else None,
        acknowledged=acknowledged,
    )
    press.run_once(runtime.jobs, job, work)

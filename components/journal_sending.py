"""The end of a screen that sends what must not act twice: checked, in production asked about once more, sent once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

import streamlit as st

from components import sending
from components.confirmation_dialog import confirmation_dialog, confirmed
from components.draft_form import DraftForm
from components.wiring import Runtime
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
class ProductionQuestion:
    """What is asked once more in production, the words of the button that sends, and what is shown with it."""

    question: str
    button: str
    review: Callable[[], None]


def send_when_asked(
    entered: Entered[Any],
    send: Callable[..., Attempt],
    *,
    form: DraftForm,
    runtime: Runtime,
    attempt: Attempt | None,
    asked: ProductionQuestion,
    keep: Mapping[str, Any],
) -> None:
    """Start sending what was entered, if the send button was pressed and nothing stands against it.

    `send` is the desk's use case for this person, `attempt` the last one of this draft, `keep` what the draft shall
    hold of this sending.
    """
    job, environment = form.draft_id, runtime.settings.environment
    confirmation_dialog(
        job,
        entered.content,
        environment=environment,
        question=asked.question,
        button=asked.button,
        review=asked.review,
    )
    if not sending.requested(job):
        return
    resource, faults = entered.checked()
    form.set_problems(faults)
    if resource is None or not confirmed(job, entered.content, environment=environment):
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
    )
    sending.run_once(runtime.jobs, job, work)

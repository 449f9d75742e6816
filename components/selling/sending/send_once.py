"""The run of a write: checked, asked about once more where it would act twice, sent once.

Asked is in production, and everywhere where something of the same kind was sent on the order before. What is confirmed
is the content that was shown: a later change asks anew.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

import streamlit as st
from pydantic import BaseModel, ValidationError

from components.selling.orders.order_actions import order_actions
from components.selling.sending import press
from components.selling.sending.ending import ending
from components.selling.sending.own_drafts import Sending
from components.selling.sending.settling import Question
from components.ui.forms.faults import Entered
from components.ui.frame.ask_first import ask_in_dialog, close_question, open_question, question_subject
from components.ui.frame.header import environment_words
from components.ui.frame.two_columns import work_and_aside
from warranty.access import Operator
from warranty.client.resources.problems import Path, problems
from warranty.desk.journal import Attempt, ItemLine
from warranty.language import _

_SOLD_BY: Final = "sold_by"
_NARROW: Final = 320


class Sendable(Entered):
    """What stands in the form of something to send."""

    @property
    def items(self) -> Sequence[ItemLine]:
        """Its lines for the journal, of a write that acts twice."""
        return ()

    @property
    def total(self) -> Decimal | None:
        """What is paid by it; None where that is not known."""
        return None

    @property
    def advice(self) -> str | None:
        """As in `ending`."""
        return None

    @property
    def kept(self) -> Mapping[str, Any]:
        """What the draft shall hold of a sending."""
        return {}

    def words(self, currency: str) -> list[str]:
        """It in short, in sentences: beside the form, and where it is asked about."""
        return []


def checked_as(
    kind: type[BaseModel],
    content: Mapping[str, Any],
    faults: Mapping[str, str],
    field_of: Callable[[Path], str],
    labels: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Any, dict[str, str]]:
    """What was entered as a resource, or its faults by field of the form: those that are known, and the resource's own.

    `field_of` gives the field of a path in the interface, "" where the fault is told elsewhere.
    """
    try:
        resource = kind.model_validate(content)
    except ValidationError as error:
        found = {field_of(fault.path): fault.message for fault in reversed(problems(error, labels))}
        return None, {field: message for field, message in (found | {**faults}).items() if field}
    return (None, {**faults}) if faults else (resource, {})


EnteredT = TypeVar("EnteredT", bound=Sendable)


def filled_in(sending: Sending, *, form: Callable[[], EnteredT], beside: Callable[[EnteredT], object]) -> EnteredT:
    """Draw the faults on top, the form, and beside it what is sent and what became of it; gives what was entered."""
    summary = st.container()  # always there, so that a summary which appears leaves the form mounted
    work, aside = work_and_aside()
    with work:
        entered = form()
        if len(names := _colleagues(sending)) > 1:
            with st.container(width=_NARROW):
                sending.form.choice(_SOLD_BY, _("Sold by"), names, sending.operator.username)
    with summary:
        sending.form.faults.summary(entered)
    with aside, st.container(border=True):
        beside(entered)
        ending(sending, entered.total, advice=entered.advice)
    return entered


def send_if_pressed(sending: Sending, entered: Sendable) -> None:
    """Start sending what was entered, if the send button was pressed and nothing stands against it.

    For the end of a screen: it may start the script anew.
    """
    form, runtime, write, last = sending.form, sending.runtime, sending.write, sending.attempt
    job, twice = form.draft_id, write.acts_twice
    pressed = press.requested(job)
    if not pressed and not question_subject(job):
        return
    if runtime.jobs.closing.is_set():  # nothing would be begun any more; the shell says so
        close_question(job)
        st.rerun()
    resource, faults = form.faults.checked(entered)
    to_send: dict[str, Any] = {}
    if twice and resource is not None:
        earlier = runtime.desk.sent_before(sending.operator, resource, draft_id=job, items=entered.items)
        to_send = {"items": entered.items, "acknowledged": [one.attempt_id for one in earlier]}
        digest = _digest([resource.model_dump(mode="json"), to_send["acknowledged"]])
        must_ask = bool(earlier) or runtime.settings.environment == "production"
        if not pressed and question_subject(job) == digest:
            _ask(sending, twice.second if earlier else twice.in_production, earlier, entered)
            return
        if pressed and pressed != digest and must_ask:
            open_question(job, digest)
            resource = None
    if not pressed:
        close_question(job)
        return
    form.faults.remember(faults)
    if resource is None:
        st.rerun()
    form.keep(entered.kept)
    form.about_to_send()
    work = partial(
        runtime.desk.send,
        _seller(sending),
        resource,
        draft_id=job,
        screen=form.screen,
        corrects=last.attempt_id if last and last.state.nothing_written else None,
        **to_send,
    )
    runtime.jobs.start_once(job, work)
    st.rerun()


def _colleagues(sending: Sending) -> dict[str, str]:
    """Who may have sold it, by login name: the person first, then the others of the store."""
    operator = sending.operator
    return {operator.username: operator.name, **sending.runtime.staff.sign_in.people().of_store(operator.at.store_id)}


def _seller(sending: Sending) -> Operator:
    """Who sends, with the colleague who sold it where one was chosen."""
    operator, names = sending.operator, _colleagues(sending)
    chosen = sending.form.values.get(_SOLD_BY)
    if chosen not in names or chosen == operator.username:
        return operator
    return replace(operator, at=replace(operator.at, sold_by=chosen, sold_by_name=names[chosen]))


def _ask(sending: Sending, question: Question, earlier: Sequence[Attempt], entered: Sendable) -> None:
    """Draw the open question; its button sends, closing does not."""
    job, settings = sending.form.draft_id, sending.runtime.settings

    def body() -> None:
        st.caption(environment_words(settings.environment))
        concerns = earlier[0].operation if earlier else None
        order_actions(earlier, currency=settings.currency, concerns=concerns)
        if earlier:
            st.markdown(_(question.effect))
        for words in entered.words(settings.currency):
            st.text(words)

    confirm = partial(press.request, job, confirmed=question_subject(job))
    ask_in_dialog(_(question.question), body, yes=_(question.button), key=job, on_yes=confirm)


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()

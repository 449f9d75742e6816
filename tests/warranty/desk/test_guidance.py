"""The words at the counter for every kind of failure of every call, and what each error says of itself."""

import pickle
import re

import pytest

from tests.rules.test_language import how_many_sentences
from warranty import errors
from warranty.client.operations import OPERATIONS
from warranty.desk.guidance import guidance
from warranty.errors import Answered, AvailablePlan, Failure, OutcomeUnknown, RequestRefused, Trace, WarrantyError

UNCERTAIN: list[type[WarrantyError]] = [OutcomeUnknown, errors.ServiceFailed, errors.UnexpectedAnswer]
KINDS: list[type[WarrantyError]] = [
    *UNCERTAIN, errors.NotSent, errors.CredentialRefused, errors.RequestRefused, errors.BillingAddressMissing,
    errors.OrderNotFound,
]  # fmt: skip
JARGON = re.compile(r"\b(HTTP|status|500|timeout|payload|API|JSON|request|response|server|endpoint|exception)\b", re.I)


def said(kind: type[WarrantyError], operation: str, plans: tuple[AvailablePlan, ...] = ()) -> str:
    words = guidance(kind(trace=Trace(operation, "attempt-1", 400), plans=plans).failure)
    return f"{words.happened} {words.next_step}"


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_each_failure_is_told_in_two_short_sentences(kind: type[WarrantyError], operation: str) -> None:
    words = guidance(kind(trace=Trace(operation, "attempt-1", 400)).failure)
    for text in (words.happened, words.next_step):
        assert how_many_sentences(text) == 1, text
        for part in re.split(r"(?<=[.:;,])\s", text):
            assert len(part.split()) <= 20, part
        assert not JARGON.search(text), text


def test_every_kind_of_error_has_words_and_a_call_of_a_newer_version_is_told_as_uncertain() -> None:
    leaves = {kind for kind in {*WarrantyError.__subclasses__(), *Answered.__subclasses__()} if kind is not Answered}
    assert leaves == set(KINDS)
    words = guidance(OutcomeUnknown(trace=Trace("something_new", "attempt-1")).failure)
    assert "We don't know" in words.happened


@pytest.mark.parametrize(("operation", "parts"), [
    ("record_sale", "We don't know yet if this sale went through | Don't record it again | two plans"
                    " | customer page, and say below whether it shows the plan as bought"),
    ("notify_checkout", "We don't know yet if this checkout went through | Don't send it again | e-mail twice"),
    ("submit_order", "We don't know yet if this order was stored | harmless | Try again"),
])  # fmt: skip
@pytest.mark.parametrize("kind", UNCERTAIN)
def test_unknown_says_what_a_repeat_would_do(kind: type[WarrantyError], operation: str, parts: str) -> None:
    text = said(kind, operation)
    assert [part for part in parts.split(" | ") if part not in text] == []


@pytest.mark.parametrize("operation", ["submit_order", "record_sale", "notify_checkout"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.nothing_written])
def test_where_nothing_was_written_there_is_no_doubt(kind: type[WarrantyError], operation: str) -> None:
    text = said(kind, operation)
    assert "don't know" not in text
    assert re.search(r"was not stored|nothing was recorded|did not go through", text)


def test_a_refusal_names_what_to_choose_or_to_replace() -> None:
    plans = (AvailablePlan(24, "Extended"),)
    assert "Choose one of the plans" in said(errors.RequestRefused, "record_sale", plans)
    assert "plans" not in said(errors.RequestRefused, "record_sale")
    assert "private token" in said(errors.CredentialRefused, "record_sale")
    assert "public token" in said(errors.CredentialRefused, "claims")


TRACE = Trace("record_sale", "attempt-1", 400)
REFUSED = RequestRefused(trace=TRACE, service_words=["ada@example.com?"], plans=[AvailablePlan(24, "Extended")])


def test_an_error_shows_where_it_came_from_and_its_failure_alone_has_the_services_words() -> None:
    assert repr(REFUSED) == f"<{REFUSED}>" == "<RequestRefused: record_sale, attempt attempt-1, status 400>"
    assert "ada@example.com" not in f"{REFUSED!r} {REFUSED.failure!r} {REFUSED.args!r}"
    assert "no status" in str(OutcomeUnknown(trace=Trace("record_sale", "attempt-1")))
    words, plans = ("ada@example.com?",), (AvailablePlan(24, "Extended"),)
    again = pickle.loads(pickle.dumps(REFUSED.failure))  # noqa: S301 - our own bytes
    assert again == REFUSED.failure == Failure("RequestRefused", "record_sale", "attempt-1", 400, True, words, plans)


@pytest.mark.parametrize(("kind", "nothing_written"), [
    (errors.NotSent, True), (RequestRefused, True), (errors.OrderNotFound, True), (OutcomeUnknown, False),
    (errors.ServiceFailed, False),
])  # fmt: skip
def test_each_kind_knows_whether_it_wrote_nothing(kind: type[WarrantyError], nothing_written: bool) -> None:
    assert kind(trace=TRACE).failure.nothing_written is nothing_written

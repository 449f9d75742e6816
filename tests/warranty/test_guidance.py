"""The words at the counter: for every kind of failure of every call."""

import re

import pytest

from tests.rules.test_language import how_many_sentences
from warranty.client.operations import OPERATIONS
from warranty.errors import (
    Answered,
    AvailablePlan,
    BillingAddressMissing,
    CredentialRefused,
    NotSent,
    OrderNotFound,
    OutcomeUnknown,
    RequestRefused,
    ServiceFailed,
    Trace,
    UnexpectedAnswer,
    WarrantyError,
)
from warranty.guidance import guidance

KINDS: list[type[WarrantyError]] = [
    NotSent,
    OutcomeUnknown,
    CredentialRefused,
    RequestRefused,
    BillingAddressMissing,
    OrderNotFound,
    ServiceFailed,
    UnexpectedAnswer,
]
UNCERTAIN = [OutcomeUnknown, ServiceFailed, UnexpectedAnswer]
JARGON = re.compile(
    r"\b(HTTP|status|500|timeout|payload|API|JSON|request|response|server|endpoint|exception)\b", re.I
)


def said(kind: type[WarrantyError], operation: str, plans: tuple[AvailablePlan, ...] = ()) -> str:
    words = guidance(kind(trace=Trace(operation, "attempt-1", 400), plans=plans).failure)
    return f"{words.happened} {words.next_step}"


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_each_failure_of_each_call_is_told_in_two_short_sentences_without_jargon(
    kind: type[WarrantyError], operation: str
) -> None:
    words = guidance(kind(trace=Trace(operation, "attempt-1", 400)).failure)
    for text in (words.happened, words.next_step):
        assert how_many_sentences(text) == 1, text
        for part in re.split(r"(?<=[.:;,])\s", text):
            assert len(part.split()) <= 20, part
        assert not JARGON.search(text), text


def test_every_kind_of_error_of_the_tree_has_words() -> None:
    leaves = {
        kind for kind in {*WarrantyError.__subclasses__(), *Answered.__subclasses__()} if kind is not Answered
    }
    assert leaves == set(KINDS)


@pytest.mark.parametrize("kind", UNCERTAIN)
def test_an_unknown_sale_says_so_and_where_to_look_and_what_a_repeat_would_do(
    kind: type[WarrantyError],
) -> None:
    text = said(kind, "record_sale")
    assert "We don't know whether this sale was recorded" in text
    assert "landing page, and say below whether it shows the plan as bought" in text
    assert "Do not send it again" in text
    assert "second plan" in text


@pytest.mark.parametrize("kind", UNCERTAIN)
def test_an_unknown_checkout_warns_of_a_second_email(kind: type[WarrantyError]) -> None:
    text = said(kind, "notify_checkout")
    assert "We don't know whether this checkout went through" in text
    assert "Do not send it again" in text
    assert "e-mail twice" in text


@pytest.mark.parametrize("kind", UNCERTAIN)
def test_an_unknown_order_is_sent_again_since_that_is_harmless(kind: type[WarrantyError]) -> None:
    text = said(kind, "submit_order")
    assert "We don't know whether this order was stored" in text
    assert "harmless" in text
    assert "Send the order again" in text


@pytest.mark.parametrize("operation", ["submit_order", "record_sale", "notify_checkout"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.nothing_written])
def test_where_nothing_was_written_nothing_is_left_in_doubt(
    kind: type[WarrantyError], operation: str
) -> None:
    text = said(kind, operation)
    assert "don't know" not in text
    assert re.search(r"was not stored|nothing was recorded|did not go through", text)


def test_a_refused_term_with_plans_asks_to_choose_one() -> None:
    assert "Choose one of the plans" in said(RequestRefused, "record_sale", (AvailablePlan(24, "Extended"),))
    assert "plans" not in said(RequestRefused, "record_sale")


def test_a_refused_access_names_the_token_to_replace() -> None:
    assert "private token" in said(CredentialRefused, "record_sale")
    assert "public token" in said(CredentialRefused, "claims")


def test_a_call_or_a_kind_from_a_newer_version_is_told_as_uncertain() -> None:
    words = guidance(OutcomeUnknown(trace=Trace("something_new", "attempt-1")).failure)
    assert "We don't know" in words.happened

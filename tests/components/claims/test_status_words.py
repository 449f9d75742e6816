"""A claim's status as people read it: in words, and none of the service's is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.words.statuses import status_with_its_word, status_words


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("AWAITING_PARTS", "Awaiting parts"),
        ("in-review", "In-review"),
        ("open", "Open"),
        ("Awaiting customer", "Awaiting customer"),
        ("RMA", "RMA"),
        ("OPEN <b>now</b>", "OPEN <b>now</b>"),
        ("已完成", "已完成"),
        ("____", "____"),
        ("", "(empty)"),
    ],
)
def test_a_status_is_told_in_words(word: str, said: str) -> None:
    assert status_words(word) == said


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_services_own_word_stands_beside_what_was_made_of_it(word: str) -> None:
    assert word in status_with_its_word(word)


def test_a_word_that_was_left_as_it_is_stands_there_once() -> None:
    assert status_with_its_word("Awaiting customer") == "Awaiting customer"
    assert status_with_its_word("AWAITING_PARTS") == "Awaiting parts (AWAITING_PARTS)"
    assert status_with_its_word("") == "(empty)"

"""A claim's status as people read it: in words, and none of the service's is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.words.statuses import status_with_its_word, status_words


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("AWAITING_PARTS", "Awaiting parts"), ("in-review", "In-review"), ("open", "Open"),
        ("Awaiting customer", "Awaiting customer"), ("RMA", "RMA"), ("OPEN <b>now</b>", "OPEN <b>now</b>"),
        ("已完成", "已完成"), ("____", "____"), ("", "(empty)"),
    ],
)  # fmt: skip
def test_a_status_is_told_in_words_beside_the_services_own_where_it_is_another(word: str, said: str) -> None:
    assert status_words(word) == said
    assert status_with_its_word(word) == (said if word in {said, ""} else f"{said} ({word})")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_word_of_the_service_is_lost(word: str) -> None:
    assert word in status_with_its_word(word)

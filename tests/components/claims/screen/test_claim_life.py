"""A claim's life in words, as it stands beside what is drawn of it."""

from datetime import date

import pytest

from components.claims.screen.claim_details import life_words

MADE = date(2026, 11, 3)


@pytest.mark.parametrize(
    ("start", "is_closed", "said"),
    [
        (date(2026, 9, 23), False, "Claimed 41 days after the warranty's start, open for 19 days."),
        (date(2026, 11, 4), True, "Claimed 1 day before the warranty's start, closed by now."),
        (MADE, True, "Claimed on the day of the warranty's start, closed by now."),
    ],
)
def test_a_life_is_told_from_the_warrantys_start_to_today(start: date, is_closed: bool, said: str) -> None:
    assert life_words(start=start, claim=MADE, today=date(2026, 11, 22), is_closed=is_closed) == said


def test_a_claim_dated_ahead_is_not_open_for_less_than_no_day() -> None:
    assert life_words(start=MADE, claim=MADE, today=date(2026, 11, 2), is_closed=False).endswith("for 0 days.")

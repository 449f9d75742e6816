"""Whose words are said, and how numbers are written with them."""

from decimal import Decimal
from threading import Thread

import pytest

from warranty.language import _, isolated, language, locale, ngettext, speaking
from warranty.language.written import number, percent, price


@pytest.mark.parametrize(
    ("asked", "spoken", "written"),
    [
        ("es-MX", "es", "es_MX"), ("es", "es", "es_US"), ("en-GB", "en", "en_GB"), ("de-DE", "en", "en_US"),
        ("", "en", "en_US"),
    ],
)  # fmt: skip
def test_a_browser_is_spoken_to_in_its_language_or_in_english(asked: str, spoken: str, written: str) -> None:
    with speaking(asked):
        assert (language(), str(locale())) == (spoken, written)


def test_one_and_a_half_hours_are_several_and_halves_are_rounded_away_from_zero() -> None:
    hours = [ngettext("{n} hour", "{n} hours", n, n=n) for n in (1, 1.5, 2, 0)]
    assert hours == ["1 hour", "1.5 hours", "2 hours", "0 hours"]
    assert [number(figure) for figure in (134.5, 153.5, -2.5)] == ["135", "154", "-3"]
    assert [percent(share) for share in (0.125, 0.135)] == ["13 %", "14 %"]
    assert price(Decimal("0.125")) == "0.13"


def test_what_is_said_in_one_thread_is_not_said_in_another() -> None:
    said: list[str] = []
    with speaking("es"):
        other = Thread(target=lambda: said.append(language()))
        other.start()
        other.join()
        assert language() == "es"
    assert said == ["en"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Lámpara 5:00", "Lámpara 5:00"),
        ("מנורה", "\u2068מנורה\u2069"),
        ("a\u202eb", "\u2068a\u202eb\u2069"),
        ("a\u2069\u202eb", "\u2068a\u202eb\u2069"),  # an end too many would end ours
        ("a\u2067b", "\u2068a\u2067b\u2069\u2069"),
        ("a\u202e\nb\u202ec", "\u2068a\u202e\u2069\n\u2068b\u202ec\u2069"),
    ],
)
def test_what_is_written_from_the_right_turns_nothing_around_it(typed: str, shown: str) -> None:
    assert isolated(typed) == shown
    assert _("{product}: 5", product=typed) == f"{shown}: 5"

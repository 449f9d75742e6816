"""Whose words are said, and how numbers are written with them."""

from threading import Thread

import pytest

from warranty.language import language, locale, ngettext, speaking


@pytest.mark.parametrize(
    ("asked", "spoken", "written"),
    [
        ("es-MX", "es", "es_MX"),
        ("es", "es", "es_US"),
        ("en-GB", "en", "en_GB"),
        ("de-DE", "en", "en_US"),
        ("", "en", "en_US"),
    ],
)
def test_a_browser_is_spoken_to_in_its_language_or_in_english(asked: str, spoken: str, written: str) -> None:
    with speaking(asked):
        assert (language(), str(locale())) == (spoken, written)


def test_one_and_a_half_hours_are_several() -> None:
    assert [ngettext("{n} hour", "{n} hours", n, n=n) for n in (1, 1.5, 2, 0)] == [
        "1 hour",
        "1.5 hours",
        "2 hours",
        "0 hours",
    ]


def test_what_is_said_in_one_thread_is_not_said_in_another() -> None:
    said: list[str] = []
    with speaking("es"):
        other = Thread(target=lambda: said.append(language()))
        other.start()
        other.join()
        assert language() == "es"
    assert said == ["en"]

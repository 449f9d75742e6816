"""One article has one code, whatever a scanner puts around it."""

import pytest

from warranty.files.catalogue import article_number, spellings

ARTICLE = "00036000291452"


@pytest.mark.parametrize("code", ["036000291452", "0036000291452", ARTICLE, " 036000291452 "])
def test_twelve_thirteen_and_fourteen_digits_of_one_article_are_one(code: str) -> None:
    assert article_number(code) == ARTICLE


@pytest.mark.parametrize("code", ["036000291453", "10036000291452", "36000291452", "TV-55", "٠٣٦٠٠٠٢٩١٤٥٢", ""])
def test_a_wrong_check_digit_or_another_length_is_no_article(code: str) -> None:
    assert article_number(code) != ARTICLE


@pytest.mark.parametrize(
    "scanned",
    ["]E0036000291452", "]C10100036000291452", "(01)00036000291452", "(01)00036000291452(17)270101", "*036000291452*"],
)
def test_the_marks_of_a_scanner_are_none_of_the_code(scanned: str) -> None:
    assert ARTICLE in spellings(scanned)


def test_a_sku_is_looked_for_as_it_is_first() -> None:
    assert next(spellings("*TV*")) == "*TV*"
    assert next(spellings("tv-55")) == "tv-55"
    assert "lamp-1" in spellings("LAMP-1")
    assert next(spellings("0100036000291452")) == "0100036000291452"
    assert ARTICLE not in spellings("0100036000291452")

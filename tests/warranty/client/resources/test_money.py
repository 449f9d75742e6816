"""Prices: read by written rules, never silently misread."""

from contextlib import nullcontext
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warranty.client.resources import DecimalMark, PriceProblem, format_price, parse_price

NO_BREAK, THIN, NARROW = "\u00a0", "\u2009", "\u202f"


@pytest.mark.parametrize(("amount", "texts"), [
    ("1299.00", ["1299", "1299.00", "1,299.00", "1.299,00", "1 299,00", "1'299.00", "1’299.00", "1 299",
                 "1299,-", "1.299,–", "1299.--"]),
    ("1299.00", [f"1{NO_BREAK}299,00", f"1{THIN}299,00", f"1{NARROW}299,00"]), ("12.50", ["12,50", "12.5", "12,5"]),
    ("0.99", [".99"]), ("0.00", ["0", "0.00"]), ("79.99", ["  79.99\n"]), ("1299000.50", ["1,299,000.50"]),
    ("1299000.00", ["1.299.000"]), ("999999999999.99", ["999999999999.99"]),
])  # fmt: skip
def test_a_price_that_can_be_read_in_one_way_is_read(amount: str, texts: list[str]) -> None:
    assert {text: format_price(parse_price(text)) for text in texts} == dict.fromkeys(texts, amount)


@pytest.mark.parametrize("text", ["1,299", "1.299", "12.345", "12,345", "999.000"])
def test_a_price_that_can_be_read_in_two_ways_is_refused_with_both_readings(text: str) -> None:
    with pytest.raises(PriceProblem) as refused:
        parse_price(text)
    digits = text.replace(",", "").replace(".", "")
    assert f"{digits}.00" in str(refused.value)
    assert text.replace(",", ".") in str(refused.value)


@pytest.mark.parametrize(("text", "mark", "amount"), [
    ("1,299", ".", "1299.00"), ("1.299", ",", "1299.00"), ("1.299,5", ",", "1299.50"), ("12.50", ".", "12.50"),
    ("12,50", ".", None), ("1.299,00", ".", None), ("12.50", ",", None), ("1,299.00", ",", None),
])  # fmt: skip
def test_the_shops_decimal_mark_settles_what_is_ambiguous(text: str, mark: DecimalMark, amount: str | None) -> None:
    with nullcontext() if amount else pytest.raises(PriceProblem, match="before the cents"):
        assert format_price(parse_price(text, decimal_mark=mark)) == amount


@pytest.mark.parametrize("text", [
    "abc", "NaN", "Infinity", "1e3", "$5", "5 USD", "5.", "1,29,900.00", "1.2.3", "12 50", "1,299'000", "0x10", "+5",
    "١٢٫٥٠", "１２.５０", "12．50", "²", "1_000", ",", ".", "1,,000", "1299,00,00", "0,299.00",
])  # fmt: skip
def test_what_is_no_amount_of_money_is_refused_with_a_way_to_write_it(text: str) -> None:
    with pytest.raises(PriceProblem, match=r"is not a price: enter .*1299\.00"):
        parse_price(text)


@pytest.mark.parametrize(("text", "sentence"), [
    *((text, "below zero") for text in ("-1", "−1.00", "-0.01", "(12.00)", "12.00-")),
    *((text, "Enter a price") for text in ("", "   ", "\t")),
    *((text, "more than two decimals")
      for text in ("0.299", "1234.567", "12.3400", "1 299,000", "1,299.999", "12.50000")),
])  # fmt: skip
def test_a_price_below_zero_none_and_one_of_three_decimals_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(PriceProblem, match=sentence):
        parse_price(text)


def test_a_price_longer_than_money_and_further_decimals_that_are_not_zero_even_of_an_export_are_refused() -> None:
    with pytest.raises(PriceProblem, match="too large") as refused:
        parse_price("9" * 5000)
    assert len(str(refused.value)) < 200
    with pytest.raises(PriceProblem, match="more than two decimals"):
        parse_price("1500.0050", drop_zeros=True)


@pytest.mark.parametrize(("text", "amount"), [("1500.0000", "1500.00"), ("12.5000", "12.50"), ("12,500000", "12.50")])
def test_a_shop_export_may_say_that_its_further_decimals_are_zeros(text: str, amount: str) -> None:
    assert format_price(parse_price(text, drop_zeros=True)) == amount


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_what_we_write_we_read_back_as_the_same_amount(amount: Decimal) -> None:
    assert parse_price(format_price(amount)) == amount


@given(
    st.decimals(min_value=0, max_value=10**9, places=2),
    st.sampled_from([(".", ","), (",", "."), (".", " "), (",", " "), (",", NO_BREAK), (".", "'"), (",", "’")]),
)
def test_an_amount_with_both_marks_is_read_in_every_locale(amount: Decimal, marks: tuple[str, str]) -> None:
    decimal_mark, thousands_mark = marks
    written = f"{amount:,.2f}".replace(",", "T").replace(".", decimal_mark).replace("T", thousands_mark)
    assert parse_price(written) == amount


@given(st.text(max_size=30))
def test_any_text_is_a_price_or_a_sentence(text: str) -> None:
    try:
        amount = parse_price(text)
    except PriceProblem:
        return
    assert amount >= 0
    assert amount == amount.quantize(Decimal("0.01"))

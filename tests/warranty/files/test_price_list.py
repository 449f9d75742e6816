"""The shop's usual prices: columns, the most exact row, and rows that cannot be used."""

from decimal import Decimal

import pytest

from warranty.files.price_list import read_price_list
from warranty.files.tables import FileProblem

LIST = """sku,category,months,type,price
TV-55,,24,,89.99
TV-55,,24,Accident protection,129.99
,Televisions,24,,79.99
,Televisions,36,,99.99
,,24,,19.99
,,24,Accident protection,9.99
SOUNDBAR,,24,,49.99
"""


def usual(text: str, sku: str, months: int, kind: str | None = None, *categories: str) -> Decimal | None:
    return read_price_list(text.encode()).usual(sku=sku, months=months, plan_type=kind, categories=categories)


@pytest.mark.parametrize(("sku", "months", "kind", "categories", "price"), [
    ("TV-55", 24, None, (), "89.99"), ("tv-55", 24, "Extended", (), "89.99"),
    ("TV-55", 24, "ACCIDENT protection", (), "129.99"),
    ("TV-43", 24, "Extended", ("Electronics > Televisions", "Televisions", "Electronics"), "79.99"),
    ("TV-55", 36, None, ("televisions",), "99.99"), ("SOUNDBAR", 24, "Accident protection", (), "49.99"),
    ("TV-43", 24, "Accident protection", ("Televisions",), "79.99"),
    ("LAMP", 24, "Accident protection", ("Lamps",), "9.99"), ("LAMP", 24, None, ("Lamps",), "19.99"),
    ("", 24, None, (), "19.99"), ("LAMP", 12, None, ("Lamps",), None),
])  # fmt: skip
def test_the_most_exact_row_counts(
    sku: str, months: int, kind: str | None, categories: tuple[str, ...], price: str | None
) -> None:
    assert usual(LIST, sku, months, kind, *categories) == (None if price is None else Decimal(price))


def test_two_columns_are_enough_of_a_spreadsheet_and_rows_that_cannot_be_used_are_named() -> None:
    assert usual("months;price\n24;89,99\n", "ANY", 24) == Decimal("89.99")
    assert usual("Price,MONTHS\n89.9900,24\n", "ANY", 24) == Decimal("89.99")
    text = "sku,category,months,price\nA,,two,9.99\nB,,12,abc\nC,Lamps,12,5.00\nD,,12,7.00\nD,,12,8.00\nE,,12,\n"
    prices = read_price_list(text.encode())
    assert [str(remark).split(" ")[1] for remark in prices.remarks] == ["2", "3", "4", "6", "7"]
    assert "no term in whole months" in str(prices.remarks[0])
    assert "names both a SKU and a category" in str(prices.remarks[2])
    assert prices.usual(sku="D", months=12) == Decimal("7.00")


@pytest.mark.parametrize("content", [b"", b"sku,price\nA,1\n", b"%PDF-1.7", b"months\n24\n"])
def test_a_file_that_is_no_price_list_says_so_in_a_sentence(content: bytes) -> None:
    with pytest.raises(FileProblem):
        read_price_list(content)

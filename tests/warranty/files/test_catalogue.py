"""The catalogue: what a scanner reads becomes a line."""

from decimal import Decimal
from pathlib import Path

import pytest

from sandbox import CATALOGUE
from warranty.files.catalogue import article_number, read_catalogue, spellings
from warranty.files.tables import FileProblem

INPUTS = Path(__file__).parent / "inputs"
ARTICLE = "00036000291452"


def test_the_sandbox_brings_forty_products_and_a_barcode_finds_one_whose_leading_zeros_stay() -> None:
    catalogue = read_catalogue(CATALOGUE.read_bytes())
    assert (catalogue.size, catalogue.remarks) == (40, ())
    product = catalogue.find("tv-55-oled")
    assert product is not None
    shown = (product.title, product.price, product.category)
    assert shown == ('55" OLED television', Decimal("899.99"), "Electronics > Televisions")
    catalogue = read_catalogue("Artikelnummer;Name;Preis;EAN\n00412;Café table;249,50;4006381333931\n".encode("cp1252"))
    by_code, by_sku = catalogue.find("4006381333931"), catalogue.find("00412")
    assert by_code is by_sku
    assert (by_code and by_code.price, catalogue.find("412")) == (Decimal("249.50"), None)


def test_rows_that_cannot_be_used_are_named_and_a_file_without_sku_and_title_is_no_catalogue() -> None:
    catalogue = read_catalogue(b"sku,title,price\nA,Lamp,abc\n,Chair,1.00\nA,Lamp again,2.00\n")
    assert (lamp := catalogue.find("A"))
    assert lamp.price is None
    assert [str(remark).split(" ")[1] for remark in catalogue.remarks] == ["2", "3", "4"]
    with pytest.raises(FileProblem, match="lacks sku, title"):
        read_catalogue(b"a,b\n1,2\n")


def test_a_shops_product_export_is_a_catalogue_with_each_variant_and_its_products_title() -> None:
    catalogue = read_catalogue((INPUTS / "product_export_apostrophes_and_variants.csv").read_bytes())
    found = {code: catalogue.find(code) for code in ("0012345678905", "LINDEN-OAK", "4006381333948", "DESK-LAMP")}
    assert {code: (one.sku, one.title, str(one.price), one.category) for code, one in found.items() if one} == {
        "0012345678905": ("0001200", "Linden chair", "149.00", "Furniture"),
        "LINDEN-OAK": ("LINDEN-OAK", "Linden chair", "159.00", "Furniture"),
        "4006381333948": ("LINDEN-ASH", "Linden chair", "159.00", "Furniture"),
        "DESK-LAMP": ("DESK-LAMP", "Desk lamp", "39.00", "Lighting"),
    }
    assert [str(remark).split(":")[0] for remark in catalogue.remarks] == ["Rows 2, 3, 4, 6", "Row 5 has no SKU"]


def test_variants_are_told_apart_by_their_options_and_a_picture_alone_is_no_product() -> None:
    catalogue = read_catalogue(
        b"Handle,Title,Option1 Value,Option2 Value,Variant SKU,Variant Price,Image Src\n"
        b"sofa,Sofa,Grey,L,'0045,899.00,https://shop.example.com/a.jpg\nsofa,,Red,L,'0046,949.00,\n"
        b"sofa,,,,,,https://shop.example.com/b.jpg\nlamp,Lamp,Default Title,,'0047,39.00,\n"
    )
    titles = [one.title for one in map(catalogue.find, ("0045", "0046", "0047")) if one]
    assert titles == ["Sofa, Grey, L", "Sofa, Red, L", "Lamp"]
    red = catalogue.find("0046")
    assert (red and red.image, red and str(red.price)) == ("https://shop.example.com/a.jpg", "949.00")
    assert str(catalogue.remarks[-1]) == "Row 4 has no SKU: left out"


def test_words_find_the_products_whose_titles_hold_them_all_each_once() -> None:
    catalogue = read_catalogue(
        b"sku;title;price;barcode\nb-1;Tall lamp;1;401\nA-1;Lamp, arc;2;402\nC-1;Lamp, oak;3;\nD-1;Desk;4;\n"
    )
    assert [product.sku for product in catalogue.named("LAMP")] == ["A-1", "C-1", "b-1"]
    assert [product.sku for product in catalogue.named("oak la")] == ["C-1"]
    assert [product.sku for product in catalogue.named("C- lam")] == ["C-1"], "a word may stand in the SKU"
    assert catalogue.named("C-1") == [], "a code is no word"
    assert catalogue.named("lamp desk") == catalogue.named("l") == catalogue.named(" ") == []


@pytest.mark.parametrize("code", [
    "036000291452", "0036000291452", ARTICLE, " 036000291452 ", "]E0036000291452", "]C10100036000291452",
    "(01)00036000291452", "(01)00036000291452(17)270101", "*036000291452*", "*a-1*",
])  # fmt: skip
def test_a_product_is_found_by_each_form_of_its_articles_number_and_with_the_marks_of_a_scanner(code: str) -> None:
    catalogue = read_catalogue(b"sku,title,price,barcode\nA-1,Lamp,1.00,0036000291452\nB-2,Desk,2.00,\n")
    found = catalogue.find(code)
    assert (found and found.sku) == "A-1"


@pytest.mark.parametrize("code", ["036000291453", "10036000291452", "36000291452", "TV-55", "٠٣٦٠٠٠٢٩١٤٥٢", ""])
def test_a_wrong_check_digit_or_another_length_is_no_article(code: str) -> None:
    assert article_number(code) != ARTICLE


def test_a_sku_is_looked_for_as_it_is_first() -> None:
    for code in ("*TV*", "tv-55", "0100036000291452"):
        assert next(spellings(code)) == code
    assert "lamp-1" in spellings("LAMP-1")
    assert ARTICLE not in spellings("0100036000291452")

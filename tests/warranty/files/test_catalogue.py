"""A shop's own files: the catalogue, the price list, and both put in at one desk, at every other."""

from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from sandbox import CATALOGUE
from tests.builders import MANAGER
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.files.catalogue import article_key, read_catalogue
from warranty.files.price_list import read_price_list
from warranty.files.shop_files import ShopFiles
from warranty.files.tables import FileProblem
from warranty.people.audit import AuditTrail
from warranty.settings import Settings, load_settings

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
    text = b"sku,title,Regular price,sale,currency\nA,Lamp,abc,,\n,Chair,1,,\nA,Lamp,2,,\nB,Sofa,3,2,EUR\nC,Bed,4,,$\n"
    catalogue = read_catalogue(text, currency="USD")
    assert [one and str(one.price) for one in map(catalogue.find, "ABC")] == ["None", None, "4.00"]
    assert [str(remark)[:5] for remark in catalogue.remarks] == ["Colum", "Row 2", "Row 3", "Row 4", "Row 5"]
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
    "036000291452", "0036000291452", ARTICLE, " 036000291452 ", "]E0036000291452", "]C10100036000291452", "Aß1",
    "(01)00036000291452", "(01)00036000291452(17)270101", "*036000291452*", "*a-1*", "36000291452", "0100036000291452",
])  # fmt: skip
def test_a_product_is_found_by_each_form_of_its_articles_number_and_with_the_marks_of_a_scanner(code: str) -> None:
    catalogue = read_catalogue(b"sku,title,price,barcode\nA-1,Lamp,1.00,36000291452\nB-2,Desk,2.00,\n")
    found = catalogue.find(code)
    assert (found and found.sku) == "A-1"


@pytest.mark.parametrize("code", ["036000291453", "10036000291452", "6000291452", "TV-55", "٠٣٦٠٠٠٢٩١٤٥٢", ""])
def test_a_wrong_check_digit_or_another_length_is_no_article(code: str) -> None:
    assert article_key(code) != ARTICLE


def test_a_sku_is_looked_for_as_it_is_first_and_of_several_products_with_one_code_none_is_found() -> None:
    rows = (
        "KETTLE,Kettle,4006381333931\nTV,Tv,04006381333931\n*TV*,Lamp,\nSOFA,Sofa,4006381333948\n4006381333948,Bed,\n"
    )
    catalogue = read_catalogue(f"sku,title,barcode\n{rows}0100036000291452,Desk,036000291452\ntv,Twice,\n".encode())
    codes = ("KETTLE", "*TV*", "TV", "0100036000291452", "4006381333948", "]E04006381333931")
    assert [found and found.sku for found in map(catalogue.find, codes)] == [*codes[:5], None]
    assert [one.sku for one in catalogue.named(codes[5])] == ["KETTLE", "TV"]
    assert str(catalogue.remarks[0]) == "Several products have the code 04006381333931: KETTLE, TV"


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
    text = "article,category,months,price,for,devise\nA,,two,9\nB,,12,abc\nC,Lamps,12,5\nD,,12,7\nD,,12,8.00\nE,,12,\n"
    prices = read_price_list(f"{text},,24,9,Kettles\n,Lamps,24,8,Lamps\nF,,12,9,,EUR\n".encode(), currency="USD")
    assert [str(remark).split(" ")[1] for remark in prices.remarks[-7:]] == ["2", "3", "4", "6", "7", "8", "10"]
    assert "no term in whole months" in str(prices.remarks[1])
    assert "names both a SKU and a category" in str(prices.remarks[3])
    assert str(prices.remarks[6]) == "Row 8 has no SKU, and its column for is not read: left out"
    assert str(prices.remarks[7]) == "Row 10 cannot be read: its amounts are in EUR, not in USD"
    assert (prices.left_out, prices.usual(sku="D", months=12)) == (7, Decimal("7.00"))


@pytest.mark.parametrize("content", [
    b"", b"sku,price\nA,1\n", b"%PDF-1.7", b"months\n24\n", b"product,months,price\nTV-55,12,79.99\n",
])  # fmt: skip
def test_a_file_that_is_no_price_list_says_so_in_a_sentence(content: bytes) -> None:
    with pytest.raises(FileProblem):
        read_price_list(content)


LAMP = b"sku,title\nLAMP-1,Arc lamp\n"
CHAIR = b"sku,title\nCHAIR-1,Chair\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_dir": str(tmp_path / "data"), "catalogue": str(tmp_path / "named.csv")})


@pytest.fixture
def elsewhere(journal_url: str, tmp_path: Path) -> Iterator[ShopFiles]:
    """Another machine's: no folder is shared."""
    with closing(open_journal(journal_url)) as opened:
        yield files_of(opened, load_settings({"data_dir": str(tmp_path / "other")}))


def files_of(journal: Journal, settings: Settings) -> ShopFiles:
    return ShopFiles(journal.database, settings, AuditTrail(journal.database, "sandbox"))


def seconds_later(files: ShopFiles) -> None:
    recent = files.catalogue._moments
    recent._clock = lambda clock=recent._clock: clock() + 2  # type: ignore[misc]


def test_what_a_manager_puts_in_every_desk_has_soon(journal: Journal, elsewhere: ShopFiles, settings: Settings) -> None:
    here = files_of(journal, settings)
    assert elsewhere.catalogue.in_use().size == 0
    for content, sku in ((LAMP, "LAMP-1"), (CHAIR, "CHAIR-1")):
        journal.database.clock.advance(settings.read_timeout)  # type: ignore[attr-defined]
        here.catalogue.replace(MANAGER, content, file_name="ours.csv")
        assert here.catalogue.in_use().find(sku), "here at once"
        seconds_later(elsewhere)
        assert elsewhere.catalogue.in_use().find(sku)
    here.price_list.replace(MANAGER, b"months,price\n24,88.88\n", file_name="prices.csv")
    seconds_later(elsewhere)
    assert elsewhere.price_list.in_use().usual(sku="", months=24) == Decimal("88.88")
    here.catalogue.remove(MANAGER)
    seconds_later(elsewhere)
    assert (elsewhere.catalogue.in_use().size, elsewhere.price_list.in_use().size) == (0, 1)


def test_the_file_of_the_settings_is_used_where_none_is_put_in_read_anew(journal: Journal, settings: Settings) -> None:
    named = settings.catalogue
    assert named is not None
    catalogue = files_of(journal, settings).catalogue
    (remark,) = catalogue.in_use().remarks
    assert str(remark) == "The catalogue named.csv cannot be opened (FileNotFoundError)."
    named.write_bytes(LAMP)
    assert catalogue.in_use().find("LAMP-1")
    catalogue.replace(MANAGER, CHAIR, file_name="ours.csv")
    assert not catalogue.in_use().find("LAMP-1")
    catalogue.remove(MANAGER)
    assert catalogue.in_use().find("LAMP-1")
    assert catalogue.in_use() is catalogue.in_use(), "read once, however often it is looked at"

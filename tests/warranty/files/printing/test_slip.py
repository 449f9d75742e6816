"""What is printed: the link as a customer takes it away, the words of a message, and what was paid for which plan."""

import io
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from components.selling.submit_order.link_kit import Addressee, message
from tests.qr_codes import qr_codes
from warranty.files.printing.confirmation import SoldPlan, sale_confirmation
from warranty.files.printing.page import PrintPage, lines_of_address, qr_code
from warranty.files.printing.slip import Slip, SlipItem, order_slip, slip_file
from warranty.settings.values import SlipPaper

URLS = [
    "https://pages.example.com/carts/03a1d5c5-81f3-4de2-99aa-301ae405450f/checkout/d601cc60-899f-49c1-9e6c",
    "https://pages.example.com/carts/r/checkout/" + "%E6%9D%8E" * 60,
]

MANY = [SlipItem(f"A title of an item that is rather long, number {n}, with accents é", n) for n in range(1, 40)]
PAPERS: list[SlipPaper] = ["A5", "80", "58"]
TILL = 203 / 72
"""What a till's printer prints of a point: 203 dots to the inch."""


def slip_of(url: str = URLS[0], **given: Any) -> Slip:
    usual: dict[str, Any] = {"shop": "Shop", "order_id": "d601cc60", "items": MANY, "note": "", "language": "en"}
    return Slip(url=url, day="23 Nov 2026, 14:02", **usual | given)


def codes_of(page: pypdfium2.PdfPage, paper: SlipPaper) -> list[str]:
    picture = page.render(scale=2 if paper == "A5" else TILL).to_pil()
    return [code.text for code in qr_codes(picture)]


def words_of(slip: bytes) -> str:
    return " ".join(pages_of(slip)[0].get_textpage().get_text_range().split())


def pages_of(slip: bytes) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(io.BytesIO(slip))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("url", URLS)
def test_a_slip_is_one_page_with_the_url_as_its_code(url: str, paper: SlipPaper) -> None:
    document = pages_of(order_slip(slip_of(url, shop="Müller & Söhne"), paper=paper, mark="Training"))
    assert len(document) == 1
    assert codes_of(document[0], paper) == [url]


@pytest.mark.parametrize("paper", ["80", "58"])
def test_a_roll_is_as_wide_as_its_printers_and_as_long_as_what_stands_on_it(paper: SlipPaper) -> None:
    few, many = (pages_of(order_slip(slip_of(items=items), paper=paper))[0] for items in ([SlipItem("Lamp", 1)], MANY))
    assert round(few.get_width() * 25.4 / 72) == int(paper)
    assert 72 * 70 / 25.4 < few.get_height() < many.get_height() < 72 * 300 / 25.4
    grey = few.render(scale=2).to_pil().convert("L")
    lowest = max(y for y in range(grey.height) if grey.crop((0, y, grey.width, y + 1)).getextrema()[0] < 128)
    assert 0 < grey.height - lowest < 2 * 72 * 10 / 25.4, "its last line stands just above its end"


@pytest.mark.parametrize("paper", ["80", "58"])
def test_a_till_prints_each_square_of_the_code_with_whole_dots(paper: SlipPaper) -> None:
    """Where squares are as wide as 6.4 dots, some are 6 and some 7: a phone reads that worse."""
    dots = pages_of(order_slip(slip_of(), paper=paper))[0].render(scale=TILL).to_pil().convert("L")
    (code,) = qr_codes(dots)
    known = qr_code(URLS[0])
    assert known is not None
    width = code.position.top_right.x - code.position.top_left.x
    dots_of_a_square = width / known.symbol_size(border=0)[0]
    assert dots_of_a_square == pytest.approx(round(dots_of_a_square), abs=0.05)
    assert dots_of_a_square > 5


@pytest.mark.parametrize("paper", PAPERS)
def test_a_slip_says_what_has_to_be_known_in_many_scripts_and_boxes_for_the_rest(paper: SlipPaper) -> None:
    note = "The link will work as soon as our service is back."
    items = [SlipItem("Łódź Ελλάδα Москва مرحبا", 1), SlipItem("李小龙 📺 TV", 2, [date(2029, 3, 12)])]
    said = words_of(order_slip(slip_of(shop="Café Zoë", note=note, items=items), paper=paper))
    has = (
        "Café Zoë", "23 Nov 2026, 14:02", "Order d601cc60", note, "Łódź Ελλάδα Москва",
        "□□□ TV, covered to 12 Mar 2029",
    )  # fmt: skip
    assert [words for words in has if words not in said] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_hebrew_beside_latin_is_read_from_the_right_and_no_word_of_either_is_broken(paper: SlipPaper) -> None:
    text = pages_of(order_slip(slip_of(items=[SlipItem("TV שלום OLED", 1)]), paper=paper))[0].get_textpage()
    letters = text.get_text_range()
    places = [text.get_charbox(letters.index(part))[0] for part in ("V ", "ם", "ו", "ל", "ש", "OLED")]
    assert places == sorted(places)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_slip_speaks_the_customers_language_whoever_is_at_the_screen(paper: SlipPaper) -> None:
    slip = order_slip(slip_of(language="es"), paper=paper, mark="Training – not valid")
    has = ("Proteja lo que compró hoy", "Escanee el código con su teléfono", "Pedido d601cc60", "no válido")
    assert [words for words in has if words not in words_of(slip)] == []
    assert codes_of(pages_of(slip)[0], paper) == [URLS[0]]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("language", "sentence", "below"), [
    ("en", "The protection plan was explained and declined.", "Signature"),
    ("es", "Se explicó el plan de protección y el cliente lo declinó.", "Firma"),
])  # fmt: skip
def test_who_declined_signs_on_a_line_of_the_page(language: str, sentence: str, below: str, paper: SlipPaper) -> None:
    asked, declined = (
        order_slip(slip_of(language=language, declined=one), paper=paper, mark="Training") for one in (False, True)
    )
    assert [words in words_of(asked) for words in (sentence, below)] == [False, False]
    assert f"{sentence} {below}" in words_of(declined)
    page = pages_of(declined)[0]
    assert codes_of(page, paper) == [URLS[0]]
    text = page.get_textpage()
    letters = text.get_text_range()
    tops = [page.get_height() - text.get_charbox(letters.index(words))[3] for words in (below, "d601cc60")]
    assert 0 < min(tops) < max(tops) < page.get_height() - 10, "with all that stands below it"
    picture = page.render(scale=4).to_pil().convert("L")
    middle, top = picture.width // 2, int(4 * tops[0])
    assert picture.crop((middle, top - 48, middle + 9, top - 1)).getextrema()[0] < 128, "a line to sign"


@pytest.mark.parametrize("paper", PAPERS)
def test_no_word_of_the_address_is_broken_between_two_lines(paper: SlipPaper) -> None:
    page = pages_of(order_slip(slip_of(), paper=paper))[0]
    lines = page.get_textpage().get_text_range().splitlines()
    for word in ("checkout", "carts/", "03a1d5c5", "301ae405450f", "d601cc60", "pages.example.com"):
        assert any(word in line for line in lines), (word, lines)


def test_an_address_is_broken_behind_its_parts_then_behind_its_words_and_only_then_anywhere() -> None:
    def lines(text: str, most: int) -> list[str]:
        return lines_of_address(text, lambda line: len(line) <= most)

    assert lines("https://a.example/carts/checkout", 18) == ["https://a.example/", "carts/checkout"]
    assert lines("carts/1111-2222-3333/checkout", 12) == ["carts/1111-", "2222-3333/", "checkout"]
    assert lines("abcdefgh", 3) == ["abc", "def", "gh"]
    assert "".join(lines(URLS[1], 20)) == URLS[1]


@pytest.mark.parametrize(("ending", "paper"), [("png", "A5"), ("svg", "80"), ("png", "58")])
def test_the_shops_logo_stands_on_top_of_its_slips(tmp_path: Path, paper: SlipPaper, ending: str) -> None:
    logo = tmp_path / f"logo.{ending}"
    if ending == "png":
        Image.new("RGB", (300, 100), "#0B5FA5").save(logo)
    else:
        box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">'
        logo.write_text(f'{box}<rect width="300" height="100" fill="#0B5FA5"/></svg>')
    page = pages_of(order_slip(slip_of(), paper=paper, logo=logo))[0]
    picture = page.render(scale=2).to_pil()
    top = picture.crop((0, 0, picture.width, picture.height // 4))
    assert (11, 95, 165) in {colour for _, colour in top.getcolors(100_000)}
    assert codes_of(page, paper) == [URLS[0]]


def test_a_slips_file_is_named_after_its_order_and_a_message_names_shop_and_link_and_greets_who_is_known() -> None:
    assert slip_file("9f2c1a2b-5aaa-4bbb-8ccc-dddddddddddd") == "slip-9f2c1a2b.pdf"
    assert slip_file("../#20 1") == "slip-201.pdf"
    assert slip_file("李") == "slip.pdf"
    words = message(URLS[0], shop="Café Zoë", addressee=Addressee(first_name="Ada"))
    assert words.startswith("Hello Ada, ")
    assert "Café Zoë" in words
    assert words.endswith(URLS[0])
    assert message(URLS[0], shop="S", addressee=Addressee()).startswith("Thank you")


@pytest.mark.parametrize("paper", PAPERS)
def test_an_address_too_long_for_a_code_is_printed_without_one(paper: SlipPaper) -> None:
    url = f"https://pages.example.com/carts/r/checkout/{'a' * 2400}"
    said = words_of(order_slip(slip_of(url), paper=paper))
    assert "Scan the code" not in said
    assert "https://pages.example.com/carts/" in said


TELEVISION = SoldPlan("Télévision 55″ Ωμέγα 電視", "24 months", "Extended warranty", 2, Decimal("79.99"))


def text_of(*plans: SoldPlan, warranty_order_id: str = "64fa1b2c3d4e5f6071829304", mark: str = "") -> tuple[str, int]:
    pdf = sale_confirmation(
        shop="Möbel & Söhne", order_id="o-1", warranty_order_id=warranty_order_id, when="21 Nov 2026, 14:02",
        currency="USD", plans=plans, reference="a1b2", mark=mark,
    )  # fmt: skip
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document), len(document)


def test_it_names_plan_price_warranty_order_and_a_bundles_products_and_no_total_of_an_unknown_price() -> None:
    text, pages = text_of(TELEVISION, SoldPlan("Lamp", "12 months", "", 1, Decimal("5.01")))
    assert pages == 1
    has = ("Möbel & Söhne", "Ωμέγα □□", "for 2 units", "159.98 USD", "164.99 USD", "64fa1b2c3d4e5f6071829304")
    assert [words for words in has if words not in text] == []
    assert "Not valid" not in text
    text, _ = text_of(TELEVISION, SoldPlan("Lamp", "12 months", "", 1, None), warranty_order_id="")
    assert "Paid in all" not in text
    assert "The number follows from the shop" in text
    text, _ = text_of(SoldPlan("Home cinema", "24 months", "", 1, Decimal(80), ("Amplifier", "SPK-2")))
    assert "Covers Amplifier, SPK-2" in text


def test_a_large_basket_of_training_says_so_on_each_page_and_an_amount_stays_beside_its_name() -> None:
    plans = [SoldPlan(f"Item {n} " + "x" * 60, "12 months", "", 1, Decimal(1)) for n in range(40)]
    text, pages = text_of(*plans, mark="Not valid")
    assert text.count("Not valid") == pages > 1
    assert "40.00 USD" in text
    page = PrintPage(title="Confirmation", size="A4", mark="")
    for number in range(150):
        page.pair(f"Item {number}", f"{number}.00 USD", 11)
    assert page.pages == 3

"""The link as a customer takes it away: the code on the slip read back as a phone would, the words of a message."""

import io

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from components.submit_order.link_kit import Addressee, message
from warranty.printing.slip import SlipItem, order_slip

URLS = [
    "https://pages.example.com/carts/03a1d5c5-81f3-4de2-99aa-301ae405450f/checkout/d601cc60-899f-49c1-9e6c",
    "https://pages.example.com/carts/r/checkout/" + "%E6%9D%8E" * 60,
]


def codes_of(picture: Image.Image) -> list[str]:
    return [code.text for code in zxingcpp.read_barcodes(picture)]


def pages_of(slip: bytes) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(io.BytesIO(slip))


@pytest.mark.parametrize("url", URLS)
def test_the_code_on_the_slip_is_the_url_and_the_slip_is_one_page(url: str) -> None:
    items = [
        SlipItem(f"A title of an item that is rather long, number {n}, with accents é", n)
        for n in range(1, 40)
    ]
    document = pages_of(order_slip(shop="Müller & Söhne", url=url, order_id="d601cc60", items=items))
    assert len(document) == 1
    assert codes_of(document[0].render(scale=2).to_pil()) == [url]


def test_what_has_to_be_known_of_the_link_is_printed_beside_it() -> None:
    items = [SlipItem(f"A title of an item that is rather long, number {n}", n) for n in range(1, 40)]
    note = "The link works from when the service is back."
    slip = order_slip(shop="Shop", url=URLS[0], order_id="d601cc60", items=items, note=note)
    assert len(pages_of(slip)) == 1
    assert note in pages_of(slip)[0].get_textpage().get_text_range()


def test_an_address_too_long_for_a_code_is_printed_without_one() -> None:
    url = f"https://pages.example.com/carts/r/checkout/{'a' * 2400}"
    document = pages_of(order_slip(shop="Café Zoë", url=url, order_id="x", items=[SlipItem("Lamp", 1)]))
    assert "Scan the code" not in document[0].get_textpage().get_text_range()
    assert "https://pages.example.com/carts/r/" in document[0].get_textpage().get_text_range()


def test_the_slip_prints_names_of_many_scripts_and_boxes_for_what_its_font_lacks() -> None:
    items = [SlipItem("Łódź Ελλάδα Москва مرحبا", 1), SlipItem("李小龙 📺 TV", 2)]
    document = pages_of(order_slip(shop="Café Zoë", url=URLS[0], order_id="x" * 200, items=items))
    text = document[0].get_textpage().get_text_range()
    assert "Café Zoë" in text
    assert "Łódź Ελλάδα Москва" in text
    assert "□□□ □ TV" in text


def test_the_words_of_a_message_name_shop_and_link_and_greet_who_is_known() -> None:
    words = message(URLS[0], shop="Café Zoë", addressee=Addressee(first_name="Ada"))
    assert words.startswith("Hello Ada, ")
    assert "Café Zoë" in words
    assert words.endswith(URLS[0])
    assert message(URLS[0], shop="S", addressee=Addressee()).startswith("Thank you")

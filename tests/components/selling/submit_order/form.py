"""The form of a new order as tests fill it in."""

from urllib.parse import unquote

from streamlit.testing.v1 import AppTest

from tests.components.stage import Stage, pick, pick_lists, write

ORDER_ID = "7689dde5-c0f6-4fff-a7ad-217f6f73aaaa"
OTHER_ID = "0b0f4a86-6a7b-4f0c-9a3f-3d2f6a11bbbb"
ITEM = {
    "SKU": "OWN-1", "Title": "Arc floor lamp", "Price": "89.50", "Quantity": "1",
    "Category": "Furniture > Lamps",
}  # fmt: skip
CUSTOMER = {"First name": "Zoë", "E-mail or phone": "zoe@example.com", "ZIP or postal code": "10001"}


def filled(stage: Stage) -> AppTest:
    return pick(write(stage.screen("submit_order"), ITEM | CUSTOMER | {"Order number": ORDER_ID}), "State", "NY")


def letters(screen: AppTest) -> list[str]:
    links = [unquote(link.proto.url) for link in screen.get("link_button")]
    return [link for link in links if link.startswith(("mailto:", "sms:"))]


def disabled(screen: AppTest) -> set[bool]:
    return {field.disabled for field in (*screen.text_input, *pick_lists(screen))}

"""How large the screens of a shop are, and where things stand on them."""

from typing import Final

from playwright.sync_api import FloatRect, Locator, Page

Size = tuple[int, int]
PC: Final = (1280, 900)
TABLET: Final = (820, 1180)
PHONE: Final = (390, 844)


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def place(of: Locator) -> FloatRect:
    """Where it stands, and how large it is."""
    box = of.bounding_box()
    assert box is not None
    return box

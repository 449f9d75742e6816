"""The confirmation on paper: what was paid for which plan."""

from decimal import Decimal

import pypdfium2

from warranty.files.printing.confirmation import SoldPlan, sale_confirmation
from warranty.files.printing.page import PrintPage

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

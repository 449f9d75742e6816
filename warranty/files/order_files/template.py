"""Our own template: the plainest file of orders, with two examples."""

import csv
import io
from typing import Final

_COLUMNS: Final = (
    "order_id", "sku", "title", "price", "quantity", "category", "image", "delivery_date", "first_name",
    "last_name", "email", "phone", "address1", "address2", "city", "zip", "state", "country", "merchant",
)  # fmt: skip
_EXAMPLES: Final = (
    (
        "3f8a1c52-6f0e-4b7f-9a55-2f1a7c0d9e11", "TV-55-OLED", '55" OLED television', "899.99", "1",
        "Electronics > Televisions", "https://shop.example.com/tv.jpg", "2026-11-28", "Ada", "Byron",
        "ada@example.com", "", "1 Main St", "Apt 3F", "Brooklyn", "11231", "NY", "US", "",
    ),
    (
        "3f8a1c52-6f0e-4b7f-9a55-2f1a7c0d9e11", "LAMP-ARC", "Arc floor lamp", "89.50", "2",
        "Furniture > Lighting", "", "", "", "", "", "", "", "", "", "", "", "", "",
    ),
    (
        "b2d9e7a0-11c4-4f53-8a0b-6a1f3c9d7e22", "SOFA-3S-GRY", "Linden 3-seat sofa", "1299.00", "1",
        "Furniture > Sofas", "", "", "Björk", "Guðmundsdóttir", "", "+33 6 12 34 56 78", "9 Rue de la Paix", "",
        "Paris", "75002", "IDF", "FR", "",
    ),
)  # fmt: skip


def template_csv() -> bytes:
    """The template with its examples, as CSV in UTF-8 with a byte order mark, which spreadsheets know it by."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    writer.writerows(_EXAMPLES)
    return text.getvalue().encode("utf-8-sig")

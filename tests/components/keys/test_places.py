"""A code goes where it belongs, by what this desk knows of it."""

from dataclasses import replace

from components.keys.places import BASKET, Known, Place, place_of
from tests.builders import LAMP, STAFF, order_of
from tests.components.stage import Stage
from warranty.files.catalogue import Catalogue, CatalogueProduct

NOBODY_KNOWS = Known(story=lambda _: (), orders=lambda *_: [], sent=lambda *_: [], catalogue=Catalogue)
WARRANTY = "64a1f0c2b9d84e3f7a6b5c1d"


def test_a_warrantys_id_opens_its_claims_and_a_link_to_a_landing_page_the_sale_of_its_order() -> None:
    assert place_of(WARRANTY, NOBODY_KNOWS) == Place("claims", (("period", "all"), ("words", WARRANTY)))
    link = "https://pages.example.com/carts/0b3f/checkout/7d2c"
    assert place_of(link, NOBODY_KNOWS) == Place("record_sale", (("order", link),))


def test_what_nobody_knows_belongs_nowhere_and_a_product_is_one_whatever_its_sku_looks_like() -> None:
    assert place_of("UNKNOWN-1", NOBODY_KNOWS) is None
    assert place_of("4006381333931", NOBODY_KNOWS) is None
    assert place_of("12345678901234567890123", NOBODY_KNOWS) is None
    shelf = Catalogue(products={WARRANTY: CatalogueProduct(WARRANTY, "A lamp")})
    assert place_of(WARRANTY, replace(NOBODY_KNOWS, catalogue=lambda: shelf)) == BASKET


def test_the_desk_knows_the_orders_it_sent_and_the_products_of_its_catalogue(stage: Stage) -> None:
    order = order_of(LAMP)
    known = Known.to(stage.runtime.desk, STAFF, stage.runtime.shop_files)
    assert place_of("TV-55-OLED", known) == BASKET
    assert place_of(order.order_id, known) != Place("record_sale", (("order", order.order_id),))
    stage.send(order)
    assert place_of(order.order_id, known) == Place("record_sale", (("order", order.order_id),))

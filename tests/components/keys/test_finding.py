"""One field finds screens, orders, a customer's claims and products; a code goes where it belongs."""

from dataclasses import replace

import pytest

from components.keys.finding import BASKET, Found, Known, Place, actions_found, found, place_of
from components.navigation import SCREENS
from components.ui.frame.actions import Action, own_actions
from components.ui.frame.choices import other_choices
from components.words.attempts import short_id
from tests.builders import ADMINISTRATOR, LAMP, MANAGER, STAFF, TV, checkout_of, order_of, sale_of, seen_by
from tests.components.stage import Stage
from warranty.access import Operator, Station
from warranty.desk.journal import ItemLine
from warranty.files.catalogue import Catalogue, read_catalogue
from warranty.language import LANGUAGES, Language, speaking
from warranty.language.written import dated

KEYS_OF_SCREENS = {screen.key for screen in SCREENS if screen.key}
AT_TILL = replace(STAFF, at=Station(till_id="1", switched_by="badge"))
EVERYBODY = pytest.mark.parametrize(
    "operator", [STAFF, AT_TILL, MANAGER, ADMINISTRATOR], ids=("staff", "at a till", "manager", "administrator")
)


def actions(stage: Stage, operator: Operator) -> list[Action]:
    def act() -> None:
        raise AssertionError("nothing is done by being found")

    own = own_actions(operator, customer_screen=act, change_password=act, tour=act, choose_pin=act, sign_out=act)
    kept = stage.runtime.desk.preference(operator, "display")
    return actions_found(operator, stage.runtime.desk, [*own, *other_choices(kept)])


def results(stage: Stage, text: str, operator: Operator = STAFF) -> list[Found]:
    known = Known.to(stage.runtime.desk, operator, stage.runtime.shop_files)
    return found(text, operator, known, actions(stage, operator))


def words(stage: Stage, text: str, operator: Operator = STAFF) -> list[str]:
    return [one.words for one in results(stage, text, operator)]


@EVERYBODY
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_one_may_do_takes_three_keys(stage: Stage, operator: Operator, language: Language) -> None:
    with speaking(language):
        offered = results(stage, "", operator)
        screens = [screen.name for screen in filter(seen_by(operator), SCREENS)]
        assert [one.which for one in offered] == [*screens, *(one.name for one in actions(stage, operator))]
        for one in offered:  # a key of its own, or Ctrl+K, a letter and Enter
            assert one.key in KEYS_OF_SCREENS or results(stage, one.key.lower(), operator)[0] == one, one


def test_what_a_role_may_do_is_offered_and_a_screen_found_by_the_beginning_of_its_name_first(stage: Stage) -> None:
    assert "Next order" in words(stage, "")
    assert "Switch person" not in words(stage, "")
    assert "Switch person" in words(stage, "", AT_TILL)
    assert {"Change my password", "My PIN"}.isdisjoint(words(stage, "", AT_TILL))
    assert "Next order" not in words(stage, "", ADMINISTRATOR)
    assert words(stage, "c")[:2] == ["Claims", "Checkout"]  # Checkout has a key of its own
    assert words(stage, "link") == ["New order"]
    assert words(stage, "help") == ["Keys"]
    assert words(stage, "idioma") == ["Español"]


def test_an_order_is_found_by_part_of_its_id_a_product_by_sku_or_name_a_checkout_by_reference(stage: Stage) -> None:
    order = order_of(LAMP)
    assert words(stage, order.order_id[:12]) == []
    stage.send(order)
    assert words(stage, order.order_id[:12]) == [f"Order {short_id(order.order_id)}"]
    assert words(stage, "tv-55") == ['55" OLED television']
    assert '55" OLED television' in words(stage, "oled")
    assert words(stage, "lamp-arc")[0] == "Arc floor lamp"
    assert words(stage, "lamp")[0] == words(stage, order.order_id[:12])[0]
    for number in ("POS-1002", "POS-1003"):
        stage.runtime.desk.send(STAFF, checkout_of(number), draft_id=number, screen="notify_checkout")
    (sent,) = stage.runtime.desk.activity.order_timeline(STAFF, "POS-1002")
    for text in ("pos-1002", sent.attempt_id):
        assert [(one.kind, one.which) for one in results(stage, text)] == [("sent", "POS-1002")]


def test_an_order_says_until_when_what_was_sold_on_it_covers_by_this_desks_record(stage: Stage) -> None:
    order = stage.order(TV, LAMP)
    assert "covered" not in results(stage, order.order_id[:12])[0].about
    for sku, months in (("TV-55", 36), ("LAMP", 24)):
        sale, items = sale_of(order.order_id, (sku, months, "9.99")), [ItemLine(sku, sku, 1, term_months=months)]
        stage.runtime.desk.send(STAFF, sale, draft_id=sku, screen="record_sale", items=items)
    sold = stage.runtime.desk.now().date()
    ends = [dated(ItemLine("", "", 1, term_months=months).covered_until(sold) or sold) for months in (24, 36)]
    (found_order,) = results(stage, order.order_id[:12])
    assert found_order.about.endswith(f" · covered to {', '.join(ends)} by this desk's record")


def test_a_customers_claims_are_offered_for_a_whole_address_and_no_more_than_fits_a_short_list(stage: Stage) -> None:
    assert words(stage, "ada@example.com") == ["Claims of ada@example.com"]
    assert words(stage, "ada@example.com", ADMINISTRATOR) == []
    assert words(stage, "ada@") == []
    for _ in range(6):
        stage.send(order_of(LAMP))
    known = Known.to(stage.runtime.desk, STAFF, stage.runtime.shop_files)
    assert len(found("lamp", STAFF, replace(known, catalogue=Catalogue), [])) == 4


NOBODY_KNOWS = Known(story=lambda _: (), orders=lambda *_: [], sent=lambda *_: [], catalogue=Catalogue)
WARRANTY = "64a1f0c2b9d84e3f7a6b5c1d"


def test_a_warrantys_id_opens_its_claims_a_link_the_sale_of_its_order_and_what_nobody_knows_nothing() -> None:
    assert place_of(WARRANTY, NOBODY_KNOWS) == Place("claims", (("period", "all"), ("words", WARRANTY)))
    link = "https://pages.example.com/carts/0b3f/checkout/7d2c"
    assert place_of(link, NOBODY_KNOWS) == Place("record_sale", (("order", link),))
    assert place_of("UNKNOWN-1", NOBODY_KNOWS) is None
    assert place_of("4006381333931", NOBODY_KNOWS) is None
    assert place_of("12345678901234567890123", NOBODY_KNOWS) is None
    shelf = read_catalogue(f"sku,title,barcode\nL-1,Lamp,{WARRANTY}\nL-2,Two lamps,{WARRANTY}\n".encode())
    assert place_of(WARRANTY, replace(NOBODY_KNOWS, catalogue=lambda: shelf)) == BASKET


def test_the_desk_knows_the_orders_it_sent_and_the_products_of_its_catalogue(stage: Stage) -> None:
    order = order_of(LAMP)
    known = Known.to(stage.runtime.desk, STAFF, stage.runtime.shop_files)
    assert place_of("TV-55-OLED", known) == BASKET
    assert place_of(order.order_id, known) != Place("record_sale", (("order", order.order_id),))
    stage.send(order)
    assert place_of(order.order_id, known) == Place("record_sale", (("order", order.order_id),))

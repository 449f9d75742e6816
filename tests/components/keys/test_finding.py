"""One field finds screens, orders, a customer's claims and products."""

from dataclasses import replace

import pytest

from components.keys.finding import found
from components.keys.places import Known
from components.navigation import SCREENS
from components.words.attempts import short_id
from tests.builders import ADMINISTRATOR, LAMP, MANAGER, STAFF, order_of, seen_by
from tests.components.stage import Stage
from warranty.access import Operator
from warranty.files.catalogue import Catalogue


def words(stage: Stage, text: str, operator: Operator = STAFF) -> list[str]:
    known = Known.to(stage.runtime.desk, operator, stage.runtime.shop_files)
    return [one.words for one in found(text, operator, known)]


@pytest.mark.parametrize("operator", [STAFF, MANAGER, ADMINISTRATOR], ids=lambda person: person.role)
def test_nothing_typed_offers_the_screens_that_the_role_may_open(stage: Stage, operator: Operator) -> None:
    theirs = [screen.title for screen in filter(seen_by(operator), SCREENS)]
    assert words(stage, "", operator)[: len(theirs)] == theirs


def test_a_screen_is_found_by_the_beginning_of_its_name_before_what_is_said_of_it(stage: Stage) -> None:
    assert words(stage, "c")[:3] == ["Claims", "Connection", "Checkout"]  # Checkout has a key of its own
    assert words(stage, "r")[0] == "Record sale"
    assert words(stage, "link") == ["New order"]
    assert words(stage, "help") == ["Keys"]


def test_an_order_is_found_by_a_part_of_its_id_and_a_product_by_its_sku_or_name(stage: Stage) -> None:
    order = order_of(LAMP)
    assert words(stage, order.order_id[:12]) == []
    stage.send(order)
    assert words(stage, order.order_id[:12]) == [f"Order {short_id(order.order_id)}"]
    assert words(stage, "tv-55") == ['55" OLED television']
    assert '55" OLED television' in words(stage, "oled")


def test_a_customers_claims_are_offered_for_a_whole_address_alone(stage: Stage) -> None:
    assert words(stage, "ada@example.com") == ["Claims of ada@example.com"]
    assert words(stage, "ada@") == []


def test_no_more_is_offered_than_fits_a_short_list(stage: Stage) -> None:
    for _ in range(6):
        stage.send(order_of(LAMP))
    known = Known.to(stage.runtime.desk, STAFF, stage.runtime.shop_files)
    assert len(found("e", STAFF, known)) <= 9
    assert len(found("lamp", STAFF, replace(known, catalogue=Catalogue))) == 4

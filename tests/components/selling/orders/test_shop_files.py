"""The shop's own price list at the counter, and what a manager sees of it and of the catalogue."""

from tests.builders import MANAGER, TV
from tests.components.counter import counter_at
from tests.components.stage import Stage, press, says, shown, words


def test_the_shops_own_price_list_comes_before_what_the_service_names(stage: Stage) -> None:
    prices = b"sku,months,price\nTV-55,24,88.88\nTV-55,abc,1.00\n"
    stage.runtime.shop_files.price_list.replace(MANAGER, prices, file_name="prices.csv")
    counter, _ = counter_at(stage, TV)
    assert counter.choose("24 months").value("Price charged") == "88.88"
    assert "1 row of the price list was left out. Row 3 has no term" in counter.words


def test_a_manager_sees_what_the_price_list_holds_and_may_go_back_to_the_settings(stage: Stage) -> None:
    files = stage.runtime.shop_files
    files.price_list.replace(MANAGER, b"months,price\n24,88.88\nabc,1.00\n", file_name="prices.csv")
    screen = stage.screen("submit_order", MANAGER)
    for box in ("catalogue", "price-list"):
        screen.session_state[box] = True
    screen.run()
    says(screen, "Products: 40", "Prices: 1\nRow 3 has no term", "This erases what is in use now (rows: 1).")
    (yes,) = [button for button in screen.button if button.label == "Yes, remove it"]
    assert "Prices: 0" in words(yes.click().run())
    assert not files.price_list.is_put_in
    assert "Prices:" not in words(stage.screen("submit_order"))


def test_a_catalogue_takes_the_place_of_the_one_in_use_when_a_manager_says_so(stage: Stage) -> None:
    screen = stage.screen("submit_order", MANAGER)
    screen.session_state["catalogue"] = True
    (field,) = shown(screen.run()).file_uploader
    field.upload("ours.csv", b"sku;title;price\nOURS-1;Our own lamp;12,50\n;Without a SKU;1\n", "text/csv")
    before = words(shown(screen.run()))
    for told in ("Products: 1\nRow 3 has no SKU: left out", "Products: 40", "at every counter (rows: 40)."):
        assert told in before
    after = words(press(screen, "Yes, use the new one"))
    assert "Products: 1\nRow 3 has no SKU: left out" in after
    assert "Products: 40" not in after
    assert stage.runtime.shop_files.catalogue.in_use().find("OURS-1")

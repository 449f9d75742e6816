"""What a manager sees of the catalogue and of the price list."""

from tests.builders import MANAGER
from tests.components.stage import Stage, words


def test_a_manager_sees_what_is_in_the_price_list_and_may_go_back_to_that_of_the_settings(
    stage: Stage,
) -> None:
    files = stage.runtime.shop_files
    files.price_list.replace(MANAGER, b"months,price\n24,88.88\nabc,1.00\n", file_name="prices.csv")
    screen = stage.screen("submit_order", MANAGER)
    for box in ("catalogue", "price-list"):
        screen.session_state[box] = True
    screen.run()
    assert "Products: 40" in words(screen)
    assert "Prices: 1\nRow 3 has no term" in words(screen)
    assert "This erases what is in use now (prices: 1)." in words(screen)
    (yes,) = [button for button in screen.button if button.label == "Yes, remove it"]
    assert "Prices: 0" in words(yes.click().run())
    assert not files.price_list.is_put_in
    assert "Prices:" not in words(stage.screen("submit_order"))

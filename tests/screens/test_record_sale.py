"""Record sale, as a person meets it: right words, right place, and the basket kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sandbox import SandboxServer
from tests.dashboard import ROOT
from tests.selling.shop import (
    CINEMA,
    GIFT_CARD,
    LAMP,
    LAPTOP,
    STAFF,
    TV,
    TV_OF_THE_SAME_BAND,
    order_of,
    sale_of,
)
from tests.selling.stage import Stage, shown, words
from warranty.access import Role
from warranty.accounts import AccountsFile, account
from warranty.journal import AttemptFilter, AttemptState
from warranty.resources import Order

NOT_CONFIGURED = {"purchase_warranties_path": None, "offers_path": None}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    staged = Stage(sandbox, tmp_path, monkeypatch)
    yield staged
    staged.runtime.close()


@pytest.fixture
def stage_without_reads(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stage]:
    """The two reads that the interface does not show are not configured."""
    staged = Stage(sandbox, tmp_path, monkeypatch, **NOT_CONFIGURED)
    yield staged
    staged.runtime.close()


class Counter:
    """What a clerk does on the screen, in the clerk's words."""

    def __init__(self, stage: Stage, order_id: str = "", **query: str) -> None:
        self.stage = stage
        self.screen = stage.screen("record_sale", query=query)
        if order_id:
            self.write("Order", order_id)

    @property
    def words(self) -> str:
        return words(self.screen)

    def write(self, label: str, text: str, place: int = 0) -> "Counter":
        fields = [field for field in self.screen.text_input if field.label == label]
        fields[place].set_value(text)
        shown(self.screen.run())
        return self

    def value(self, label: str, place: int = 0) -> str:
        fields = [field for field in self.screen.text_input if field.label == label]
        return str(fields[place].value)

    def choose(self, option: str, label: str = "Term", place: int = 0) -> "Counter":
        control = [control for control in self.screen.segmented_control if control.label == label][place]
        assert option in control.options
        raw = {"Other": "other"}.get(option, option.removesuffix(" months")) if label == "Term" else option
        control.set_value(raw)
        shown(self.screen.run())
        return self

    def terms(self, place: int = 0) -> list[str]:
        control = [control for control in self.screen.segmented_control if control.label == "Term"][place]
        return list(control.options)

    def press(self, label: str) -> "Counter":
        button = next(button for button in self.screen.button if button.label == label)
        button.click()
        shown(self.screen.run())
        return self

    def has_button(self, label: str) -> bool:
        return any(button.label == label for button in self.screen.button)

    @property
    def sales(self) -> int:
        return len(self.stage.calls("record_sale"))


def order_on(stage: Stage, *items: dict[str, Any]) -> Order:
    order = order_of(*items)
    assert stage.send(order).state is AttemptState.DONE
    return order


def counter_at(stage: Stage, *items: dict[str, Any]) -> tuple[Counter, Order]:
    order = order_on(stage, *items)
    return Counter(stage, order=order.order_id), order


# ---- the way that it goes well


def test_a_plan_is_sold_with_the_price_that_the_customer_paid(stage: Stage) -> None:
    counter, order = counter_at(stage, TV, LAMP)
    counter.choose("24 months").write("Price charged", "79.99").press("Record sale")
    (call,) = stage.calls("record_sale")[-1:]
    assert call["order_id"] == order.order_id
    assert f"Recorded. Warranty order {call['returned_id']}" in counter.words
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words
    counter.press("Next sale")
    assert counter.value("Order") == ""
    carried = stage.runtime.client.purchase_warranties(order.order_id).line_items[0].warranties[0]
    assert (carried.warranty_duration, str(carried.warranty_price)) == (24, "79.99")


def test_several_items_and_a_bundle_are_one_sale_with_a_total(stage: Stage) -> None:
    counter, order = counter_at(stage, {**TV, "quantity": 2}, LAMP, CINEMA)
    assert "A bundle of 2 products: one plan covers them all" in counter.words
    counter.choose("24 months").write("Price charged", "70.00").write("Units", "2")
    counter.choose("36 months", place=1).write("Price charged", "9.99", place=1)
    counter.choose("12 months", place=2).write("Price charged", "99.01", place=2)
    assert "line 3 of the order and the 2 products of the bundle" in counter.words
    (total,) = counter.screen.metric
    assert total.value == "249.00 USD"
    counter.press("Record sale")
    lines = stage.runtime.client.purchase_warranties(order.order_id).line_items
    assert [len(line.warranties) for line in lines] == [2, 1, 1]


def test_the_order_is_found_by_its_landing_page_by_a_part_of_its_id_or_in_the_recent_ones(
    stage: Stage,
) -> None:
    order = order_on(stage, TV)
    page = f"{stage.sandbox.landing_url}/carts/{stage.sandbox.retailer_uuid}/checkout/{order.order_id}?x=1#y"
    assert "55in OLED television" in Counter(stage, page).words
    counter = Counter(stage, order.order_id[:9])
    recent = next(button for button in counter.screen.button if "55in OLED television" in button.label)
    recent.click()
    shown(counter.screen.run())
    assert counter.value("Order") == order.order_id


def test_an_address_that_is_no_landing_page_of_ours_is_told_at_the_field(stage: Stage) -> None:
    assert "This address is no landing page" in Counter(stage, "https://example.com/cart").words
    other = f"{stage.sandbox.landing_url}/carts/other/checkout/o-1"
    assert "belongs to another retailer" in Counter(stage, other).words
    assert not stage.calls("purchase_warranties")[-1:] or "o-1" not in str(
        stage.calls("purchase_warranties")[-1]
    )


def test_without_an_order_the_screen_says_what_it_is_for(stage: Stage) -> None:
    assert "a plan that a customer has paid you for" in Counter(stage).words


def test_the_usual_price_stands_in_the_field_and_what_is_charged_is_compared_with_it(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("24 months")
    usual = counter.value("Price charged")
    assert "the usual price" in counter.words
    counter.write("Price charged", f"{float(usual) - 5:.2f}")
    assert "5.00 below the usual price" in counter.words
    counter.choose("36 months")
    assert counter.value("Price charged") == f"{float(usual) - 5:.2f}", (
        "what a person typed is never replaced"
    )


def test_a_suggestion_follows_the_term_as_long_as_nobody_changed_it(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    first = counter.choose("24 months").value("Price charged")
    assert counter.choose("36 months").value("Price charged") != first


def test_the_shops_own_price_list_comes_before_what_the_service_names(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text("sku,months,price\nTV-55,24,88.88\nTV-55,abc,1.00\n")
    stage = Stage(sandbox, tmp_path, monkeypatch, price_list=str(prices))
    counter, _ = counter_at(stage, TV)
    assert counter.choose("24 months").value("Price charged") == "88.88"
    assert "1 of the price list's rows were left out. Row 3 has no term" in counter.words
    stage.runtime.close()


def test_what_is_covered_already_and_what_has_no_plan_is_said_and_not_offered(stage: Stage) -> None:
    order = order_on(stage, TV, GIFT_CARD)
    stage.runtime.client.record_sale(sale_of(order.order_id, ("TV-55", 12, "50.00")))
    counter = Counter(stage, order=order.order_id)
    assert "Already covered: 12 months, Extended warranty, 50.00 USD" in counter.words
    assert "The service offers no plan on this item." in counter.words
    assert not counter.screen.segmented_control


# ---- what the screen refuses before the service does


@pytest.mark.parametrize(
    ("label", "typed", "sentence"),
    [
        ("Price charged", "", "Enter the price that the customer paid"),
        ("Price charged", "abc", "is not a price"),
        ("Price charged", "12.345", "more than two decimals"),
        ("Price charged", "-1", "below zero"),
        ("Units", "0", "whole number from 1 to 20"),
        ("Units", "21", "whole number from 1 to 20"),
        ("Units", "1.5", "whole number from 1 to 20"),
        ("Units", "two", "whole number from 1 to 20"),
        ("Units", "2", "Only 1 of this item is without a plan"),
        ("Offer id (optional)", "no-uuid", "36 characters"),
    ],
)
def test_a_fault_is_told_on_top_and_beside_its_field_and_nothing_is_sent(
    stage: Stage, label: str, typed: str, sentence: str
) -> None:
    counter, _ = counter_at(stage, TV)
    before = counter.sales
    counter.choose("24 months").write(label, typed).press("Record sale")
    (summary,) = counter.screen.error
    assert sentence in summary.value.replace("\\", "")
    beside = [
        text.value.replace("\\", "") for text in counter.screen.markdown if text.value.startswith(":red")
    ]
    assert any(sentence in text for text in beside)
    assert counter.sales == before
    assert counter.value(label) == typed


def test_an_empty_basket_and_no_order_say_what_is_missing(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    assert "Choose a term on the item that was sold" in counter.press("Record sale").words
    assert "Enter the order" in Counter(stage, "").write("Order", "").press("Record sale").words


def test_a_mended_fault_goes_at_once(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("24 months").write("Units", "0").press("Record sale")
    assert counter.screen.error
    assert not counter.write("Units", "1").screen.error


@pytest.mark.parametrize(
    ("price", "why"), [("0", "for nothing"), ("1.00", "not known"), ("900", "more than the product")]
)
def test_an_odd_price_asks_for_a_yes_before_it_is_sent(stage: Stage, price: str, why: str) -> None:
    counter, _ = counter_at(stage, TV)
    before = counter.sales
    counter.choose("24 months").write("Price charged", price).press("Record sale")
    assert why in counter.words
    assert counter.sales == before
    (yes,) = counter.screen.checkbox
    yes.check()
    shown(counter.screen.run())
    counter.press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_a_term_of_several_types_wants_its_type_and_then_the_offer_goes_along(stage: Stage) -> None:
    counter, order = counter_at(stage, LAPTOP)
    counter.choose("24 months").write("Price charged", "99.00").press("Record sale")
    assert "Choose a type: 24 months come in several types on this item" in counter.words
    counter.choose("Accident protection", "Type")
    assert "and offer " in counter.words
    counter.write("Price charged", "99.00").press("Record sale")
    (carried,) = stage.runtime.client.purchase_warranties(order.order_id).line_items[0].warranties
    assert carried.warranty_type == "Accident protection"


def test_two_items_of_one_offer_cannot_go_together_and_the_screen_says_why(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV, TV_OF_THE_SAME_BAND)
    before = counter.sales
    counter.choose("24 months").choose("24 months", place=1).press("Record sale")
    assert "50in LED television: This is the same offer as on 55in OLED television" in counter.words
    assert counter.sales == before
    counter.choose("36 months", place=1).press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_an_item_by_hand_needs_a_name_and_a_line_goes_in_once(stage_without_reads: Stage) -> None:
    counter = Counter(stage_without_reads, "never-sent-from-here")
    counter.choose("24 months").write("Price charged", "79.99").press("Record sale")
    assert "Choose the item that this term is for" in counter.words
    counter.press("Add an item by hand").choose("24 months", place=1).write("Price charged", "79.99", place=1)
    for place in (0, 1):
        counter.write("SKU", f"SKU-{place}", place).write(
            "Number of the line in the order (optional)", "3", place
        )
    counter.press("Record sale")
    assert "is in this sale twice: put each item in once" in counter.words
    assert not [
        call
        for call in stage_without_reads.calls("record_sale")
        if call.get("order_id") == "never-sent-from-here"
    ]


# ---- what the service refuses, as it comes


def refused(counter: Counter) -> str:
    """The refusal: nothing recorded, and the basket as it was."""
    assert "Nothing was recorded, not even a part of the sale" in counter.words
    assert counter.has_button("Record sale")
    return counter.words


def test_a_product_whose_offer_was_sold_meanwhile(stage: Stage) -> None:
    counter, order = counter_at(stage, TV, LAMP)
    counter.choose("24 months").write("Price charged", "79.99").choose("36 months", place=1)
    stage.runtime.client.record_sale(sale_of(order.order_id, ("TV-55", 12, "50.00")))
    counter.press("Record sale")
    said = refused(counter)
    assert "product TV-55 has no unsold offer on order" in said
    assert said.count("The sale was refused because of this item") == 1
    assert "Already covered: 12 months" in said, "the plans were read again"
    counter.press("Record sale")
    assert "on Arc floor lamp" in counter.words, "what is left of the basket is recorded"
    assert "Recorded. Warranty order" in counter.words


def test_two_items_that_come_to_one_offer_where_nobody_could_know(stage_without_reads: Stage) -> None:
    counter, _ = counter_at(stage_without_reads, TV, TV_OF_THE_SAME_BAND)
    counter.choose("24 months").write("Price charged", "79.99")
    counter.choose("24 months", place=1).write("Price charged", "69.99", place=1).press("Record sale")
    said = refused(counter)
    assert "already bought by an earlier line item of the same request" in said
    assert [counter.value("Price charged", place) for place in (0, 1)] == ["79.99", "69.99"]


def test_a_term_that_is_not_offered_becomes_buttons_with_those_that_are(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("Other").write("Other term in months", "18").write("Price charged", "79.99").press(
        "Record sale"
    )
    assert "18 months is not offered" in refused(counter)
    assert "The sale was refused because of this item" in counter.words
    assert counter.value("Other term in months") == "18"
    counter.press("24 months, Extended warranty").press("Record sale")
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words


def test_a_term_of_several_types_that_nobody_could_know(stage_without_reads: Stage) -> None:
    counter, order = counter_at(stage_without_reads, LAPTOP)
    assert counter.terms() == ["12 months", "24 months", "36 months", "Other"]
    counter.choose("24 months").write("Price charged", "99.00").press("Record sale")
    assert "offered by more than one warranty" in refused(counter)
    counter.press("24 months, Accident protection").press("Record sale")
    assert "only the offer id says which" in counter.words, "not sent in vain"
    client = stage_without_reads.runtime.client
    assert (
        len(
            [
                call
                for call in stage_without_reads.calls("record_sale")
                if call.get("order_id") == order.order_id
            ]
        )
        == 1
    )
    assert not client.has("purchase_warranties")
    counter.press("12 months, Extended warranty").press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_more_units_than_are_left_where_nobody_could_know(stage_without_reads: Stage) -> None:
    counter, _ = counter_at(stage_without_reads, {**TV, "quantity": 2})
    counter.choose("24 months").write("Price charged", "79.99").write("Units", "3").press("Record sale")
    assert "no unsold offer for 3 units" in refused(counter)
    assert counter.value("Units") == "3"
    assert "Recorded. Warranty order" in counter.write("Units", "2").press("Record sale").words


def test_an_order_that_the_service_does_not_have(stage: Stage) -> None:
    counter = Counter(stage, "no-such-order-91f2")
    assert "The service has no order with this id" in counter.words
    counter.write("SKU", "TV-55").choose("24 months").write("Price charged", "79.99").press("Record sale")
    assert "The service does not know this order" in counter.words or "no order" in counter.words.lower()
    assert counter.value("Price charged") == "79.99"
    assert counter.has_button("Record sale")


@pytest.mark.parametrize(
    ("status", "sentence"), [(401, "credential"), (400, "The sandbox was asked to answer 400.")]
)
def test_a_token_or_a_payload_that_the_service_does_not_take(
    stage: Stage, status: int, sentence: str
) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("24 months").write("Price charged", "79.99")
    stage.sandbox.add_fault(operation="record_sale", kind="status", status=status)
    counter.press("Record sale")
    assert sentence in refused(counter) or status == 401
    assert counter.value("Price charged") == "79.99"
    assert "Recorded. Warranty order" in counter.press("Record sale").words


# ---- what is not known


@pytest.mark.parametrize("fault", [{"kind": "status", "status": 500}, {"kind": "drop_before_write"}])
def test_an_unknown_sale_cannot_be_sent_again_before_a_person_has_looked(
    stage: Stage, fault: dict[str, Any]
) -> None:
    counter, order = counter_at(stage, TV)
    counter.choose("24 months").write("Price charged", "79.99")
    stage.sandbox.add_fault(operation="record_sale", **fault)
    counter.press("Record sale")
    assert "We don't know whether this sale was recorded" in counter.words
    assert not counter.has_button("Record sale")
    counter.press("It was not recorded: allow it again")
    assert "Nothing speaks against recording it now" in counter.words
    counter.press("Record sale")
    assert "Recorded. Warranty order" in counter.words
    assert len(stage.runtime.client.purchase_warranties(order.order_id).line_items[0].warranties) == 1


def test_an_unknown_sale_that_was_recorded_is_found_by_asking_the_service(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("24 months").write("Price charged", "79.99")
    stage.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    counter.press("Record sale").press("Ask the service what the order carries")
    assert "the service's own number is not known" in counter.words
    assert "24 months" in counter.words


def test_an_unknown_sale_is_settled_by_a_person_or_left_for_later(stage_without_reads: Stage) -> None:
    counter, order = counter_at(stage_without_reads, TV)
    counter.choose("24 months").write("Price charged", "79.99")
    stage_without_reads.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    counter.press("Record sale")
    assert not counter.has_button("Ask the service what the order carries")
    counter.press("Leave it for later: next sale")
    assert counter.value("Order") == ""
    (open_one,) = [a for a in stage_without_reads.runtime.desk.attempts(STAFF, AttemptFilter()) if a.is_open]
    assert open_one.order_id == order.order_id


# ---- around it


def test_the_screen_works_when_the_plans_cannot_be_read(stage: Stage) -> None:
    order = order_on(stage, TV)
    stage.sandbox.add_fault(operation="purchase_warranties", kind="status", status=500, times=9)
    counter = Counter(stage, order=order.order_id)
    assert (
        "The plans of this order could not be read, so what stands here is what this desk knows"
        in counter.words
    )
    assert counter.terms() == ["12 months", "24 months", "36 months", "Other"]
    stage.sandbox.clear_faults()
    counter.choose("24 months").write("Price charged", "79.99").press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_the_plans_are_read_once_not_on_every_rerun_and_again_after_a_sale_or_on_demand(stage: Stage) -> None:
    order = order_on(stage, TV, LAMP)

    def reads() -> int:
        return len(
            [call for call in stage.calls("purchase_warranties") if call.get("order_id") == order.order_id]
        )

    counter = Counter(stage, order=order.order_id)
    counter.choose("24 months").write("Price charged", "79.99").write("Units", "1")
    assert reads() == 1
    counter.press(next(button.label for button in counter.screen.button if "Read again" in button.label))
    assert reads() == 2
    counter.press("Record sale").press("Another sale on this order")
    assert reads() == 3
    assert "Already covered: 24 months" in counter.words


def test_a_look_at_another_order_loses_nothing_of_the_basket(stage: Stage) -> None:
    counter, order = counter_at(stage, TV)
    other = order_on(stage, LAMP)
    counter.choose("24 months").write("Price charged", "61.00")
    counter.write("Order", other.order_id)
    assert "Arc floor lamp" in counter.words
    counter.write("Order", order.order_id)
    assert counter.value("Price charged") == "61.00"


def test_what_others_wrote_is_text_never_markdown(stage: Stage) -> None:
    counter, _ = counter_at(
        stage, {**TV, "product_title": "TV *bold* [x](https://evil.example) :material/check:"}
    )
    heading = next(text.value for text in counter.screen.markdown if "bold" in text.value)
    assert "\\*bold\\*" in heading
    assert "\\[x\\]\\(https" in heading


def test_production_asks_once_more_and_sends_what_was_shown_once(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    AccountsFile(tmp_path / "accounts.yaml").put(
        account("clerk", name="Sam Counter", role=Role.STAFF, password="counter-training", rounds=4)
    )
    stage = Stage(sandbox, tmp_path, monkeypatch, environment="production")
    counter, _ = counter_at(stage, TV)
    before = counter.sales
    counter.choose("24 months").write("Price charged", "79.99").press("Record sale")
    assert counter.sales == before
    assert "Production" in counter.words
    counter.press("Back")
    assert not counter.has_button("Record in production")
    counter.press("Record sale").press("Record in production")
    assert counter.sales == before + 1
    assert "Recorded. Warranty order" in counter.words
    stage.runtime.close()


def test_a_role_without_the_permission_and_somebody_signed_out_see_nothing(stage: Stage) -> None:
    signed_out = AppTest.from_file(str(ROOT / "pages" / "record_sale.py")).run()
    assert "Sign in to open this screen." in words(signed_out)
    assert not signed_out.text_input

"""Import, as the script draws it in each state of a batch."""

from collections.abc import Iterable

import pytest
from streamlit.testing.v1 import AppTest

from components.selling.import_orders.imports import REFUSED, STORED
from components.words.attempts import short_id
from tests.components.stage import Stage, copied, edit, press, shown, words
from tests.warranty.files.conftest import begin, judged, many_orders, orders_of
from warranty.desk.journal import Batches, RowState
from warranty.desk.order_imports import prepare
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import Layout, SourceOrder

UNDECIDED = Choices()


def begun(stage: Stage, sources: Iterable[SourceOrder], layout: Layout, choices: Choices = UNDECIDED) -> str:
    batches = Batches(stage.runtime.desk.journal.database, "sandbox", "staff")
    return begin(batches, sources, layout, choices, file_name="a*file*.csv")


def batch_of(stage: Stage, number: int) -> str:
    return begun(stage, *many_orders(number))


def test_a_preview_sends_what_is_ready_shows_what_became_of_it_and_says_what_is_lost_with_it(stage: Stage) -> None:
    batch_of(stage, 3)
    screen = stage.screen("import_orders")
    assert "3 orders: 3 ready, 0 to correct, 0 left out." in words(screen)
    assert "3 orders of this file are not stored: they are erased here" in words(screen)
    press(screen, "Send 3 orders").run()
    assert "3 of 3 orders are stored." in words(screen)
    assert not screen.button_group, "where all came to the same there is nothing to filter"
    assert len(stage.sandbox.calls()) == 3
    assert "Download the result file first: it cannot be made again." in words(screen)
    assert "not stored" not in words(screen)
    assert "Choose a file of orders" in words(press(screen, "Yes, begin a new import"))


def test_an_import_that_another_desk_sends_is_under_way_and_goes_on_here_when_that_is_gone(stage: Stage) -> None:
    batch_id = batch_of(stage, 2)
    batches = Batches(stage.runtime.desk.journal.database, "sandbox", "staff")
    sources, layout = many_orders(2)
    prepare(batches, batch_id, judged(sources, layout, Choices()))
    with batches.sending(batch_id):
        screen = stage.screen("import_orders")
        assert "You can leave this screen; the sending goes on." in words(screen)
        assert [button.label for button in screen.button] == ["Pause"]
    screen = stage.screen("import_orders")
    assert "Sending these orders was interrupted." in words(screen)
    press(screen, "Resume")
    assert batches.counts(batch_id) == {RowState.DONE: 2}


def correct(screen: AppTest, *, row: int, text: str) -> AppTest:
    places = list(screen.data_editor[0].value["row"])
    return edit(screen, places.index(row), "text", text)


def faults(screen: AppTest) -> list[str]:
    return [fault for table in screen.data_editor for fault in table.value["fault"]]


def test_every_fault_stands_in_one_table_and_what_was_corrected_stays_there_with_its_text(stage: Stage) -> None:
    sources, layout = many_orders(31)
    begun(stage, [source.with_value(None, "email", "") for source in sources], layout)
    screen = stage.screen("import_orders")
    assert len(faults(screen)) == 31
    correct(screen, row=32, text="ada@example.com")
    assert "Needs fixing 30" in str(screen.button_group[0].options)
    correct(screen, row=31, text="not an address")
    table = screen.data_editor[0].value.set_index("row")
    assert list(table.loc[32, ["fault", "text"]]) == ["changed", "ada@example.com"]
    assert table.loc[31, "text"] == "not an address"
    assert table.loc[31, "fault"] != "changed"
    assert "31 orders: 1 ready, 30 to correct" in words(stage.screen("import_orders")), "kept beyond the tab"


def test_orders_are_counted_apart_from_their_faults_and_one_text_corrects_every_row_with_the_same(stage: Stage) -> None:
    sources, layout = many_orders(25)
    sources = [source.with_value(None, "email", "") for source in sources]
    begun(stage, [sources[0].with_value(0, "title", ""), *sources[1:]], layout)
    screen = stage.screen("import_orders")
    assert "25 orders: 0 ready, 25 to correct" in words(screen)
    assert "Needs fixing" in [header.value for header in screen.header], "without a number of its own"
    assert (len(faults(screen)), "Choices" in words(screen)) == (26, False)
    screen.toggle[0].set_value(True)
    correct(shown(screen.run()), row=4, text="counter@example.com")
    assert "25 orders: 24 ready, 1 to correct, 0 left out." in words(screen)


def export_with_duplicates(stage: Stage) -> None:
    """Three orders of a shop's export, two of them with one id; lines without a SKU and with 25 units."""
    head = (
        "Name,Id,Email,Billing Name,Billing Province,Billing Country,Lineitem quantity,Lineitem name,"
        "Lineitem price,Lineitem sku"
    )
    rows = [
        "#1,6599143,a@example.com,Ada One,NY,US,25,Lamp,9.50,L1",
        "#1,,,,,,1,Gift wrapping,2.00,",
        "#2,6599143,b@example.com,Ben Two,NY,US,1,Lamp,9.50,L1",
        "#3,6599150,c@example.com,Cy Three,NY,US,1,Lamp,,L1",
    ]
    sources, layout = orders_of("\n".join([head, *rows]).encode())
    begun(stage, sources, layout, Choices(id_column="Id"))


def result_of(screen: AppTest) -> dict[str, tuple[str, str]]:
    frame = screen.dataframe[-1].value
    return {row["order"]: (row["result"], row["remark"]) for row in frame.to_dict("records")}


def test_an_order_with_the_id_of_another_is_never_taken_for_sent_before(stage: Stage) -> None:
    export_with_duplicates(stage)
    same = "The order number is the same as that of #1: give each order an id of its own"
    screen = stage.screen("import_orders")
    assert same in faults(screen)
    shown(press(screen, "Send 1 order").run())
    assert result_of(screen)["#2"] == ("not sent: to correct", f"row 4, Id: {same}")
    stored, remark = result_of(screen)["#1"]
    assert stored == "stored"
    assert "row 2: the service stores 20 of 25 units; row 3 is left out: it has no SKU" in remark
    press(screen, "Correct what was not sent")
    assert same in faults(screen)
    assert "2 orders: 0 ready, 2 to correct, 0 left out." in words(screen)
    assert not [button for button in screen.button if button.label.startswith("Send")]
    correct(screen, row=5, text="9.50")
    shown(press(screen, "Send 1 order").run())
    assert result_of(screen)["#2"] == ("not sent: to correct", f"row 4, Id: {same}")
    shown(press(press(screen, "Correct what was not sent"), "Back to the result").run())
    assert result_of(screen)["#3"][0] == "stored"
    press(screen, "Yes, begin a new import")
    export_with_duplicates(stage)
    again = stage.screen("import_orders")
    assert "3 orders: 0 ready, 1 to correct, 2 left out." in words(again)
    assert len(stage.calls("submit_order")) == 2


def picked(screen: AppTest, row: int) -> AppTest:
    """The screen after a press on a row of its table."""
    table = screen.dataframe[0]
    assert table.key
    screen.session_state[table.key] = {"selection": {"rows": [], "columns": [], "cells": [[row, "order"]]}}
    return shown(screen.run())


def mixed_result(stage: Stage) -> AppTest:
    """Of six orders three stored, some without a plan; one refused, the first to come; one to correct, one left out."""
    sources, layout = many_orders(6)
    sources[3] = sources[3].with_value(None, "email", "")
    sources[4] = sources[4].with_value(None, "cancelled", "2026-11-20")
    for number in (2, 5):
        sources[number] = sources[number].with_value(0, "category", "Gift cards")
    begun(stage, sources, layout)
    screen = stage.screen("import_orders")
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=400, times=1)
    return shown(press(screen, "Send 4 orders").run())


def test_a_result_says_what_still_needs_a_person_filters_its_orders_and_gives_the_link_of_each(stage: Stage) -> None:
    screen = mixed_result(stage)
    assert "3 of 6 orders are stored. Still to do: Refused 1, Needs fixing 1." in words(screen)
    assert not stage.screen("import_orders").success, "never green while something is left to do"
    results = list(result_of(screen).values())
    assert results == sorted(results, key=lambda row: row == ("stored", "")), "what is news comes first"
    assert copied(screen)["Copy all links"].count("/carts/") == results.count(("stored", ""))
    (filters,) = screen.button_group
    assert [option.split(" ", 1)[1] for option in filters.options] == [
        "Stored 3", "Refused 1", "Needs fixing 1", "Left out 1",
    ]  # fmt: skip
    filters.set_value(REFUSED)
    assert {result for result, _ in result_of(shown(screen.run())).values()} == {"refused"}
    assert not copied(picked(screen, 0)).keys() & {"Copy link"}
    screen.button_group[0].set_value(STORED)
    remarks = [remark for _, remark in result_of(shown(screen.run())).values()]
    names = list(result_of(screen))
    place = remarks.index("")
    link = copied(picked(screen, place))[f"Copy link: {names[place]}"]
    assert link.startswith(f"{stage.sandbox.landing_url}/carts/")
    picked(screen, remarks.index("nothing to offer: none of its items can be protected"))
    assert [name for name in copied(screen) if name.startswith("Copy link")] == []


@pytest.mark.parametrize("first", ["another system had sent it", "its sending was not answered"])
def test_an_import_hands_out_no_link_of_an_order_that_may_be_anothers(stage: Stage, first: str) -> None:
    sources, layout = many_orders(1)
    (order,) = judged(sources, layout, Choices())
    assert order.order is not None
    if first == "another system had sent it":
        stage.runtime.service.client.submit_order(order.order)
    else:
        stage.sandbox.add_fault(operation="submit_order", kind="drop_after_write")
    batch_of(stage, 1)
    screen = shown(press(stage.screen("import_orders"), "Send 1 order").run())
    (row,) = screen.dataframe[0].value.to_dict("records")
    assert (row["order_id"], row["result"]) == (short_id(order.order_id), "stored")
    picked(screen, 0)
    assert list(copied(screen).values()) == [order.order_id], "its id, and no link"
    assert "we cannot tell whether it is this customer's" in row["remark"]

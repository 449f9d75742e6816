"""Import: every order as it will be with the questions of the whole file, and what the script draws in each state."""

from collections.abc import Iterable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.selling.import_orders.imports import REFUSED, STORED
from components.words.attempts import short_id
from sandbox import SandboxServer
from tests.components.stage import Stage, copied, edit, pick_lists, press, says, shown, words
from tests.warranty.files.conftest import begin, judged, many_orders, orders_of
from tests.warranty.files.test_kinds_of_files import TOBIAS, rows, workbook
from warranty.desk.journal import Batches, RowState
from warranty.desk.order_imports import prepare
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import Layout, SourceOrder

UNDECIDED = Choices()


@pytest.fixture(autouse=True)
def _no_order_is_there(sandbox: SandboxServer) -> None:
    sandbox.reset()


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
    head = "Name,Id,Email,Billing Name,Billing Province,Billing Country,Lineitem quantity,Lineitem name,Lineitem price"
    lines = (
        f"{head},Lineitem sku",
        "#1,6599143,a@example.com,Ada One,NY,US,25,Lamp,9.50,L1",
        "#1,,,,,,1,Gift wrapping,2.00,",
        "#2,6599143,b@example.com,Ben Two,NY,US,1,Lamp,9.50,L1",
        "#3,6599150,c@example.com,Cy Three,NY,US,1,Lamp,,L1",
    )
    sources, layout = orders_of("\n".join(lines).encode())
    begun(stage, sources, layout, Choices(id_column="Id"))


def result_of(screen: AppTest) -> dict[str, tuple[str, str]]:
    return {row["order"]: (row["result"], row["remark"]) for row in screen.dataframe[-1].value.to_dict("records")}


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
    assert "3 orders: 0 ready, 1 to correct, 2 left out." in words(stage.screen("import_orders"))
    assert len(stage.calls("submit_order")) == 2


def picked(screen: AppTest, row: int) -> AppTest:
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


def choose(screen: AppTest, value: str, place: int = 0) -> None:
    pick_lists(screen)[place].set_value(value)
    shown(screen.run())


def listed(screen: AppTest) -> list[dict[Any, Any]]:
    records: list[dict[Any, Any]] = screen.dataframe[-1].value.to_dict("records")
    return records


def test_each_order_stands_there_as_it_will_be_sent_beside_the_files_own_texts(stage: Stage) -> None:
    other = {
        "sku": "NEW-1", "price": "$1,299.00", "state": "Massachusetts", "zip": "02108", "phone": "212-555-0188",
        "first_name": "Tobias",
    }  # fmt: skip
    begun(stage, *orders_of(rows({}, other)))
    first, second = listed(stage.screen("import_orders"))
    assert [first[name] for name in ("Items", "First name", "Last name", "E-mail", "Country")] == [
        "1 × Arc floor lamp (LAMP-ARC), 89.50", "Mara", "Lindqvist", "mara@example.com", "United States",
    ]  # fmt: skip
    assert (second["Items"], second["First name"]) == ("1 × Arc floor lamp (NEW-1), 1,299.00", "Tobias")
    assert (second["State"], second["Phone"], second["Postal code"]) == ("MA", "+12125550188", "02108")
    assert first["Changed on the way"] == "US → United States"
    for change in ("$1,299.00 → 1299.00", "Massachusetts → MA", "212-555-0188 → +12125550188"):
        assert change in second["Changed on the way"]
    assert "$1,299.00" in second["In the file"]
    assert second["Order number"] == TOBIAS


def test_what_needs_fixing_shows_what_could_be_read_and_a_correction_leaves_the_files_own_text(stage: Stage) -> None:
    begun(stage, *orders_of(rows({"email": "mara@", "quantity": "3"}, {})))
    screen = stage.screen("import_orders")
    first, _second = listed(screen)
    assert [first[name] for name in ("Items", "First name", "State")] == [
        "3 × Arc floor lamp (LAMP-ARC), 89.50", "Mara", "NY",
    ]  # fmt: skip
    correct(screen, row=2, text="mara@example.com")
    first, second = listed(screen)
    assert first["E-mail"] == "mara@example.com"
    assert ("mara@ |" in first["In the file"], "mara@example.com" in first["In the file"]) == (True, False)
    assert first["Changed on the way"] == "mara@ → mara@example.com; US → United States"
    assert second["Changed on the way"] == "US → United States"


def test_a_question_is_asked_once_for_the_file_with_samples_and_both_readings(stage: Stage) -> None:
    days = [{"delivery_date": f"0{month}/04/2026"} for month in (1, 2, 3)]
    begun(stage, *orders_of(rows(*days)))
    screen = stage.screen("import_orders")
    text = words(screen)
    assert "Dates: what comes first? (3)" in [group.label for group in screen.button_group]
    says(text, "“01/04/2026” (day first: 2026-04-01, month first: 2026-01-04)", "3 orders: 0 ready, 3 to correct")
    assert "Needs fixing" not in [header.value for header in screen.header], "none of the three is asked as well"
    next(group for group in screen.button_group if group.label.startswith("Dates")).set_value("day first")
    assert "3 orders: 3 ready" in words(shown(screen.run()))
    shown(press(screen, "Send 3 orders").run())
    assert "row 2: 01/04/2026 is read as 2026-04-01" in listed(screen)[0]["remark"]


def test_a_damaged_row_is_told_and_many_orders_are_shown_a_page_at_a_time_and_all_sent(stage: Stage) -> None:
    begun(stage, *orders_of(rows({}).rstrip() + b",899,99\r\n"))
    screen = stage.screen("import_orders")
    assert "the row has more cells than there are columns" in words(screen)
    assert not screen.data_editor
    begun(stage, *many_orders(60))
    screen = stage.screen("import_orders")
    assert len(listed(screen)) == 25
    screen.pagination[0].set_value(3)
    shown(screen.run())
    assert len(listed(screen)) == 10
    shown(press(screen, "Send 60 orders").run())
    assert len(stage.calls("submit_order")) == 60


@pytest.mark.parametrize(("sheet", "orders"), [("Orders", 2), ("November", 1)])
def test_of_a_workbook_with_several_sheets_the_person_chooses_one(stage: Stage, sheet: str, orders: int) -> None:
    screen = stage.screen("import_orders")
    screen.file_uploader[0].upload("a.xlsx", workbook({}, {}, second={"order_id": "another"}), "text/csv")
    (sheets,) = shown(screen.run()).selectbox
    assert (sheets.options, sheets.value) == (["Orders", "November"], None)
    sheets.set_value(sheet)
    assert f"{orders} order" in words(shown(screen.run()))
    other = "November" if sheet == "Orders" else "Orders"
    assert f"Sheet “{sheet}” is read. Other sheets are not read: {other}" in words(screen)


def test_a_file_whose_letters_can_be_read_in_several_ways_waits_until_the_person_chooses(stage: Stage) -> None:
    screen = stage.screen("import_orders")
    content = rows({"first_name": "Begoña", "city": "Málaga"}).decode().encode("cp850")
    screen.file_uploader[0].upload("a.csv", content, "text/csv")
    (letters,) = shown(screen.run()).selectbox
    assert letters.value is None
    assert {"CP850: Begoña, Málaga", "Windows-1252: Bego¤a, M\xa0laga"} <= set(letters.options)
    letters.set_value("cp850")
    shown(screen.run())
    assert listed(screen)[0]["First name"] == "Begoña"


def test_each_column_of_another_layout_is_one_field_which_is_remembered_and_can_be_changed(stage: Stage) -> None:
    screen = stage.screen("import_orders")
    names = "Beleg;SKU;Title;Price;Colli;Customer;E-Mail;Country;State"
    content = f"{names}\nA-9f3c77d1-1;L1;Lampe;89,50;2;Zoe X;z@example.com;DE;BE\n".encode()
    screen.file_uploader[0].upload("ours.csv", content, "text/csv")
    columns = shown(screen.run()).data_editor[0].value
    assert columns.iloc[:2].fillna("").values.tolist() == [["Beleg", "", "A-9f3c77d1-1"], ["SKU", "SKU", "L1"]]
    assert "Choose a column for: Order number" in words(press(screen, "Use these columns"))
    edit(screen, 0, "field", "SKU")
    assert "Choose one column alone for: SKU" in words(press(screen, "Use these columns"))
    edit(screen, 0, "field", "Order number")
    assert "Columns that are not read: Colli" in words(press(screen, "Use these columns"))
    assert "each row is sent as one unit" in words(screen)
    columns = press(screen, "Yes, change the columns").data_editor[0].value
    assert list(columns["field"].fillna(""))[:5] == ["Order number", "SKU", "Title", "Price", ""]
    edit(screen, 4, "field", "Quantity")
    assert "not read" not in words(press(screen, "Use these columns"))
    assert listed(screen)[0]["Items"].startswith("2 × Lampe")
    assert "ours.csv" in words(screen)
    press(screen, "Yes, choose another file")
    screen.file_uploader[0].upload("ours.csv", content, "text/csv")
    assert listed(shown(screen.run()))[0]["Items"].startswith("2 × Lampe"), "as it was changed"


def test_one_state_for_all_orders_to_a_country_mends_them_and_each_can_have_its_own(stage: Stage) -> None:
    french = {"state": "", "country": "FR", "zip": "75001"}
    begun(stage, *orders_of(rows(french, french, {"price": "abc"})))
    screen = stage.screen("import_orders")
    (states,) = pick_lists(screen)
    assert states.label == "State for orders to France without one (2)"
    assert "Île-de-France (IDF)" in states.options
    assert screen.data_editor[0].value[["row", "column"]].values.tolist() == [[4, "price"]]
    mended = next(toggle for toggle in screen.toggle if toggle.label == "Also show rows that a choice above fixes (2)")
    mended.set_value(True)
    correct(shown(screen.run()), row=3, text="Bretagne")
    choose(screen, "Nowhere")
    assert "3 orders: 1 ready, 2 to correct" in words(screen), "what is no state is none"
    choose(screen, "IDF")
    assert [(row["State"], row["Country"]) for row in listed(screen)][:2] == [("IDF", "France"), ("BRE", "France")]
    assert "3 orders: 2 ready, 1 to correct" in words(screen)


def test_one_country_for_a_file_that_names_none_and_then_one_state_typed_where_it_has_no_list(stage: Stage) -> None:
    begun(
        stage,
        *orders_of(
            rows({"country": ""}, {"country": "", "state": "", "zip": ""}, {"country": "Atlantis", "state": ""})
        ),
    )
    screen = stage.screen("import_orders")
    assert [field.label for field in pick_lists(screen)] == ["Country for orders without one (2)"]
    assert {row for (row,) in screen.data_editor[0].value[["row"]].values.tolist()} == {4}, "what no choice mends"
    choose(screen, "US")
    assert "3 orders: 1 ready, 2 to correct" in words(screen)
    country, state = pick_lists(screen)
    assert (country.value, state.label) == ("US", "State for orders to United States without one (1)")
    choose(screen, "MA", 1)
    assert "3 orders: 2 ready, 1 to correct" in words(screen)
    choose(screen, "Massachusets", 1)
    assert "3 orders: 1 ready" in words(screen), "what no list has takes back what was chosen"
    choose(screen, "MA", 1)
    assert [(row["Country"], row["State"]) for row in listed(screen)][:2] == [
        ("United States", "NY"), ("United States", "MA"),
    ]  # fmt: skip
    begun(stage, *orders_of(rows(*[{"state": "", "country": "SG"}] * 2)))
    screen = stage.screen("import_orders")
    screen.text_input[0].set_value("Singapore")
    assert "2 orders: 2 ready" in words(shown(screen.run()))
    assert [row["State"] for row in listed(screen)] == ["Singapore", "Singapore"]

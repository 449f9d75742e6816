"""What stands on Import before anything is sent: every order as it will be, and the questions of the whole file."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.components.selling.import_orders.test_import_orders import begun, correct
from tests.components.stage import Stage, edit, pick_lists, press, shown, words
from tests.warranty.files.conftest import many_orders, orders_of
from tests.warranty.files.test_kinds_of_files import TOBIAS, rows, workbook


def pick(screen: AppTest, value: str) -> None:
    """Choose in the one list of names, or leave there a text that it does not have."""
    pick_lists(screen)[0].set_value(value)
    shown(screen.run())


def listed(screen: AppTest) -> list[dict[Any, Any]]:
    records: list[dict[Any, Any]] = screen.dataframe[-1].value.to_dict("records")
    return records


def test_each_order_stands_there_as_it_will_be_sent_beside_the_files_own_texts(stage: Stage) -> None:
    other = {
        "sku": "NEW-1", "price": "$1,299.00", "state": "Massachusetts", "phone": "212-555-0188", "first_name": "Tobias",
    }  # fmt: skip
    begun(stage, *orders_of(rows({}, other)))
    first, second = listed(stage.screen("import_orders"))
    assert [first[name] for name in ("Items", "First name", "Last name", "E-mail", "Country")] == [
        "1 × Arc floor lamp (LAMP-ARC), 89.50", "Mara", "Lindqvist", "mara@example.com", "United States",
    ]  # fmt: skip
    assert (second["Items"], second["First name"]) == ("1 × Arc floor lamp (NEW-1), 1,299.00", "Tobias")
    assert (second["State"], second["Phone"], second["Postal code"]) == ("MA", "+12125550188", "12207")
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
    assert "“01/04/2026” (day first: 2026-04-01, month first: 2026-01-04)" in text
    assert "3 orders: 0 ready, 3 to correct" in text
    assert "Needs fixing" not in [header.value for header in screen.header], "none of the three is asked as well"
    next(group for group in screen.button_group if group.label.startswith("Dates")).set_value("day first")
    assert "3 orders: 3 ready" in words(shown(screen.run()))
    shown(press(screen, "Send 3 orders").run())
    remarks = [row["remark"] for row in listed(screen)]
    assert "row 2: 01/04/2026 is read as 2026-04-01" in remarks[0]


def test_many_orders_are_shown_a_page_at_a_time_and_all_are_sent(stage: Stage) -> None:
    begun(stage, *many_orders(60))
    screen = stage.screen("import_orders")
    assert len(listed(screen)) == 25
    screen.pagination[0].set_value(3)
    shown(screen.run())
    assert len(listed(screen)) == 10
    shown(press(screen, "Send 60 orders").run())
    assert len(stage.calls("submit_order")) == 60


def test_a_damaged_row_is_told_and_offers_no_field(stage: Stage) -> None:
    begun(stage, *orders_of(rows({}).rstrip() + b",899,99\r\n"))
    screen = stage.screen("import_orders")
    assert "the row has more cells than there are columns" in words(screen)
    assert not screen.data_editor


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
    pick(screen, "Nowhere")
    assert "3 orders: 1 ready, 2 to correct" in words(screen), "what is no state is none"
    pick(screen, "IDF")
    assert [(row["State"], row["Country"]) for row in listed(screen)][:2] == [("IDF", "France"), ("BRE", "France")]
    assert "3 orders: 2 ready, 1 to correct" in words(screen)


def test_one_country_for_a_file_that_names_none_and_then_one_state(stage: Stage) -> None:
    begun(stage, *orders_of(rows({"country": ""}, {"country": "", "state": ""}, {"country": "Atlantis", "state": ""})))
    screen = stage.screen("import_orders")
    assert [field.label for field in pick_lists(screen)] == ["Country for orders without one (2)"]
    assert {row for (row,) in screen.data_editor[0].value[["row"]].values.tolist()} == {4}, "what no choice mends"
    pick(screen, "US")
    assert "3 orders: 1 ready, 2 to correct" in words(screen)
    country, state = pick_lists(screen)
    assert (country.value, state.label) == ("US", "State for orders to United States without one (1)")
    state.set_value("MA")
    assert "3 orders: 2 ready, 1 to correct" in words(shown(screen.run()))
    pick_lists(screen)[1].set_value("Massachusets")
    assert "3 orders: 1 ready" in words(shown(screen.run())), "what no list has takes back what was chosen"
    pick_lists(screen)[1].set_value("MA")
    shown(screen.run())
    assert [(row["Country"], row["State"]) for row in listed(screen)][:2] == [
        ("United States", "NY"), ("United States", "MA"),
    ]  # fmt: skip


def test_the_state_of_a_country_that_has_no_list_is_typed_once_for_all(stage: Stage) -> None:
    begun(stage, *orders_of(rows(*[{"state": "", "country": "SG"}] * 2)))
    screen = stage.screen("import_orders")
    screen.text_input[0].set_value("Singapore")
    assert "2 orders: 2 ready" in words(shown(screen.run()))
    assert [row["State"] for row in listed(screen)] == ["Singapore", "Singapore"]

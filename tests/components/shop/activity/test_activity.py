"""Activity: what needs a person on top, filters, the story of an order, and who may see and take away what."""

import csv
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from components.shop.activity.attempts_table import AskedActivity, activity_csv
from tests.builders import GIFT_CARD, LAMP, MANAGER, STAFF, TV, order_of, sale_of
from tests.components.stage import Stage, copied, date_field, press, says, shown, words
from tests.waiting import until
from tests.warranty.desk.journal.test_shift_report import entry, plan
from warranty.access import Operator, Role
from warranty.claims.analysis import Period
from warranty.desk.journal import AttemptFilter, AttemptState, Intent, ItemLine
from warranty.errors import JournalUnavailable


def write(test: AppTest, label: str, text: str) -> None:
    next(field for field in test.text_input if field.label.startswith(label)).set_value(text)


def listed(test: AppTest) -> list[tuple[str, str]]:
    """Kind and outcome of the entries in the list, in its order; a mark stands before each, what is done has none."""
    frame = test.dataframe[0].value
    return list(zip(frame["Kind"], ["".join(chips).partition(" ")[2] for chips in frame["Outcome"]], strict=True))


def pick(test: AppTest, row: int, column: str) -> AppTest:
    key = test.dataframe[0].proto.id.split("-", 2)[2]
    test.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [[row, column]]}}
    return shown(test.run())


def test_unknown_ones_stand_on_top_with_their_steps(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.has_no_landing_page(monkeypatch)
    sold, _ = (stage.sell(fault="drop_after_write") for _ in range(2))
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=403)
    stage.send(order_of(LAMP))
    stage.sandbox.clear_faults()
    screen = stage.screen("activity", query={"days": "yesterday"})
    assert not screen.dataframe
    said = words(screen)
    assert "3 to check" in said
    assert said.count("Sending the same order again is harmless") == 1
    assert said.count("79.99 USD") == 2
    assert said.count(f"order {sold.order_id[:8]}…") == 1
    screen = stage.screen("activity")
    assert listed(screen) == [
        ("New order", "Unknown"), ("Sale", "Unknown"), ("Sale", "Unknown"), ("New order", ""),
        ("New order", ""),
    ]  # fmt: skip
    for step in ("Try again", "Ask the service", "Ask the service"):
        press(screen, step)
    assert "to check" not in words(screen)
    assert "55in OLED television: It was recorded, warranty order " in words(screen)
    assert {outcome for _, outcome in listed(screen)} == {""}
    assert "Next" not in screen.dataframe[0].value, "nothing is left to do"


def test_a_refused_entry_that_is_not_needed_any_more_is_dropped_after_one_question(stage: Stage) -> None:
    screen = stage.screen("activity", query={"find": stage.sell(months=18).order_id})
    assert screen.dataframe[0].value["Next"][0] == "Correct and send"
    press(screen, "No longer needed")
    assert "nothing is left to do" in words(screen)
    write(screen, "Why?", "Bought elsewhere")
    press(screen, "Yes, no longer needed")
    assert screen.dataframe[0].value["Next"][0] == f"Dropped by {STAFF.name}"
    assert listed(screen)[0] == ("Sale", "Refused")
    says(screen, f"Dropped by {STAFF.name}, ", "(Bought elsewhere)")
    assert not [button for button in screen.button if "not needed" in button.label]


def test_a_sale_that_was_found_not_recorded_is_owed_until_it_is_sent_again_or_dropped(stage: Stage) -> None:
    orders = [stage.sell(fault="drop_before_write") for _ in range(2)]
    for order in orders:
        of_it = AttemptFilter(order_id=order.order_id, operation="record_sale")
        (sale,) = stage.runtime.desk.activity.attempts(STAFF, of_it)
        stage.runtime.desk.settle(STAFF, sale.attempt_id, recorded=False, note="Looked")
    screen = stage.screen("activity", query={"find": orders[0].order_id})
    assert screen.dataframe[0].value["Next"][0] == "Send if still wanted"
    press(press(screen, "No longer needed"), "Yes, no longer needed")
    assert listed(screen)[0] == ("Sale", "Not recorded")
    assert screen.dataframe[0].value["Next"][0] == f"Dropped by {STAFF.name}"
    assert [button.label for button in screen.button if "recorded" in button.label] == ["Correct this: it was recorded"]
    again = sale_of(orders[1].order_id, ("TV-55", 24, "79.99"))
    stage.runtime.desk.send(STAFF, again, draft_id=sale.draft_id, screen="record_sale", corrects=sale.attempt_id)
    screen = stage.screen("activity", query={"find": orders[1].order_id})
    assert listed(screen) == [("Sale", ""), ("Sale", "Not recorded"), ("New order", "")]
    assert "Next" not in screen.dataframe[0].value
    assert "Corrected and sent again" in words(screen)
    assert not [button for button in screen.button if "not needed" in button.label]


def test_what_needs_a_person_tells_what_else_was_sent_on_its_order(stage: Stage) -> None:
    stage.sell(stage.sell(stage.order({**TV, "quantity": 2}), months=36), fault="drop_after_write")
    said = words(stage.screen("activity"))
    assert "1 to check" in said
    (other,) = [line for line in said.splitlines() if "Sale: 36 months on 55in OLED television" in line]
    assert f"Recorded. {STAFF.name}, " in other
    assert not [line for line in said.splitlines() if "Sale: 24 months" in line], "not of itself"


def test_a_click_on_any_cell_of_a_row_opens_the_story_of_its_order(stage: Stage) -> None:
    first, second = stage.order(TV), stage.order(LAMP)
    screen = stage.screen("activity")
    assert list(screen.dataframe[0].value["Order"]) == [f"{one.order_id[:8]}…" for one in (second, first)]
    assert "Timeline of the order" not in words(screen)
    assert "Timeline of the order" in words(pick(screen, 1, "Items"))
    offered = copied(screen)
    assert offered[f"Copy order number {first.order_id[:8]}…"] == first.order_id
    assert offered["Copy link"].endswith(first.order_id)


def test_an_unknown_sale_is_settled_with_what_was_seen(stage: Stage) -> None:
    order = stage.sell(fault="drop_after_write")
    screen = stage.screen("activity", MANAGER, query={"find": order.order_id})
    press(screen, "It was recorded")
    assert "It counts as sold" in words(screen)
    write(screen, "What did you see", "Landing page shows 24 months")
    write(screen, "Warranty order number", "64fa")
    press(screen, "Yes, it was recorded")
    says(screen, "It was recorded, warranty order 64fa, found out by Maya Office", "(Landing page shows 24 months)")
    (attempt,) = stage.runtime.desk.activity.attempts(MANAGER, AttemptFilter(operation="record_sale"))
    assert (attempt.state, attempt.result.returned_id) == (AttemptState.DONE, "64fa")
    press(screen, "Correct this: it was not recorded")
    press(screen, "Yes, it was not recorded")
    said = words(screen)
    assert said.index("It was not recorded, found out by Maya Office") < said.index(
        "Said before: It was recorded, warranty order 64fa, found out by Maya Office"
    )
    assert listed(screen)[0] == ("Sale", "Not recorded")
    colleague = Operator("third", "Tom Third", Role.STAFF)
    seen = stage.screen("activity", colleague, query={"find": order.order_id})
    assert "It was not recorded" in words(seen)
    assert not [button for button in seen.button if button.label.startswith("Correct")]


def test_the_filters_narrow_by_kind_outcome_person_and_text_and_no_customer_is_in_the_address(stage: Stage) -> None:
    order = stage.order(TV)
    stage.order(LAMP, by=MANAGER)
    stage.sell(stage.sell(order, months=18))
    screen = stage.screen("activity", MANAGER)
    assert len(listed(screen)) == 4
    next(box for box in screen.selectbox if box.label == "Kind").set_value("record_sale")
    assert listed(shown(screen.run())) == [("Sale", ""), ("Sale", "Refused")]
    next(box for box in screen.selectbox if box.label == "Outcome").set_value("refused")
    assert listed(shown(screen.run())) == [("Sale", "Refused")]
    by_person = stage.screen("activity", MANAGER, query={"person": "manager"})
    assert listed(by_person) == [("New order", "")]
    assert listed(stage.screen("activity", MANAGER, query={"find": "arc floor"})) == [("New order", "")]
    assert "Nothing was sent that matches" in words(stage.screen("activity", MANAGER, query={"find": "nothing"}))
    screen = stage.screen("activity", MANAGER)
    for typed, addressed in (("arc floor", "arc floor"), ("zoe@example.com", None), ("lamp of +1 212 555 0199", None)):
        write(screen, "Order, SKU, title or reference", typed)
        shown(screen.run())
        assert screen.query_params.get("find") == addressed


def test_the_list_is_of_a_day_or_of_a_range_of_days(stage: Stage) -> None:
    stage.send(order_of(TV))
    screen = stage.screen("activity", query={"days": "yesterday"})
    assert "Nothing was sent that matches" in words(screen)
    press(screen, "Show all days")
    assert len(listed(screen)) == 1
    assert len(listed(stage.screen("activity", query={"days": "today"}))) == 1
    screen = stage.screen("activity", query={"days": "range"})
    today = stage.runtime.desk.journal.database.clock().date()
    date_field(screen, "From").set_value((today - timedelta(days=3), today - timedelta(days=1)))
    assert "Nothing was sent that matches" in words(shown(screen.run()))
    date_field(screen, "From").set_value((today - timedelta(days=3), today))
    assert len(listed(shown(screen.run()))) == 1


def test_staff_see_their_own_and_take_nothing_away_managers_see_all_and_may(stage: Stage) -> None:
    stage.order(TV, by=MANAGER)
    stage.order(LAMP)
    mine, all_of_it = stage.screen("activity", STAFF), stage.screen("activity", MANAGER)
    assert len(listed(mine)) == 1
    assert len(listed(all_of_it)) == 2
    assert not mine.get("download_button")
    assert len(all_of_it.get("download_button")) == 1
    assert len(listed(stage.screen("activity", STAFF, query={"person": "manager"}))) == 1


def test_the_story_of_an_order_has_everything_done_on_it_and_its_claims(stage: Stage) -> None:
    order = stage.sell(stage.order(TV, by=MANAGER))
    now = stage.runtime.desk.journal.database.clock()
    filed = now.strftime("%Y-%m-%dT%H:%M:%S.%f")
    for order_id, warranty_id in ((order.order_id, "w-1"), ("another", "w-2")):
        stage.sandbox.add_claims([{"claim_date": filed, "order_id": order_id, "warranty_id": warranty_id}])
    screen = stage.screen("activity", STAFF, query={"find": order.order_id})
    said = words(screen)
    assert said.index("New order") < said.index("24 months on 55in OLED television: 79.99 USD")
    says(said, "Maya Office", "Warranty order ")
    assert not stage.calls("claims"), "claims are read when asked for"
    press(screen, "Look for claims on this order")
    until(lambda: "w-1" in words(shown(screen.run())))
    says(screen, f"{now.day} {now:%b %Y, %H:%M} (service time)", "1 on this order among 2 of 2 claims filed since")
    assert "w-2" not in words(screen)


def test_the_story_tells_once_for_each_person_to_whom_the_link_was_shown(stage: Stage) -> None:
    nothing_to_offer = stage.order(GIFT_CARD)
    stage.screen("submit_order", STAFF, query={"order": nothing_to_offer.order_id})
    said = words(stage.screen("activity", STAFF, query={"find": nothing_to_offer.order_id}))
    assert "Nothing to offer" in said
    assert "Link shown" not in said
    order = stage.order(TV)
    before = words(stage.screen("activity", STAFF, query={"find": order.order_id}))
    assert "Stored, with a link" in before
    assert "Link shown" not in before, "an order that was sent has not been shown to anybody yet"
    for operator in (STAFF, STAFF, MANAGER):  # each a tab of its own, and drawn more than once
        shown(stage.screen("submit_order", operator, query={"order": order.order_id}).run())
    stage.sell(order)
    said = words(stage.screen("activity", STAFF, query={"find": order.order_id}))
    assert said.count("Link shown") == 2
    places = [said.index(part) for part in ("New order", "Link shown", "Maya Office", "Warranty order ")]
    assert places == sorted(places)


def test_a_link_is_noted_at_its_first_drawing_alone(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    order = stage.order(TV)
    asked: list[str] = []
    note = stage.runtime.desk.journal.links.note

    def counted(attempt_id: str, **who: str) -> bool:
        asked.append(attempt_id)
        if len(asked) == 1:
            raise JournalUnavailable("The journal cannot be written.")
        return note(attempt_id, **who)

    monkeypatch.setattr(stage.runtime.desk.journal.links, "note", counted)
    screen = stage.screen("submit_order", STAFF, query={"order": order.order_id})
    assert "Hand the link to the customer" in words(screen), "the customer gets the link all the same"
    for _ in range(3):
        shown(screen.run())
    assert len(asked) == 2, "once more after the journal did not answer, then never again"


def test_a_long_list_comes_in_pages_the_newest_first(stage: Stage) -> None:
    journal, now = stage.runtime.desk.journal, stage.runtime.desk.journal.database.clock()
    for place in range(101):
        sent = Intent(
            attempt_id=f"a-{place}", draft_id=f"d-{place}", operation="submit_order", username=STAFF.username,
            operator_name=STAFF.name, screen="submit_order", environment="sandbox", order_id=f"o-{place}",
            started_at=now - timedelta(minutes=101 - place), deadline=now + timedelta(hours=1),
            items=(ItemLine(f"Lamp {place}", "LAMP", 1),),
        )  # fmt: skip
        assert journal.begin(sent).may_send
    screen = stage.screen("activity", MANAGER)
    assert "101 entries" in words(screen)
    assert list(screen.dataframe[0].value["Items"]) == [f"Lamp {place}" for place in range(100, 0, -1)]
    screen.session_state["page"] = 2
    assert list(shown(screen.run()).dataframe[0].value["Items"]) == ["Lamp 0"]


def test_the_file_is_in_the_lists_words_with_the_amount_of_an_order_and_its_days_in_the_name() -> None:
    lamps = replace(plan(None, None, 2), price=Decimal("899.99"))
    order = replace(entry("submit_order", "0001", lamps), operator_name="Maya")
    file = activity_csv(lambda: [order], zone=ZoneInfo("Pacific/Auckland"))
    (row,) = csv.DictReader(file.decode("utf-8-sig").splitlines())
    assert (row["Time (Pacific/Auckland)"], row["Kind"], row["Person"]) == ("2026-11-22 01:00", "New order", "Maya")
    assert (row["Order number"], row["Reference"]) == (order.order_id, order.attempt_id)
    assert (row["Amount"], row["Outcome"]) == ("1799.98", "Done")
    days = Period(date(2026, 11, 20), date(2026, 11, 26)).bounds(ZoneInfo("America/New_York"))
    asked = AskedActivity(AttemptFilter(start=days[0], end=days[1]), "")
    assert asked.file_name == "activity_2026-11-20_2026-11-26.csv"

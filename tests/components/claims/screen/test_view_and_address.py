"""The view, its address and the browser's Back: one customer's claims, a picked bar, days of any year, saved views."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.claims.screen import screen_head
from components.claims.screen.claims_filter import ClaimsFilter
from components.platform import session
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import MANAGER
from tests.components.claims.screen.screen import chips, claim_dates, field, folded_out, orders, pick_days, read
from tests.components.stage import Stage, date_field, press, shown, table, words
from warranty.claims.analysis import ChartPick
from warranty.database.preferences import Preference

ADA = "ada@example.com"
MISSING = "This view was for one customer's e-mail"
ADDED = (
    {"order_id": "of ada", "customer_email": ADA},
    {"order_id": "old", "claim_date": "2012-05-05T10:00:00.000000"},
    {"order_id": "nameless", "product_name": ""},
)
ALL = "complete: 483 of 483"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="demo") as running:
        running.add_claims(ADDED)
        yield running


def at(stage: Stage, query: Mapping[str, str] | None = None, screen: str = "claims") -> AppTest:
    return read(stage, stage.screen(screen, MANAGER, query=query))


def go_back_to(stage: Stage, test: AppTest, address: Mapping[str, Any], *, is_back: bool = True) -> AppTest:
    test.query_params.clear()
    for name, value in address.items():
        test.query_params[name] = value
    with pytest.MonkeyPatch.context() as browser:
        browser.setattr(session, "is_back", lambda: is_back)
        return read(stage, test)


def test_what_is_asked_before_the_browser_has_heard_of_the_last_choice_does_not_undo_it(stage: Stage) -> None:
    test = at(stage, {"period": "30-days"})
    ask_for(stage, test, period="90-days")
    go_back_to(stage, test, {"period": "30-days"}, is_back=False)
    assert test.session_state["desk.claims.filter"].period == "90-days"
    go_back_to(stage, test, {"period": "30-days"})
    assert test.session_state["desk.claims.filter"].period == "30-days"


@pytest.mark.parametrize(("before", "after"), [({"words": "battery"}, {"words": "water"}), ({}, {"sort": "product"})])
def test_back_is_kept_where_a_run_is_cut_off_and_the_fields_still_send_what_they_held(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], after: dict[str, str]
) -> None:
    test = at(stage, {"period": "all", **after})
    sent = test._tree.get_widget_states()
    test.query_params.clear()
    for name, value in {"period": "all", **before}.items():
        test.query_params[name] = value
    with monkeypatch.context() as cut:
        cut.setattr(screen_head, "claims_reading", lambda *_: st.stop())
        cut.setattr(session, "is_back", lambda: True)
        test._run(sent)
    test._run(sent)
    shown(test)
    assert dict(test.query_params) == {"period": "all", **before}
    assert field(test, "Search").value == before.get("words", "")
    assert test.session_state["desk.claims.filter"].order == "newest"


def ask_for(stage: Stage, test: AppTest, *, email: str | None = None, period: str = "") -> AppTest:
    if email is not None:
        field(test, "Customer's e-mail").set_value(email)
    if period:
        claim_dates(test).set_value(period)
    return read(stage, test)


def test_a_reload_of_one_customers_view_asks_for_the_email_or_shows_every_customer(stage: Stage) -> None:
    test = at(stage, {"period": "all"})
    ask_for(stage, test, email=ADA)
    assert "complete: 1 of 1" in words(test)
    asked = len(stage.calls("claims"))
    again = stage.screen("claims", MANAGER, query=dict(test.query_params))
    shown(again.run())
    assert MISSING in words(again)
    assert "complete" not in words(again)
    assert table(again).empty
    assert not again.metric
    assert len(stage.calls("claims")) == asked
    ask_for(stage, again, period="90-days")
    assert MISSING in words(again)
    ask_for(stage, again, period="all")
    ask_for(stage, again, email=ADA)
    assert "complete: 1 of 1" in words(again)
    assert MISSING not in words(again)
    assert "ada" not in str(dict(again.query_params))
    test = stage.screen("claims", MANAGER, query=ClaimsFilter(period="all", email=ADA).address())
    assert MISSING in words(test)
    read(stage, press(test, "Show the claims of every customer"))
    assert ALL in words(test)
    assert MISSING not in words(test)
    assert dict(test.query_params) == {"period": "all"}


def test_a_picked_bar_stays_while_the_email_is_entered_again_and_goes_with_the_customer(stage: Stage) -> None:
    view = ClaimsFilter(period="all", email=ADA, pick=ChartPick(product="Toaster"))
    test = stage.screen("claims", MANAGER, query=view.address())
    ask_for(stage, test, email=ADA)
    assert chips(test) == ["product Toaster"]
    ask_for(stage, test, email="")
    assert chips(test) == []
    assert ALL in words(test)


def test_a_picked_bar_is_let_go_with_its_dates_and_stays_while_what_was_read_is_narrowed(stage: Stage) -> None:
    day = service_today()
    pick = f"days:{day}..{day};status:OPEN"
    test = at(stage, {"period": "90-days", "pick": pick})
    assert chips(test)[0].startswith("dated ")
    ask_for(stage, test, period="last-month")
    assert chips(test) == []
    assert "pick" not in test.query_params
    test = at(stage, {"period": "90-days", "pick": pick})
    pick_days(test, date(2026, 1, 5), date(2026, 1, 6))
    read(stage, test)
    assert "pick" not in test.query_params
    test = at(stage, {"period": "all", "pick": "status:OPEN"})
    folded_out(test, "claims-more")
    date_field(test, "Warranty start").set_value((date(2025, 1, 1), date(2025, 6, 30)))
    read(stage, test)
    assert "pick" not in test.query_params
    test = at(stage, {"period": "all", "pick": "status:OPEN"})
    asked = len(stage.calls("claims"))
    field(test, "Search").set_value("a")
    shown(test.run())
    assert len(stage.calls("claims")) == asked
    assert chips(test) == ["with “a”", "status Open"]
    count = len(table(test))
    assert f"{count} of 483 claims · {count} open" in words(test), "the figures are the table's too"


def test_back_to_everybodys_claims_leaves_the_customer_and_forth_keeps_it(stage: Stage) -> None:
    test = at(stage, {"period": "all"})
    everybody = dict(test.query_params)
    ask_for(stage, test, email=ADA)
    ask_for(stage, test, period="this-year")
    ada = dict(test.query_params)
    ask_for(stage, test, period="90-days")
    go_back_to(stage, test, ada)
    assert field(test, "Customer's e-mail").value == ADA
    assert test.session_state["desk.claims.filter"].period == "this-year"
    go_back_to(stage, test, everybody)
    assert field(test, "Customer's e-mail").value == ""
    assert ALL in words(test)


def test_another_screen_without_an_address_keeps_the_filter_also_days_of_many_years_ago(stage: Stage) -> None:
    test = at(stage, {"period": "90-days"})
    go_back_to(stage, test, {})
    assert test.session_state["desk.claims.filter"].period == "90-days"
    assert test.query_params["period"] == "90-days"
    test = at(stage, {"period": "all"})
    test.session_state["claims-more"] = True
    pick_days(test, date(2012, 1, 1), date(2012, 5, 5))
    read(stage, test)
    assert len(test.date_input) == 2
    assert dict(test.query_params) == {"claimed-from": "2012-01-01", "claimed-to": "2012-05-05"}
    assert orders(test) == ["old"], "of the last day, until it ends"
    folded_out(test, "claims:chart")
    assert "Claims dated 1 Jan 2012 to 5 May 2012: 1" in words(test)


@pytest.mark.parametrize(
    "view", [ClaimsFilter(period="all", products=("",)), ClaimsFilter(period="all", pick=ChartPick(product=""))]
)
def test_a_link_opens_the_claims_of_a_product_without_a_name(stage: Stage, view: ClaimsFilter) -> None:
    test = at(stage, view.address())
    assert orders(test) == ["nameless"]
    assert chips(test) == ["product (empty)"]
    folded_out(test, "claims-more")
    assert "(empty) (1)" in next(each for each in test.multiselect if each.label == "Product").options


def opened(stage: Stage, **view: str) -> AppTest:
    return folded_out(at(stage, {"period": "all", **view}), "saved-views")


def save(test: AppTest, name: str) -> AppTest:
    field(test, "Save this view as").set_value(name)
    return press(test, "Save view")


def names(test: AppTest) -> list[str]:
    return [view for each in test.selectbox if each.label == "Open a view" for view in each.options]


def stored(stage: Stage) -> dict[str, dict[str, str]]:
    found = Preference(stage.runtime.desk.journal.database, MANAGER.username, "claims-views.sandbox").load()
    assert isinstance(found, dict)
    return found


def test_a_view_of_the_same_name_in_any_case_is_replaced_only_when_saved_once_more(stage: Stage) -> None:
    again, test = opened(stage, sort="product"), save(opened(stage, sort="oldest"), "My view")
    assert "The view “My view” is saved." in words(test).replace("\\", "")
    save(again, "my VIEW")
    assert "There is already a view “My view”." in words(again).replace("\\", "")
    assert stored(stage) == {"My view": {"period": "all", "sort": "oldest"}}
    save(again, "Another")  # another name in between is no yes
    assert "There is already a view" in words(save(again, "my VIEW"))
    assert "There is already a view “Another”." in words(save(again, "another")).replace("\\", "")
    assert "There is already a view" in words(save(again, "my VIEW"))  # a yes to another's name was none to this
    save(again, "my VIEW")
    assert stored(stage)["my VIEW"] == {"period": "all", "sort": "product"}
    assert set(stored(stage)) == {"my VIEW", "Another"}


def test_open_claims_oldest_first_ignore_the_range_and_the_opened_view_is_deleted_alone(stage: Stage) -> None:
    test = press(opened(stage, period="last-month", status="OPEN"), "Open, oldest first")
    assert test.session_state["desk.claims.filter"] == ClaimsFilter(period="all", open_only=True, order="oldest")
    assert names(press(save(save(opened(stage), "First"), "Second"), "Delete the opened view")) == ["First"]
    assert set(stored(stage)) == {"First"}


def test_no_saved_view_has_words_with_a_customers_address_not_even_an_earlier_one(stage: Stage) -> None:
    earlier = {"period": "all", "words": "ada@example.com"}
    Preference(stage.runtime.desk.journal.database, MANAGER.username, "claims-views.sandbox").save({"Earlier": earlier})
    test = opened(stage)
    field(test, "Search").set_value("ada@example.com")
    shown(test.run())
    save(test, "Ada")
    assert "Ada" in stored(stage)
    assert "ada@" not in str(stored(stage))

"""The view, its address and the browser's Back: one customer's claims, a picked bar, days of any year."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.claims import screen_head
from components.claims.claims_filter import ClaimsFilter
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import MANAGER
from tests.components.claims.dates import claim_dates, pick_days
from tests.components.claims.screen import a_second_later, chips
from tests.components.stage import Stage, day_fields, pick_day, shown, words
from warranty.analysis import ChartPick

LONG = timedelta(seconds=20)
ADA = "ada@example.com"
MISSING = "This view was for one customer's e-mail"
OLD = "2012-05-05T10:00:00.000000"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="demo") as running:
        running.add_claims(
            [{"order_id": "of ada", "customer_email": ADA}, {"order_id": "old", "claim_date": OLD}]
        )
        yield running


def read(stage: Stage, test: AppTest) -> AppTest:
    """The screen once the claims that it asks for are read."""
    shown(test.run())
    chosen: ClaimsFilter = test.session_state["desk.claims.filter"]
    stage.runtime.claims.wait(chosen.query(service_today()), longest=LONG)
    return shown(test.run())


def opened(stage: Stage, query: Mapping[str, str] | None = None, screen: str = "claims") -> AppTest:
    return read(stage, stage.screen(screen, MANAGER, query=query))


def go_back_to(stage: Stage, test: AppTest, address: Mapping[str, Any]) -> AppTest:
    """What the browser's Back sends: the address of before."""
    test.query_params.clear()
    for name, value in address.items():
        test.query_params[name] = value
    return read(stage, test)


@pytest.mark.parametrize(
    ("before", "after"), [({"words": "battery"}, {"words": "water"}), ({}, {"sort": "product"})]
)
def test_back_is_kept_where_a_run_is_cut_off_and_the_fields_still_send_what_they_held(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], after: dict[str, str]
) -> None:
    test = opened(stage, {"period": "all", **after})
    sent = test._tree.get_widget_states()
    test.query_params.clear()
    for name, value in {"period": "all", **before}.items():
        test.query_params[name] = value
    with monkeypatch.context() as cut:
        cut.setattr(screen_head, "claims_reading", lambda *_: st.stop())
        test._run(sent)
    test._run(sent)
    shown(test)
    assert dict(test.query_params) == {"period": "all", **before}
    search = next(each for each in test.text_input if each.label.startswith("Search"))
    assert search.value == before.get("words", "")
    assert test.session_state["desk.claims.filter"].order == "newest"


def email_field(test: AppTest) -> Any:
    return next(each for each in test.text_input if each.label == "Customer's e-mail")


def period(stage: Stage, test: AppTest, name: str) -> AppTest:
    claim_dates(test).set_value(name)
    return read(stage, test)


@pytest.mark.parametrize("screen", ["claims", "claim_trends"])
def test_a_reload_of_one_customers_view_asks_for_the_email_and_shows_nobody_elses_claims(
    stage: Stage, screen: str
) -> None:
    test = opened(stage, {"period": "all"}, screen)
    email_field(test).set_value(ADA)
    read(stage, test)
    assert "complete: 1 of 1" in words(test)
    asked = len(stage.calls("claims"))

    again = stage.screen(screen, MANAGER, query=dict(test.query_params))
    shown(again.run())
    assert MISSING in words(again)
    assert "complete" not in words(again)
    assert not again.dataframe
    assert not again.metric
    assert len(stage.calls("claims")) == asked
    period(stage, again, "90-days")
    assert MISSING in words(again)
    period(stage, again, "all")
    email_field(again).set_value(ADA)
    read(stage, again)
    assert "complete: 1 of 1" in words(again)
    assert MISSING not in words(again)
    assert "ada" not in str(dict(again.query_params))


def test_who_does_without_the_email_sees_every_customer_and_the_address_says_so(stage: Stage) -> None:
    test = stage.screen("claims", MANAGER, query=ClaimsFilter(period="all", email=ADA).address())
    assert MISSING in words(test)
    next(button for button in test.button if button.label == "Show the claims of every customer").click()
    read(stage, test)
    assert "complete: 482 of 482" in words(test)
    assert MISSING not in words(test)
    assert dict(test.query_params) == {"period": "all"}


def test_a_picked_bar_stays_while_the_email_is_entered_again_and_goes_with_the_customer(stage: Stage) -> None:
    view = ClaimsFilter(period="all", email=ADA, pick=ChartPick(product="Toaster"))
    test = stage.screen("claims", MANAGER, query=view.address())
    email_field(test).set_value(ADA)
    read(stage, test)
    assert chips(test) == ["product Toaster"]
    email_field(test).set_value("")
    read(stage, test)
    assert chips(test) == []
    assert "complete: 482 of 482" in words(test)


def test_a_picked_bar_is_let_go_when_other_dates_are_asked_for(stage: Stage) -> None:
    day = service_today()
    pick = f"days:{day}..{day};status:OPEN"
    test = opened(stage, {"period": "90-days", "pick": pick})
    assert chips(test)[0].startswith("dated ")
    period(stage, test, "last-month")
    assert chips(test) == []
    assert "pick" not in test.query_params

    test = opened(stage, {"period": "90-days", "pick": pick})
    pick_days(test, date(2026, 1, 5), date(2026, 1, 6))
    read(stage, test)
    assert "pick" not in test.query_params

    test = opened(stage, {"period": "all", "pick": "status:OPEN"})
    test.session_state["claims-more"] = True
    shown(test.run())
    pick_day(test, "Warranty start, first day", date(2025, 1, 1))
    pick_day(test, "Warranty start, last day", date(2025, 6, 30))
    read(stage, test)
    assert "pick" not in test.query_params


def test_a_picked_bar_stays_while_what_was_read_is_narrowed_and_sorted(stage: Stage) -> None:
    test = opened(stage, {"period": "all", "pick": "status:OPEN"})
    next(each for each in test.text_input if each.label.startswith("Search")).set_value("a")
    read(stage, test)
    assert chips(test) == ["with “a”", "status Open"]


def test_back_reaches_the_first_view_as_well(stage: Stage) -> None:
    test = opened(stage)
    addresses = [dict(test.query_params)]
    for name in ("90-days", "7-days"):
        period(stage, test, name)
        addresses.append(dict(test.query_params))
    for address, name in zip(addresses[1::-1], ("90-days", "30-days"), strict=True):
        go_back_to(stage, test, address)
        assert claim_dates(test).value == name
        assert test.session_state["desk.claims.filter"].period == name


def test_back_to_everybodys_claims_leaves_the_customer_and_forth_keeps_it(stage: Stage) -> None:
    test = opened(stage, {"period": "all"})
    everybody = dict(test.query_params)
    email_field(test).set_value(ADA)
    read(stage, test)
    period(stage, test, "this-year")
    ada = dict(test.query_params)
    period(stage, test, "90-days")
    go_back_to(stage, test, ada)
    assert email_field(test).value == ADA
    assert test.session_state["desk.claims.filter"].period == "this-year"
    go_back_to(stage, test, everybody)
    assert email_field(test).value == ""
    assert "complete: 482 of 482" in words(test)


def test_another_screen_without_an_address_keeps_the_filter(stage: Stage) -> None:
    test = opened(stage, {"period": "90-days"})
    go_back_to(stage, test, {})
    assert test.session_state["desk.claims.filter"].period == "90-days"
    assert test.query_params["period"] == "90-days"


def test_days_of_many_years_ago_can_be_picked(stage: Stage) -> None:
    test = opened(stage, {"period": "all"})
    test.session_state["claims-more"] = True
    pick_days(test, date(2012, 1, 1), date(2012, 12, 31))
    shown(test.run())
    assert len(day_fields(test)) == 4
    read(stage, test)
    assert list(test.dataframe[0].value["order_id"]) == ["old"]


@pytest.mark.parametrize("screen", ["claims", "claim_trends"])
@pytest.mark.parametrize("first", ["0001-01-01", "1000-01-01", "1899-12-31"])
def test_a_link_from_the_first_year_on_opens(stage: Stage, screen: str, first: str) -> None:
    test = opened(stage, {"claimed-from": first, "claimed-to": "9999-12-31"}, screen)
    assert "complete: 482 of 482" in words(test)
    if screen == "claims":
        a_second_later(test)
    assert "Claims dated 1 Jan 1900 to 31 Dec 2199" in words(test)

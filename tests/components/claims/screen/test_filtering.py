"""The filters of Claims on the screen: what is asked of the service, what narrows, what the address keeps."""

import re
from datetime import date, timedelta

import pandas as pd
import pytest
import streamlit as st

from components.claims.screen import filter_fields
from components.words.days import service_today
from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import (
    FILES,
    chips,
    claim_dates,
    field,
    folded_out,
    labels,
    opened,
    orders,
    read,
    statuses,
    with_files,
)
from tests.components.stage import Stage, date_field, press, says, shown, table, words


def test_a_link_opens_the_same_view_whose_filters_go_one_by_one_or_together(stage: Stage) -> None:
    view = {"period": "all", "status": "RESOLVED,OPEN", "words": "e", "sort": "product"}
    test = opened(stage, {**view, "columns": "product_name,status"})
    assert statuses(test) == {"Resolved", "Open"}
    assert table(test)["product_name"].str.casefold().is_monotonic_increasing
    assert list(table(test)) == ["product_name", "status"]
    assert chips(test) == ["with “e”", "status Resolved", "status Open"]
    press(test, "status Resolved")
    assert chips(test) == ["with “e”", "status Open"]
    assert test.query_params["status"] == "OPEN"
    press(test, "Show all 480")
    assert chips(test) == []
    assert {"status", "words"}.isdisjoint(test.query_params)


def test_where_the_search_leaves_nothing_a_sentence_stands_in_place_of_table_and_chart(stage: Stage) -> None:
    test = opened(stage, {"period": "all", "words": "no claim has this"})
    assert "No claim matches. Change the search or the filters, or choose Show all 480." in words(test)
    assert table(test).empty
    assert not test.get("plotly_chart")
    assert labels(with_files(test)) == FILES
    press(test, "Show all 480")
    assert len(table(test))


def test_a_named_range_stays_marked_where_a_run_is_cut_off(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    test = opened(stage, {"claimed-from": "2026-01-05", "claimed-to": "2026-01-06"})
    claim_dates(test).set_value("all")
    sent = test._tree.get_widget_states()
    with monkeypatch.context() as cut:
        cut.setattr(filter_fields, "days_field", lambda *_, **__: st.stop())
        test._run(sent)
    test._run(sent)
    assert claim_dates(test).value == "all"
    assert dict(test.query_params) == {"period": "all"}
    assert not test.date_input


def test_days_of_ones_own_begin_with_those_of_the_range_that_was_shown(stage: Stage) -> None:
    test = opened(stage, {"period": "7-days"})
    claim_dates(test).set_value("")
    shown(test.run())
    days = (service_today() - timedelta(days=6), service_today())
    assert date_field(test, "Claim date").value == days
    assert "period" not in test.query_params
    assert "complete: " in words(test)  # the same days are not asked for again


def test_more_filters_narrow_by_status_and_ask_the_service_for_another_warranty_start(stage: Stage) -> None:
    test = folded_out(opened(stage), "claims-more")
    asked = len(stage.calls("claims"))
    next(each for each in test.multiselect if each.label == "Status").set_value(["DENIED"])
    date_field(test, "Warranty start").set_value((date(2025, 1, 1), date(2025, 6, 30)))
    read(stage, test)
    assert len(stage.calls("claims")) > asked
    started = pd.to_datetime(table(test)["warranty_start_date"], format="%d %b %Y")
    assert statuses(test) == {"Denied"}
    assert started.between("2024-12-31", "2025-07-01").all()
    assert chips(test) == ["warranties from 1 Jan 2025 to 30 Jun 2025", "status Denied"]


def test_a_day_in_the_table_is_that_of_the_warranty_filter(stage: Stage, add_claims: AddClaims) -> None:
    dates = {"order_date": "2019-06-29T23:30:00-04:00", "warranty_start_date": "2019-06-30T00:30:00+05:30"}
    add_claims({"order_id": "late in the evening", "claim_date": "2020-01-01T10:00:00.000000", **dates})
    days = {"started-from": "2019-06-29", "started-to": "2019-06-29"}
    test = opened(stage, {"period": "all", **days, "columns": "order_id,warranty_start_date,order_date"})
    row = table(test).iloc[0]
    assert orders(test) == ["late in …"]
    assert (row["warranty_start_date"], row["order_date"]) == ("29 Jun 2019", "30 Jun 2019")


def test_columns_are_chosen_in_an_order_and_the_address_keeps_them(stage: Stage) -> None:
    test = folded_out(opened(stage), "claims-columns")
    columns = next(each for each in test.multiselect if each.label.startswith("Columns"))
    columns.set_value(["status", "product_name"])
    shown(test.run())
    assert list(table(test)) == ["status", "product_name"]
    assert test.query_params["columns"] == "status,product_name"


def test_a_filter_that_nothing_fits_says_so_and_what_to_do(stage: Stage) -> None:
    test = opened(stage, {"claimed-from": "1990-01-01", "claimed-to": "1990-01-02"})
    says(test, "complete: 0 of 0", "There are no claims in these days. Choose a longer range.")
    assert table(test).empty
    assert labels(with_files(test)) == FILES  # a heading is an answer too
    assert "complete: 480 of 480" in words(read(stage, press(test, "Show all dates")))


def test_no_email_is_told_once_leads_to_its_field_and_leaves_the_table_that_was_read(stage: Stage) -> None:
    test = opened(stage)
    asked = len(stage.calls("claims"))
    mail = "Customer's e-mail"
    field(test, mail).set_value("nonsense")
    shown(test.run())
    assert words(test).count("e-mail address is not complete") == 1
    assert re.search(r"\]\(#st-key-claims-filter-\d+-email\)$", test.error[0].value)
    assert "@" not in words(test)  # an example of an address would be drawn as a link to it
    assert len(table(test))
    assert field(test, "Search these claims")
    assert field(test, mail).value == "nonsense"
    assert len(stage.calls("claims")) == asked
    field(test, mail).set_value("nobody@example.com")
    shown(test.run())
    assert "e-mail address is not complete" not in words(test)

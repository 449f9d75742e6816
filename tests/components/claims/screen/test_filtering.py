"""The filters of Claims: what a person asks for, what is asked of the service, what narrows, what the address keeps."""

import re
from datetime import date, timedelta

import pandas as pd
import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st

from components.claims.screen import filter_fields
from components.claims.screen.claims_filter import OFFERED, PARAMETERS, ClaimsFilter
from components.claims.screen.columns import LABELS, SORTINGS, by_heading, field_of
from components.claims.screen.screen_head import narrowed_by
from components.words.days import EARLIEST, LATEST, service_today
from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import chips, claim_dates, field, folded_out, has_files, opened, orders, read
from tests.components.stage import Stage, date_field, press, says, shown, table, words
from warranty.claims.analysis import ChartPick, Period, conditions


def test_a_link_opens_the_same_view_whose_filters_go_one_by_one_or_together(stage: Stage) -> None:
    view = {"period": "all", "status": "RESOLVED,OPEN", "words": "e", "sort": "product"}
    test = opened(stage, {**view, "columns": "product_name,status"})
    assert set(table(test)["status"]) == {"Resolved", "Open"}
    assert table(test)["product_name"].str.casefold().is_monotonic_increasing
    assert list(table(test)) == ["product_name", "status"]
    assert chips(test) == ["with “e”", "status Resolved", "status Open"]
    press(test, "status Resolved")
    assert chips(test) == ["with “e”", "status Open"]
    assert test.query_params["status"] == "OPEN"
    press(test, "Show all 480")
    assert chips(test) == []
    assert {"status", "words"}.isdisjoint(test.query_params)


def test_where_search_or_filter_leave_nothing_a_sentence_says_so_and_what_to_do(stage: Stage) -> None:
    test = opened(stage, {"period": "all", "words": "no claim has this"})
    assert "No claim matches. Change the search or the filters, or choose Show all 480." in words(test)
    assert table(test).empty
    assert not test.get("plotly_chart")
    assert has_files(test)
    press(test, "Show all 480")
    assert len(table(test))
    test = opened(stage, {"claimed-from": "1990-01-01", "claimed-to": "1990-01-02"})
    says(test, "complete: 0 of 0", "There are no claims in these days. Choose a longer range.")
    assert table(test).empty
    assert has_files(test)  # a heading is an answer too
    assert "complete: 480 of 480" in words(read(stage, press(test, "Show all dates")))


def test_a_named_range_stays_marked_where_a_run_is_cut_off(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    test = opened(stage, {"claimed-from": "2026-01-05", "claimed-to": "2026-01-06"})
    claim_dates(test).set_value("all")
    sent = test._tree.get_widget_states()
    with monkeypatch.context() as cut:
        cut.setattr(filter_fields, "days_field", lambda *_, **__: streamlit.stop())
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
    assert set(table(test)["status"]) == {"Denied"}
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
    next(each for each in test.multiselect if each.label.startswith("Columns")).set_value(["status", "product_name"])
    shown(test.run())
    assert list(table(test)) == ["status", "product_name"]
    assert test.query_params["columns"] == "status,product_name"


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


SATURDAY = date(2026, 11, 21)
DAYS = st.dates(date(1990, 1, 1), date(2090, 1, 1))
SPANS = st.tuples(DAYS, DAYS).map(lambda both: Period(min(both), max(both)))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="@+"), min_size=1, max_size=40)
PICKS = st.builds(
    ChartPick, days=st.none() | SPANS, status=st.none() | st.just("") | TEXTS, product=st.none() | st.just("") | TEXTS,
    is_open=st.booleans(),
)  # fmt: skip
FILTERS = st.builds(
    ClaimsFilter, period=st.sampled_from(OFFERED), started=st.none() | SPANS,
    statuses=st.lists(st.just("") | TEXTS, unique=True).map(tuple),
    products=st.lists(st.just("") | TEXTS, unique=True).map(tuple), words=TEXTS, open_only=st.booleans(), pick=PICKS,
    order=st.sampled_from([*SORTINGS]), columns=st.lists(st.sampled_from([*LABELS]), unique=True).map(tuple),
) | st.builds(ClaimsFilter, period=st.just(""), claimed=SPANS)  # fmt: skip


@pytest.mark.parametrize(("name", "today", "first", "last"), [
    ("today", "2026-11-21", "2026-11-21", "2026-11-21"), ("7-days", "2026-11-21", "2026-11-15", "2026-11-21"),
    ("30-days", "2026-11-21", "2026-10-23", "2026-11-21"), ("90-days", "2026-11-21", "2026-08-24", "2026-11-21"),
    ("this-month", "2026-11-21", "2026-11-01", "2026-11-30"), ("last-month", "2026-11-21", "2026-10-01", "2026-10-31"),
    ("last-month", "2028-01-31", "2027-12-01", "2027-12-31"), ("last-month", "2028-03-31", "2028-02-01", "2028-02-29"),
    ("this-quarter", "2026-11-21", "2026-10-01", "2026-12-31"),
    ("last-quarter", "2026-11-21", "2026-07-01", "2026-09-30"),
    ("last-quarter", "2028-01-31", "2027-10-01", "2027-12-31"), ("this-year", "2026-11-21", "2026-01-01", "2026-12-31"),
    ("last-year", "2026-11-21", "2025-01-01", "2025-12-31"),
])  # fmt: skip
def test_a_named_range_is_whole_days_of_the_calendar(name: str, today: str, first: str, last: str) -> None:
    days = ClaimsFilter(period=name).days(date.fromisoformat(today))
    assert days == Period(date.fromisoformat(first), date.fromisoformat(last))


@given(FILTERS)
def test_an_address_opens_the_same_view(chosen: ClaimsFilter) -> None:
    address = chosen.address()
    assert set(address) <= PARAMETERS
    assert ClaimsFilter.from_address(address) == chosen


def test_every_view_has_an_address_no_dates_are_said_by_name_and_no_email_is_in_it_or_a_repr() -> None:
    assert ClaimsFilter().address() == {"period": "30-days"}
    assert ClaimsFilter(period="", claimed=None).address() == {"period": "all"}
    assert ClaimsFilter(period="all").query(SATURDAY).claim_dates is None
    chosen = ClaimsFilter(email="ada@example.com")
    assert "ada" not in repr(chosen)
    assert "ada" not in str(chosen.address())
    assert chosen.query(SATURDAY).customer_email == "ada@example.com"


@pytest.mark.parametrize("words", ["ada.byron@example.com", "lamp ada@", "+44 20 7946 0958"])
def test_words_that_hold_a_customers_address_are_in_no_link_no_saved_view_and_no_repr(words: str) -> None:
    chosen = ClaimsFilter(period="all", words=words)
    assert words not in repr(chosen)
    assert words not in str(chosen.address())
    assert chosen.selection(closed=()).text == words
    assert ClaimsFilter(words="a battery").address()["words"] == "a battery"


def test_an_address_tells_that_there_was_an_email_and_the_same_for_every_customer() -> None:
    address = ClaimsFilter(email="ada@example.com").address()
    assert address == ClaimsFilter(email="grace@example.com").address()
    assert set(address) <= PARAMETERS
    opened = ClaimsFilter.from_address(address)
    assert opened.email_missing
    assert opened.address() == address
    again = ClaimsFilter.from_address(address, email="ada@example.com")
    assert (again.email, again.email_missing) == ("ada@example.com", False)
    assert not ClaimsFilter.from_address({}).email_missing


@pytest.mark.parametrize("name", ["claimed", "started"])
@pytest.mark.parametrize(("first", "last", "meant"), [
    ("0001-01-01", "9999-12-31", Period(EARLIEST, LATEST)), ("1000-01-01", "2026-11-21", Period(EARLIEST, SATURDAY)),
    ("2012-05-05", "9999-12-31", Period(date(2012, 5, 5), LATEST)), ("0001-01-01", "0900-12-31", None),
    ("9000-01-01", "9999-12-31", None), ("2026-11-21", "2026-11-01", Period(date(2026, 11, 1), SATURDAY)),
])  # fmt: skip
def test_ranges_in_addresses_are_cut_or_turned_to_days(name: str, first: str, last: str, meant: Period | None) -> None:
    assert getattr(ClaimsFilter.from_address({f"{name}-from": first, f"{name}-to": last}), name) == meant


@pytest.mark.parametrize("address", [
    {"period": "for-ever"}, {"claimed-from": "yesterday", "claimed-to": "2026-11-21"},
    {"claimed-from": "2026-11-21"}, {"sort": "shoe-size", "columns": "customer_email,<script>"},
    {"pick": "days:2026;age:young"}, {"pick": "\x00;;:::"},
])  # fmt: skip
def test_an_address_that_cannot_be_read_opens_the_first_view(address: dict[str, str]) -> None:
    assert ClaimsFilter.from_address(address) == ClaimsFilter()


def test_a_click_on_a_heading_sorts_by_it_and_the_next_one_turns_round() -> None:
    assert by_heading("product_name", "newest") == "product"
    assert by_heading("product_name", "product") == "product-desc"
    assert by_heading("product_name", "product-desc") == "product"
    assert by_heading("claim_date", "product") == "newest"
    assert by_heading("claim_date", "newest") == "oldest"
    for column in LABELS:
        assert SORTINGS[by_heading(column, "newest")].column == field_of(column)


def test_each_choice_has_a_chip_that_takes_it_away_alone_though_a_title_ends_after_a_few() -> None:
    chosen = ClaimsFilter(
        started=Period(date(2026, 1, 1), SATURDAY), statuses=("", *"BCDE"), products=("", "TV"), words="screen",
        open_only=True, pick=ChartPick(days=Period(SATURDAY, SATURDAY)), order="product",
    )  # fmt: skip
    chips = dict(narrowed_by(chosen))
    assert list(chips) == [
        "warranties from 1 Jan 2026 to 21 Nov 2026", "with “screen”",
        *(f"status {name}" for name in ("(empty)", *"BCDE")), "product (empty)", "product TV", "open only",
        "dated 21 Nov 2026",
    ]  # fmt: skip
    for chip, rest in chips.items():
        assert list(dict(narrowed_by(rest))) == [other for other in chips if other != chip]
        assert rest.order == "product"
    assert conditions(ClaimsFilter(statuses=(*"ABCDE",)).selection(closed=())) == ["status A, B or 3 others"]
    assert not list(narrowed_by(ClaimsFilter()))

"""Which claims a person asks for: named ranges, whole days, and an address that opens the same view."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.claims.screen.claims_filter import OFFERED, PARAMETERS, ClaimsFilter
from components.claims.screen.columns import LABELS, SORTINGS, by_heading, field_of
from components.claims.screen.screen_head import narrowed_by
from components.words.days import EARLIEST, LATEST
from warranty.claims.analysis import ChartPick, Period, conditions

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


@pytest.mark.parametrize(
    ("name", "today", "first", "last"),
    [
        ("today", "2026-11-21", "2026-11-21", "2026-11-21"),
        ("7-days", "2026-11-21", "2026-11-15", "2026-11-21"),
        ("30-days", "2026-11-21", "2026-10-23", "2026-11-21"),
        ("90-days", "2026-11-21", "2026-08-24", "2026-11-21"),
        ("this-month", "2026-11-21", "2026-11-01", "2026-11-30"),
        ("last-month", "2026-11-21", "2026-10-01", "2026-10-31"),
        ("last-month", "2028-01-31", "2027-12-01", "2027-12-31"),
        ("last-month", "2028-03-31", "2028-02-01", "2028-02-29"),
        ("this-quarter", "2026-11-21", "2026-10-01", "2026-12-31"),
        ("last-quarter", "2026-11-21", "2026-07-01", "2026-09-30"),
        ("last-quarter", "2028-01-31", "2027-10-01", "2027-12-31"),
        ("this-year", "2026-11-21", "2026-01-01", "2026-12-31"),
        ("last-year", "2026-11-21", "2025-01-01", "2025-12-31"),
    ],
)  # fmt: skip
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
@pytest.mark.parametrize(
    ("first", "last", "meant"),
    [
        ("0001-01-01", "9999-12-31", Period(EARLIEST, LATEST)),
        ("1000-01-01", "2026-11-21", Period(EARLIEST, SATURDAY)),
        ("2012-05-05", "9999-12-31", Period(date(2012, 5, 5), LATEST)), ("0001-01-01", "0900-12-31", None),
        ("9000-01-01", "9999-12-31", None), ("2026-11-21", "2026-11-01", Period(date(2026, 11, 1), SATURDAY)),
    ],
)  # fmt: skip
def test_ranges_in_addresses_are_cut_or_turned_to_days(name: str, first: str, last: str, meant: Period | None) -> None:
    opened = ClaimsFilter.from_address({f"{name}-from": first, f"{name}-to": last})
    assert getattr(opened, name) == meant


@pytest.mark.parametrize(
    "address",
    [
        {"period": "for-ever"}, {"claimed-from": "yesterday", "claimed-to": "2026-11-21"},
        {"claimed-from": "2026-11-21"}, {"sort": "shoe-size", "columns": "customer_email,<script>"},
        {"pick": "days:2026;age:young"}, {"pick": "\x00;;:::"},
    ],
)  # fmt: skip
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
    for words, rest in chips.items():
        assert list(dict(narrowed_by(rest))) == [other for other in chips if other != words]
        assert rest.order == "product"
    assert conditions(ClaimsFilter(statuses=(*"ABCDE",)).selection(closed=())) == ["status A, B or 3 others"]
    assert not list(narrowed_by(ClaimsFilter()))

"""The tab Outlook: the product that goes wrong is named, claims to come have intervals, the diary says what held."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.claims.screen.claims_filter import ClaimsFilter
from components.words.days import service_today
from sandbox import SandboxServer
from sandbox.seeds.lemon import LEMON, STEADY
from tests.builders import MANAGER, away
from tests.components.claims.screen.screen import folded_out, read
from tests.components.claims.trends.test_ageing import plans_of
from tests.components.claims.trends.test_resolution import SHOP, take
from tests.components.stage import Stage, pick_lists, says, shown, words
from warranty.claims.analysis.starts import StartTable
from warranty.insight.outlook.diary import Foretold
from warranty.insight.outlook.forecasts import foretell, outlook_days
from warranty.insight.statistics.triangle import Forecast, TooFew


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="lemon") as running:
        yield running


OUTLOOK_DAYS = ClaimsFilter(period="", claimed=outlook_days(service_today()))


def opened(stage: Stage) -> AppTest:
    return read(stage, stage.screen("claim_trends", MANAGER, query={"view": "Outlook"}), OUTLOOK_DAYS)


def test_the_product_that_goes_wrong_is_named_and_what_is_to_come_has_its_intervals(stage: Stage) -> None:
    test = opened(stage)
    warned = [text.value for text in test.text if "where its own past expects" in text.value]
    assert [each.split(":")[0] for each in warned] == [LEMON]
    assert not [text for text in warned if STEADY in text]
    says(test, "4 products watched", "this rule warns 0.")
    (chart,) = test.get("plotly_chart")
    assert chart.proto.alt.startswith("Claims to come on plans already started, by month. Claims on plans started ")
    assert " expected, 80 %: " in chart.proto.alt
    assert "complete: " in chart.proto.alt
    assert "Forecast and actual" not in words(test), "no month of it is over yet"
    months = folded_out(test, "outlook:forecast:table").dataframe[0]
    assert months.value["expected"].isna().any()
    assert months.proto.HasField("placeholder"), "an empty cell, not the word None"
    assert {each.product for each in stage.runtime.insight.forecast_diary(MANAGER).all()} >= {"", LEMON, STEADY}


@pytest.mark.parametrize("screen", ["claims", "overview"])
def test_a_warning_that_stands_is_the_first_sentence_whatever_the_days(stage: Stage, screen: str) -> None:
    week = ClaimsFilter(period="7-days")
    read_first = week if screen == "claims" else ClaimsFilter(period="all")
    test = read(stage, read(stage, stage.screen(screen, MANAGER, query=week.address()), read_first), OUTLOOK_DAYS)
    assert [warning.value.replace("\\", "").split(":")[0] for warning in test.warning] == [LEMON]
    sentences = {"warning", "text", "caption", "info"}
    first: Any = next(each for each in test.main if each.type in sentences)
    assert first.value == test.warning[0].value


def test_what_is_foretold_is_worked_out_once_for_all_who_look(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    def counted(table: StartTable, product: str | None = None, **plans: Any) -> Forecast | TooFew:
        asked.append(product)
        return foretell(table, product, **plans)

    monkeypatch.setattr("components.claims.trends.outlook.foretell", counted)
    test = opened(stage)
    folded_out(test, "outlook:by-product")
    assert sorted(asked, key=str) == sorted({None, LEMON, STEADY, *asked}, key=str)
    assert test.get("plotly_chart")[0].proto.id.endswith("outlook:forecast:0")


def test_a_forecast_that_did_not_hold_is_withdrawn_and_a_products_own_stays(stage: Stage) -> None:
    diary = stage.runtime.insight.forecast_diary(MANAGER)
    expected = {"expected": 9.0, "low_80": 8.0, "high_80": 10.0, "low_95": 7.0, "high_95": 11.0}
    diary.write(
        Foretold(as_of=f"2025-{month:02}", product="", month=f"2025-{month + 1:02}", came=50, **expected)
        for month in range(1, 9)
    )
    test = opened(stage)
    assert "The forecast is withdrawn: what came lay in its 95 % interval in 0 of 8 months only" in words(test)
    assert not test.get("plotly_chart")
    assert test.dataframe[-1].value["Within range"].tolist()[:8] == ["no"] * 8
    pick_lists(test)[0].set_value(STEADY)
    (chart,) = shown(test.run()).get("plotly_chart")
    assert f", product {STEADY}: " in chart.proto.alt


@pytest.mark.parametrize(("first", "product"), [("Ageing", STEADY), ("Resolution", "Product 1")])
def test_what_was_chosen_on_one_tab_holds_on_all(stage: Stage, first: str, product: str) -> None:
    """Also a product of which another tab has nothing to tell."""
    for back in (9, 0):
        take(stage, SHOP.today - timedelta(days=back))
    test = stage.screen("claim_trends", MANAGER, query={"view": first, "months": "12"})
    for name in (first, "Outlook", "Resolution", "Ageing", first):
        test.session_state["view:en"] = name
        shown(test.run())
        test.query_params.clear()  # as the platform does where a reading has ended
        read(stage, test, plans_of(12) if name == "Ageing" else OUTLOOK_DAYS)
        if "of-product" not in test.query_params:
            pick_lists(test)[0].set_value(product)
            shown(test.run())
        assert (test.query_params["months"], test.query_params["of-product"]) == ("12", product)
        assert pick_lists(test)[0].value == product
        drawn = [chart.proto.alt for chart in test.get("plotly_chart")]
        assert f", product {product}" in words(test) + str(drawn) or (name, product) == ("Outlook", "Product 1")


def test_an_incomplete_reading_tells_neither(stage: Stage, sandbox: SandboxServer) -> None:
    odd = {"warranty_start_date": "soon"}
    sandbox.add_claims([{"claim_date": f"{service_today()}T00:00:00.000001", "served_as": odd}])
    try:
        test = opened(stage)
        assert "Warnings and forecasts need every claim of these days" in words(test)
        assert not test.get("plotly_chart")
        assert stage.runtime.insight.forecast_diary(MANAGER).all() == []
    finally:
        sandbox.reset()


def test_without_a_journal_the_forecast_has_no_diary(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warranty.insight.outlook.diary.ForecastDiary.all", away)
    test = opened(stage)
    assert len(test.get("plotly_chart")) == 1
    assert "The diary cannot be read now" in words(test)


@pytest.mark.parametrize(("claims", "said"), [
    (0, "There is no claim in these days"), (1, "No product has a year of claims yet, so none is watched."),
    (1, "Too few to tell: claims seen on plans of these months: 0, needed: 20."),
])  # fmt: skip
def test_a_shop_with_no_claim_or_one_is_told_so(sandbox: SandboxServer, stage: Stage, claims: int, said: str) -> None:
    sandbox.reset("empty")
    day = service_today() - timedelta(days=60)
    made = {"claim_date": f"{day}T10:00:00.000000", "warranty_start_date": f"{day}T09:00:00+00:00"}
    sandbox.add_claims([made] * claims)
    try:
        test = opened(stage)
        assert said in words(test)
        assert not test.get("plotly_chart")
    finally:
        sandbox.reset("lemon")

"""Overview: the answers that a manager asks first, each with its base and a press, and three charts of all claims."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.trends import overview
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import MANAGER, TV
from tests.components.claims.screen.screen import in_part, read, read_by
from tests.components.claims.trends.test_ageing import months_of
from tests.components.claims.trends.test_resolution import take
from tests.components.stage import Stage, press, shown, words
from warranty.claims.analysis.starts import starts_back
from warranty.claims.readings.readings import KeptClaims
from warranty.claims.retrieval import ClaimSet
from warranty.client.resources import ClaimQuery
from warranty.database.preferences import Preference
from warranty.database.tables import BACKED_UP_AT
from warranty.errors import NotSent, Trace
from warranty.people.tills.tills import Store, Tills

ALL = ClaimsFilter(period="all")


def opened(stage: Stage) -> AppTest:
    return read(stage, stage.screen("overview", MANAGER), ALL)


def answers(test: AppTest) -> Mapping[str, tuple[str, str]]:
    return {metric.label: (metric.value, metric.delta) for metric in test.metric}


def test_each_answer_says_against_what_each_chart_is_of_all_claims_with_a_seal(stage: Stage, kept: KeptClaims) -> None:
    test, frame, today = opened(stage), kept.claims.frame, service_today()
    still = frame[~frame["status"].isin(stage.runtime.claims.closed)]
    days = (today - still["claim_date"].dt.date.min()).days
    old = sum((today - day).days > 30 for day in still["claim_date"].dt.date)
    months = frame["claim_date"].dt.to_period("M").value_counts()
    last = starts_back(today, 1).first
    now, before = (int(months[f"{day:%Y-%m}"]) for day in (last, last - timedelta(days=1)))
    assert answers(test) == {
        "Open claims": (str(len(still)), f"{old} over 30 days, the oldest {days}"),
        "Claims last month": (str(now), f"{now} · {before} before"),
        "Plans sold today": ("0", ""),
        "To check": ("0", ""),
    }
    assert re.search(rf"{now} · \d+ in {last:%b} {last.year - 1} · ", words(test))
    titles = ("Claims by status, by month", "Products with the most claims, by number", "Open claims, by age")
    for title, chart in zip(titles, opened(stage).get("plotly_chart"), strict=True):
        assert chart.proto.alt.startswith(f"{title}. Claims of any date: 480. ")
        assert re.search(r"complete: 480 of 480, read \d\d:\d\d\.$", chart.proto.alt)


def test_what_was_sold_today_and_by_whom_and_what_has_no_answer_is_counted(stage: Stage) -> None:
    for fault in ("", "drop_after_write"):
        stage.sell(by=MANAGER, fault=fault)
    for zone in ("Pacific/Kiritimati", "Pacific/Niue"):  # 25 hours apart: today is the store's
        store = Store(MANAGER.at.store_id, "Main Street", zone)
        Tills(stage.runtime.desk.journal.database, "sandbox").describe(store)
        found = answers(opened(stage))
        value, more = found["Plans sold today"]
        assert value != "0"
        assert more.endswith(f"{MANAGER.name} 1, {TV['product_title']} 1")
    assert found["To check"] == ("1", "1 unknown, 0 waiting, 0 refused")


@pytest.mark.parametrize(("label", "screen", "chosen"), [
    ("List them, oldest first", "claims", ClaimsFilter(period="all", open_only=True, order="oldest")),
    ("List them", "claims", ClaimsFilter(period="last-month")), ("Open the shift report", "shift_report", None),
    ("Open Activity", "activity", None),
])  # fmt: skip
def test_a_press_opens_what_an_answer_counts(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, label: str, screen: str, chosen: ClaimsFilter | None
) -> None:
    went: list[str] = []
    monkeypatch.setattr(overview, "go_to", went.append)
    test = press(opened(stage), label)
    assert went == [screen]
    if chosen:
        assert test.session_state["desk.claims.filter"] == chosen


def test_nightly_jobs_that_did_not_come_are_counted_and_linked(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime.now().astimezone()
    take(stage, (now - timedelta(days=3)).date())
    copied = Preference(stage.runtime.desk.journal.database, **BACKED_UP_AT)
    copied.save((now - timedelta(hours=49)).isoformat())
    assert answers(opened(stage))["To check"] == ("1", "1 nightly job failed")
    copied.save((now - timedelta(hours=51)).isoformat())
    stage.sell(by=MANAGER, fault="drop_after_write")
    test = opened(stage)
    went: list[tuple[str, dict[str, str]]] = []
    assert answers(test)["To check"] == ("3", "2 nightly jobs failed, 1 entry")
    for said, box in zip(("The history has no night since", "copy of this desk's records"), test.warning, strict=True):
        assert said in box.value
        assert box.value.endswith("**What to do:** ask your administrator.")
    monkeypatch.setattr(overview, "go_to", lambda screen, **query: went.append((screen, query)))
    press(press(test, "See the nights"), "Open Connection")
    assert went == [("claim_trends", {"view": "Resolution"}), ("connection", {})]
    nights = stage.screen("claim_trends", MANAGER, query={"view": "Resolution"})
    assert test.warning[0].value in [warning.value for warning in nights.warning]


def test_products_are_told_by_plans_where_these_are_known(stage: Stage, kept: KeptClaims) -> None:
    product = str(kept.claims.frame["product_name"].iloc[0])
    plans = {(month, product): 100 for month in months_of(36)[24:]}
    stage.runtime.insight.plans_sold(MANAGER).replace(plans, file_name="plans.csv")
    titles = [chart.proto.alt.partition(".")[0] for chart in opened(stage).get("plotly_chart")]
    assert titles[1].startswith("Claims per 1,000 plans up to age ")


def test_before_the_first_claim_nothing_is_compared(sandbox: SandboxServer, stage: Stage) -> None:
    first = starts_back(service_today(), 1).first
    sandbox.reset("empty")
    sandbox.add_claims([{"claim_date": f"{first}T10:00:0{second}.000000"} for second in range(3)])
    test = opened(stage)
    sandbox.reset("demo")
    assert answers(test)["Claims last month"] == ("3", "")
    assert f"No comparison with {first - timedelta(days=1):%b %Y}: there were no claims yet." in words(test)


def test_a_shop_without_a_claim_is_told_so(sandbox: SandboxServer, stage: Stage) -> None:
    sandbox.reset("empty")
    test = shown(opened(stage).run())
    sandbox.reset("demo")
    assert answers(test)["Open claims"] == ("0", "")
    assert "No claims yet." in words(test)
    assert not test.get("plotly_chart")


def test_what_is_missing_is_said_and_not_compared_and_without_claims_the_desks_own_answers_stand(stage: Stage) -> None:
    read_by(stage, in_part(stage))
    test = opened(stage)
    assert "Not all claims are here, so there is no comparison." in words(test)
    assert answers(test)["Claims last month"][1] == ""

    def failing(query: ClaimQuery, **_: Any) -> ClaimSet:
        raise NotSent(trace=Trace(operation="claims", attempt_id="a"))

    read_by(stage, failing)
    test = opened(stage)
    assert list(answers(test)) == ["Plans sold today", "To check"]
    assert [button.label for button in test.button if button.key == "claims-try-again"] == ["Try again"]

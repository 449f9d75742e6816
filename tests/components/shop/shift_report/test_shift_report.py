"""The shift report: for managers, of a day or a range, and honest about what it covers."""

import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from tests.builders import ADMINISTRATOR, MANAGER, STAFF, TV, order_of
from tests.components.stage import Stage, press, says, shown, words
from warranty.claims.analysis.periods import day_words
from warranty.people.tills.tills import Store, Tills, shop_now


def test_a_manager_sees_what_was_sold_and_that_it_covers_this_desk_only(stage: Stage) -> None:
    nothing = words(stage.screen("shift_report", MANAGER))
    says(nothing, "Nothing was sent from this desk", "appear here as soon as something is sold")
    order = stage.order(TV)
    before = stage.screen("shift_report", MANAGER)
    assert "1 order · 0 sales · 0 checkouts" in words(before)
    assert not before.get("plotly_chart"), "small numbers are words"
    stage.sell(order)
    screen = stage.screen("shift_report", MANAGER)
    said = words(screen)
    says(said, "1 order · 1 sale · 0 checkouts", "This counts what was recorded at this desk.")
    assert "1 of 1 counter order with something to offer had a plan sold" in said
    assert "| Person | Orders | Sales | Plans | Revenue |\n| --- | ---: | ---: | ---: | ---: |" in said
    says(said, "| Sam Counter | 1 | 1 | 1 | 79.99 |", "| 55in OLED television | 24 months | 1 | 79.99 |")
    shown = {name: figure(screen, name) for name in ("Revenue", "Plans sold", "Attach rate")}
    assert shown == {"Revenue": "79.99 USD", "Plans sold": "1", "Attach rate": "1 of 1"}
    assert len(screen.get("plotly_chart")) == 1
    assert len(screen.get("download_button")) == 2


def test_who_declined_in_these_days_is_not_among_those_whom_nobody_asked(stage: Stage) -> None:
    activity = stage.runtime.desk.activity
    first, second, _ = (stage.send(order_of(TV)) for _ in range(3))
    began = stage.runtime.desk.now()
    activity.decline(STAFF, first, declined=True)
    between = stage.runtime.desk.now()
    activity.decline(MANAGER, second, declined=True)
    screen = stage.screen("shift_report", MANAGER)
    assert figure(screen, "Attach rate") == "0 sold, 2 declined, 1 not asked"
    assert "| Sam Counter | 3 | 2 |" in words(screen), "of their orders, whoever noted it"
    for end, declined in ((began, 0), (between, 1)):
        report = activity.shift_report(MANAGER, None, end, zone=UTC)
        assert report is not None
        assert report.attach_rate.declined == declined


def test_money_that_may_be_missing_stands_first_with_its_amount(stage: Stage) -> None:
    for _ in range(2):
        stage.sell(fault="drop_after_write")
    screen = stage.screen("shift_report", MANAGER)
    says(screen, "2 to check: 159.98 USD may have been sold", "2 orders · 0 sales · 0 checkouts")


def test_the_report_is_of_the_days_that_are_asked_for(stage: Stage) -> None:
    stage.send(order_of(TV))
    screen = stage.screen("shift_report", MANAGER, query={"shift": "yesterday"})
    assert "Nothing was sent from this desk" in words(screen)
    assert "1 order · 0 sales" in words(press(screen, "Show all days"))
    screen = stage.screen("shift_report", MANAGER, query={"shift": "range"})
    assert "1 order · 0 sales" in words(screen), "the last seven days"
    typed = date(2026, 11, 1), date(2099, 11, 30)
    assert "Shown: 1 Nov 2026 to 30 Nov 2099. Times" in words(shown(screen.date_input[0].set_value(typed).run()))


@pytest.mark.parametrize("zone", [ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Pacific/Niue")])  # 25 hours apart
def test_today_is_the_stores_and_its_time_zone_is_named(stage: Stage, zone: ZoneInfo) -> None:
    database = stage.runtime.desk.journal.database
    Tills(database, "sandbox").describe(Store(MANAGER.at.store_id, "Main Street", str(zone)))
    today = day_words(shop_now(database).date())
    assert today == day_words(datetime.now(zone).date())
    assert f"({today})" in words(stage.screen("shift_report", MANAGER))
    stage.send(order_of(TV))
    assert f"1 entry, {today}." in words(stage.screen("activity", MANAGER, query={"days": "today"}))
    for name, operator in (("shift_report", MANAGER), ("activity", STAFF), ("audit", ADMINISTRATOR)):
        assert f"Times are in {zone}." in words(stage.screen(name, operator))


def figure(screen: AppTest, name: str) -> str:
    names = [caption.value for caption in screen.caption]
    bold = [element.value for element in screen.markdown if re.fullmatch(r"\*\*.*\*\*", element.value)]
    return dict(zip(names, (value.strip("*").replace(chr(92), "") for value in bold), strict=False))[name]

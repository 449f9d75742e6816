"""Resolution: what the tab tells without a night, with one, and with some of them missing."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from components import wiring
from components.claims.trends.resolution import backlog_chart, closed_by_days_chart, paths_table
from sandbox import SandboxServer
from tests.builders import MANAGER, base
from tests.components.claims.screen.screen import folded_out
from tests.components.stage import Stage, StageWith, pick_lists, says, shown, words
from tests.warranty.insight.history.past import EVER, day, lives_of, one_claim, read
from tests.worlds import Shop
from warranty.claims.retrieval.update import Reading
from warranty.database.background import Background
from warranty.insight.history import keeping
from warranty.insight.history.keeping import keep
from warranty.insight.history.lives import backlog, time_to_close
from warranty.insight.history.nights import Nights, stored_claims
from warranty.insight.history.past import last_night
from warranty.settings import Settings, load_settings

BASE = base(count=1)
SHOP = Shop(seed=4, claims_a_month=20, resolve_days=9, products=2, months=8, reopened=0.2)


def take(stage: Stage, taken: date, frame: pd.DataFrame | None = None, *, whole: bool = True) -> None:
    settings = stage.runtime.settings
    as_of = datetime.combine(taken, time(2), UTC)
    frame = SHOP.claims(as_of.replace(tzinfo=None)) if frame is None else frame
    why = ("The service did not answer.",)
    reading = Reading(stored_claims(frame, as_of), as_of, len(frame), whole=whole, reasons=why)
    keep(Nights(settings.history_dir / settings.environment), reading, day=taken, environment="sandbox")


def tab(stage: Stage) -> AppTest:
    return stage.screen("claim_trends", MANAGER, query={"view": "Resolution"})


def test_without_a_night_it_says_what_a_manager_can_do_or_when_training_has_them(stage: Stage) -> None:
    assert "A desk with a sandbox of its own has them a minute after its start" in words(tab(stage))
    shops = stage.runtime.settings.model_copy(update={"environment": "staging"})
    stage.runtime = replace(stage.runtime, settings=shops)
    to_do = "What to do: ask your administrator to have claims read every night:"
    assert f"No night is on record yet. {to_do}" in words(tab(stage))


def test_the_training_takes_nights_of_the_sandbox_that_it_has_started_and_of_no_other(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Callable[[int], bytes]] = []

    def begin(_settings: Settings, evening: Callable[[int], bytes]) -> Background:
        begun.append(evening)
        return Background("none", lambda: None, every=timedelta(days=1), log=logging.getLogger(), fault="")

    monkeypatch.setattr(keeping, "start_evenings", begin)
    Stage(sandbox, tmp_path / "other", monkeypatch).runtime.process.close()
    assert begun == []
    runtime = wiring.build(load_settings({"data_dir": str(tmp_path / "own")}))
    (evening,) = begun
    assert 0 < json.loads(evening(0))["total_count"] <= 480, "but for those of this morning"
    runtime.process.close()


def test_nights_of_another_machine_are_told_of_and_one_night_here_tells_no_time_to_close(stage: Stage) -> None:
    last_night(stage.runtime.desk.journal.database, "sandbox").save("2026-11-22 on desk-2")
    said = words(tab(stage))
    says(said, "the last was kept on 2026-11-22 on desk-2.", "WARRANTY_HISTORY_DIR")
    assert "No night is on record yet" not in said
    take(stage, SHOP.today)
    assert "1 complete night on record" in words(tab(stage))
    test = tab(stage)
    assert "How long claims take can be told from the second night on." in words(test)
    assert next((each.label, each.value) for each in test.metric) == ("Median days until closed", "–")


def test_what_is_open_and_what_was_opened_again_is_counted(stage: Stage) -> None:
    take(stage, day(20), read(("A", 2, "OPEN"), ("B", 20, "RESOLVED"), ("C", 20, "OPEN")))
    take(stage, day(21), read(("A", 2, "RESOLVED"), ("B", 20, "OPEN"), ("C", 20, "OPEN")))
    found = {metric.label: metric.value for metric in tab(stage).metric}
    assert found == {"Median days until closed": "–", "Times reopened": "1"}, "of three claims no median is told"


def test_nights_that_are_missing_or_not_whole_are_named_and_figures_have_intervals(stage: Stage) -> None:
    for back in (60, 59, 58, 50, 49, 40, 30, 28, 20, 12, 11, 10, 9, 3, 2, 1, 0):
        take(stage, SHOP.today - timedelta(days=back))
    take(stage, SHOP.today - timedelta(days=5), whole=False)
    test = tab(stage)
    assert len(test.get("plotly_chart")) == 2
    for said in (
        "17 complete nights on record, 23 Sep 2026 to 22 Nov 2026; 44 nights missing.",
        "Claims made 23 Sep 2026 to 22 Nov 2026", "Half of these claims are closed within",
        "with 95 % certainty, between",
    ):  # fmt: skip
        assert said in words(test)
    opened = words(folded_out(test, "nights"))
    assert "26 Sep 2026 to 2 Oct 2026: no complete night" in opened
    assert "\n24 Oct 2026: no complete night" in opened
    assert "17 Nov 2026: incomplete" in opened.replace("INCOMPLETE", "incomplete")
    (product,) = pick_lists(test)
    product.set_value(product.options[0])
    assert "product Product 1" in words(shown(test.run()))


def test_where_no_claim_was_seen_closed_it_says_what_closed_is_and_where_to_set_others(stage_with: StageWith) -> None:
    stage = stage_with(closed_statuses="Erledigt")
    for back in (9, 0):
        take(stage, SHOP.today - timedelta(days=back))
    said = words(tab(stage))
    assert "None of these claims was seen closed. Closed means Erledigt: if the service has another word" in said


def test_a_backlog_is_a_line_and_a_band_a_curve_says_what_it_shows_and_a_path_how_long_half_took() -> None:
    nights = {3: read(("A", 2, "OPEN"), ("B", 2, "OPEN")), 5: read(("A", 2, "OPEN"), ("B", 2, "DENIED"))}
    chart = backlog_chart(backlog(lives_of(nights)), BASE)
    assert chart.words == "A line; 2 on 3 Nov 2026, 2 on 3 Nov 2026, 1 on 5 Nov 2026"
    assert list(chart.figure.data[2].y) == [2, None, 1]
    assert list(chart.figure.data[1].text) == ["2", "1 to 2", "1"]
    nights = {
        number: read(("A", 2, "RESOLVED" if number > 4 else "OPEN"), ("B", 2, "DENIED" if number > 8 else "OPEN"))
        for number in range(3, 12)
    }
    chart = closed_by_days_chart(time_to_close(lives_of(nights).intervals(EVER)), BASE)
    assert "; 0 % within 2 days; 50 % within 3 days; 50 % within 5 days; 100 % within 7 days" in chart.words
    assert chart.table.to_numpy().tolist() == [[0, 0], [3, 50], [7, 100]], "each step, as numbers"
    assert closed_by_days_chart(None, BASE).nothing
    (row,) = paths_table(one_claim({2: "", 4: "OPEN", 5: "OPEN", 9: "RESOLVED"}).moves(EVER)).to_dict("records")
    assert row == {"from": "Open", "to": "Resolved", "times": 1, "half of them after": "1 to 7 days"}

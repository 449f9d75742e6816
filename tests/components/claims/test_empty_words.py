"""An empty status or product: the service's words are an open set, so it is treated as any other."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from components.claims.claims_filter import ClaimsFilter
from components.claims.narrowed import narrowed_by
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import MANAGER
from tests.components.claims.screen import chips
from tests.components.stage import Stage, shown
from warranty.analysis import NO_PICK, ChartPick

FRAME = pd.DataFrame(
    {"status": pd.Categorical(["OPEN", "", ""]), "product_name": pd.array(["", "TV", ""], dtype="str")}
)


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    with SandboxServer(seed="demo") as sandbox:
        sandbox.add_claims([{"order_id": "nameless", "product_name": ""}])
        staged = Stage(sandbox, tmp_path, monkeypatch, claims_calls_per_second="1000")
        yield staged
        staged.runtime.close()


@pytest.mark.parametrize(
    ("pick", "rows"),
    [
        (ChartPick(product=""), [0, 2]),
        (ChartPick(status=""), [1, 2]),
        (ChartPick(status="", product=""), [2]),
        (ChartPick(), [0, 1, 2]),
    ],
)
def test_a_bar_of_an_empty_word_picks_the_claims_without_one(pick: ChartPick, rows: list[int]) -> None:
    assert list(np.flatnonzero(pick.of(FRAME, closed=("RESOLVED",)))) == rows
    assert bool(pick) == (pick != NO_PICK)
    assert ChartPick.from_parameter(pick.parameter) == pick


def test_an_empty_word_is_said() -> None:
    assert ChartPick(status="", product="").words == "status (empty), product (empty)"
    chosen = ClaimsFilter(statuses=("", "OPEN"))
    assert [said for said, _ in narrowed_by(chosen)] == ["status (empty)", "status Open"]


@pytest.mark.parametrize(
    "view",
    [ClaimsFilter(period="all", products=("",)), ClaimsFilter(period="all", pick=ChartPick(product=""))],
)
def test_a_link_opens_the_claims_of_a_product_without_a_name(stage: Stage, view: ClaimsFilter) -> None:
    test = stage.screen("claims", MANAGER, query=view.address())
    stage.runtime.claims.wait(view.query(service_today()), longest=timedelta(seconds=20))
    shown(test.run())
    assert list(test.dataframe[0].value["order_id"]) == ["nameless"]
    assert chips(test) == ["product (empty)"]
    test.session_state["claims-more"] = True
    shown(test.run())
    products = next(each for each in test.multiselect if each.label == "Product")
    assert "(empty) (1)" in products.options

"""The shift report: for managers, of a day or a range, and honest about what it covers."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sandbox import SandboxServer
from tests.builders import MANAGER, STAFF, TV, order_of, sale_of
from tests.components.stage import Stage, shown, words


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    with SandboxServer() as sandbox:
        staged = Stage(sandbox, tmp_path, monkeypatch)
        yield staged
        staged.runtime.close()


def test_a_manager_sees_what_was_sold_and_that_it_covers_this_desk_only(stage: Stage) -> None:
    assert "Nothing was sent from this desk" in words(stage.screen("shift_report", MANAGER))
    order = order_of(TV)
    stage.send(order)
    sale = sale_of(order.order_id, ("TV-55", 24, "79.99"))
    stage.runtime.desk.send(STAFF, sale, draft_id="d", screen="record_sale")
    assert figure(stage.screen("shift_report", MANAGER), "Links shown") == "0"
    stage.screen("submit_order", STAFF, query={"order": order.order_id})
    screen = stage.screen("shift_report", MANAGER)
    said = words(screen)
    assert "This covers what was recorded at this desk." in said
    assert "1 of 1 new order with something to offer had a plan sold" in said
    assert "79.99 USD" in said
    assert [list(table.value.iloc[0]) for table in screen.dataframe] == [
        ["24 months", "1", "79.99"],
        ["Sam Counter", "1", "1", "1", "79.99", "0", "0", "0"],
    ]
    assert figure(screen, "Links shown") == "1"
    assert "orders whose link stood on a screen here in this time" in said
    assert len(screen.get("plotly_chart")) == 2
    assert len(screen.get("download_button")) == 1


def test_the_report_is_of_a_day_or_of_a_range(stage: Stage) -> None:
    order = order_of(TV)
    stage.send(order)
    nothing = "Nothing was sent from this desk"
    assert nothing in words(stage.screen("shift_report", MANAGER, query={"shift": "yesterday"}))
    screen = stage.screen("shift_report", MANAGER, query={"shift": "range"})
    assert figure(screen, "New orders") == "1", "the last seven days"
    today = stage.runtime.journal.now().date()
    screen.date_input[0].set_value((today - timedelta(days=3), today - timedelta(days=1)))
    assert nothing in words(shown(screen.run()))
    screen.date_input[0].set_value((today - timedelta(days=1), today))
    assert figure(shown(screen.run()), "New orders") == "1"


def figure(screen: AppTest, name: str) -> str:
    """The figure that stands under its name."""
    lines = words(screen).splitlines()
    names = [
        line
        for line in lines
        if line in {"New orders", "Links shown", "Sales", "Plans sold", "Attach rate", "Revenue"}
    ]
    figures = [
        element.value.strip("*").replace(chr(92), "")
        for element in screen.markdown
        if element.value.startswith("**")
    ]
    return dict(zip(names, figures, strict=False))[name]


def test_staff_do_not_see_it(stage: Stage) -> None:
    screen = stage.screen("shift_report", STAFF)
    assert "is for managers. Ask one" in words(screen)
    assert not screen.dataframe

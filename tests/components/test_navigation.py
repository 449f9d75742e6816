"""Which screen a person begins with, and the tour's card, whose step is done when it was done."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from components.navigation import first_screen
from tests.builders import ADMINISTRATOR, MANAGER, STAFF
from tests.components.stage import Stage, press, shown, words
from warranty.access import Operator, Station

SWITCHED_IN = replace(MANAGER, at=Station(till_id="1", switched_by="pin"))


@pytest.mark.parametrize(
    ("operator", "begins"),
    [
        pytest.param(STAFF, "submit_order", id="who sells, with the next order"),
        pytest.param(MANAGER, "overview", id="who sees it, with the answers"),
        pytest.param(SWITCHED_IN, "submit_order", id="a manager who was switched in at a till sells"),
        pytest.param(ADMINISTRATOR, "people", id="who lets people in, with them"),
    ],
)
def test_a_person_begins_with_what_they_are_there_for(operator: Operator, begins: str) -> None:
    assert first_screen(operator).name == begins


CARD = """
from components import wiring
from components.platform import session
from components.system.tour import guide
from components.system.tour.guide import STEPS
from tests.builders import STAFF

runtime = wiring.runtime()
claims = next(n for n, step in enumerate(STEPS) if step.screen == "claims")
kept = runtime.desk.preference(STAFF, "tour")
if not kept.load():
    kept.save({"began": runtime.desk.now().isoformat(), "step": claims, "armed": claims})
desk, control = runtime.desk, runtime.service.sandbox
guide.guide_of(STAFF, desk=desk, control=control).show("claims")
"""


def test_looking_up_a_claim_takes_a_row_that_was_pressed(stage: Stage) -> None:
    card = press(shown(AppTest.from_string(CARD, default_timeout=30).run()), "Done, next step")
    assert "Press a row first." in words(card)
    card.session_state["desk.claims-table.opening"] = 1
    press(card, "Done, next step")
    assert [box.label for box in card.expander] == ["The tour is done"]

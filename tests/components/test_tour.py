"""The tour's card: a step counts as done when it was done, not when somebody says so."""

from streamlit.testing.v1 import AppTest

from tests.components.stage import Stage, press, shown, words

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

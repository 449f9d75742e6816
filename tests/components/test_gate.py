"""Who begins with which screen; who may not open one sees nothing of it, and who is out by now gets no file of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.gate import guarded, taken_away
from components.navigation import SCREENS, first_screen
from components.platform import session
from tests.builders import ADMINISTRATOR, MANAGER, STAFF
from tests.components.people.sign_in.people import People, sign_in_of
from tests.components.stage import Stage, press, shown, words
from warranty.access import Operator, Permission, Role, Station
from warranty.desk.taking_away import TakenAway
from warranty.errors import JournalUnavailable, PermissionDenied, SignedOut
from warranty.people.accounts import Account

SWITCHED_IN = replace(MANAGER, at=Station(till_id="1", switched_by="pin"))
SELLING = ("New order", "Record sale", "Checkout", "Import", "Claims", "Activity")
OF_MANAGERS = dict.fromkeys(("Overview", "Trends", "Shift report"), "is for managers. Ask one, or sign in as one.")
OF_ADMINISTRATORS = dict.fromkeys(("People", "Audit"), "is for administrators. Ask one, or sign in as one.")
FOR_SELLERS = "is for who sells. Sign in as staff or as a manager."
NOT_BY_PIN = "does not open by a PIN or a badge. Sign in with your password."


def _screen() -> None:
    import streamlit as st

    from components.gate import require
    from warranty.access import Permission

    require(Permission(st.query_params["asks"]))
    st.title("It is open.")


def refusals(operator: Operator) -> dict[str, str]:
    test = AppTest.from_function(_screen)
    refused_rights: list[tuple[str, Permission]] = []
    noting = lambda who, permission: refused_rights.append((who.username, permission))  # noqa: E731
    test.session_state["desk.person"] = session.AtTab(replace(operator, on_refusal=noting))
    found = {}
    for screen in SCREENS:
        test.query_params["asks"] = screen.permission.value
        test.run()
        if not test.title:
            found[screen.title] = test.info[0].value
    closed = [screen.permission for screen in SCREENS if screen.title in found]
    assert refused_rights == [(operator.username, permission) for permission in closed]
    return found


@pytest.mark.parametrize(("operator", "closed"), [
    (STAFF, OF_MANAGERS | OF_ADMINISTRATORS), (MANAGER, OF_ADMINISTRATORS),
    (SWITCHED_IN, dict.fromkeys(OF_MANAGERS, NOT_BY_PIN) | OF_ADMINISTRATORS),
    (ADMINISTRATOR, dict.fromkeys(SELLING, FOR_SELLERS) | OF_MANAGERS),
], ids=("staff", "manager", "manager by a PIN", "administrator"))  # fmt: skip
def test_a_screen_not_for_a_role_says_for_whom_it_is(operator: Operator, closed: dict[str, str]) -> None:
    assert refusals(operator) == {title: f"{title} {sentence}" for title, sentence in closed.items()}


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    remembered: dict[str, Any] = {"authentication_status": True, "username": "manager"}
    monkeypatch.setattr(st, "session_state", remembered)
    session.remember("signed-in-at", datetime.now(UTC))
    return remembered


@pytest.mark.usefixtures("tab")
def test_a_file_is_built_for_who_is_signed_in_by_then_and_may_have_it_by_then() -> None:
    maya = Account(username="manager", name="Maya", role=Role.MANAGER, password_hash="$2b$12$" + "x" * 53)
    people = People({"manager": maya})
    still = sign_in_of(people).watch()
    session.set_operator(still(), still=still)
    build = guarded(lambda: b"claims", Permission.EXPORT_CLAIMS)
    assert build() == b"claims"
    people.accounts["manager"] = replace(maya, role=Role.STAFF)
    with pytest.raises(PermissionDenied):
        build()
    assert people.refused_rights == [("manager", Permission.EXPORT_CLAIMS)]
    people.accounts["manager"] = maya
    people.signed_out["manager"] = datetime.now(UTC) - timedelta(hours=1)  # an earlier sign-in's
    assert build() == b"claims"
    people.sign_out("manager")
    with pytest.raises(SignedOut):
        build()
    people.signed_out.clear()
    del people.accounts["manager"]
    with pytest.raises(SignedOut):
        build()


@pytest.mark.usefixtures("tab")
def test_a_file_that_takes_data_away_goes_out_once_that_is_written_down_and_else_not() -> None:
    written: list[tuple[Any, ...]] = []
    journal_answers = True

    def write_down(what: TakenAway, *, count: int, subset: str) -> None:
        if not journal_answers:
            raise JournalUnavailable("away")
        written.append((what, count, subset))

    session.set_operator(MANAGER, taking=write_down)
    build = taken_away(TakenAway.CHART, lambda: b"a chart", count=3, subset="over-time")
    assert build() == b"a chart"
    assert written == [(TakenAway.CHART, 3, "over-time")]
    journal_answers = False
    with pytest.raises(JournalUnavailable):
        build()
    session.set_operator(STAFF, taking=write_down)
    with pytest.raises(PermissionDenied):
        taken_away(TakenAway.CHART, lambda: b"a chart", count=3)()
    assert len(written) == 1


@pytest.mark.parametrize(("operator", "begins"), [
    pytest.param(STAFF, "submit_order", id="who sells, with the next order"),
    pytest.param(MANAGER, "overview", id="who sees it, with the answers"),
    pytest.param(SWITCHED_IN, "submit_order", id="a manager who was switched in at a till sells"),
    pytest.param(ADMINISTRATOR, "people", id="who lets people in, with them"),
])  # fmt: skip
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

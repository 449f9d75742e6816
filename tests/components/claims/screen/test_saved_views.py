"""Views that a person saves: what is replaced is replaced knowingly, and what was done is said."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.claims.screen.claims_filter import ClaimsFilter
from sandbox import SandboxServer
from tests.builders import MANAGER
from tests.components.claims.screen.screen import field, folded_out
from tests.components.claims.screen.screen import opened as read_claims
from tests.components.stage import Stage, press, shown, words
from warranty.database.preferences import Preference


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="empty") as running:
        running.add_claims([{"order_id": "one", "claim_date": "2026-11-21T10:00:00.000000"}])
        yield running


def opened(stage: Stage, screen: str = "claims", **view: str) -> AppTest:
    return folded_out(read_claims(stage, {"period": "all", **view}, screen), "saved-views")


def save(test: AppTest, name: str) -> AppTest:
    field(test, "Save this view as").set_value(name)
    return press(test, "Save view")


def names(test: AppTest) -> list[str]:
    return [view for each in test.selectbox if each.label == "Open a view" for view in each.options]


def stored(stage: Stage) -> dict[str, dict[str, str]]:
    found = Preference(stage.runtime.desk.journal.database, MANAGER.username, "claims-views.sandbox").load()
    assert isinstance(found, dict)
    return found


def test_a_view_of_the_same_name_in_any_case_is_replaced_only_when_saved_once_more(stage: Stage) -> None:
    again, test = opened(stage, sort="product"), save(opened(stage, sort="oldest"), "My view")
    assert "The view “My view” is saved." in words(test).replace("\\", "")
    save(again, "my VIEW")
    assert "There is already a view “My view”." in words(again).replace("\\", "")
    assert stored(stage) == {"My view": {"period": "all", "sort": "oldest"}}
    save(again, "Another")  # another name in between is no yes
    assert "There is already a view" in words(save(again, "my VIEW"))
    assert "There is already a view “Another”." in words(save(again, "another")).replace("\\", "")
    assert "There is already a view" in words(save(again, "my VIEW"))  # a yes to another's name was none to this
    save(again, "my VIEW")
    assert stored(stage)["my VIEW"] == {"period": "all", "sort": "product"}
    assert set(stored(stage)) == {"my VIEW", "Another"}


def test_open_claims_oldest_first_are_a_view_that_ignores_the_range(stage: Stage) -> None:
    test = press(opened(stage, period="last-month", status="OPEN"), "Open, oldest first")
    assert test.session_state["desk.claims.filter"] == ClaimsFilter(period="all", open_only=True, order="oldest")


def test_the_opened_view_is_deleted_alone(stage: Stage) -> None:
    test = save(save(opened(stage), "First"), "Second")
    assert names(press(test, "Delete the opened view")) == ["First"]
    assert set(stored(stage)) == {"First"}


def test_no_saved_view_has_words_with_a_customers_address_not_even_an_earlier_one(stage: Stage) -> None:
    earlier = {"period": "all", "words": "ada@example.com"}
    Preference(stage.runtime.desk.journal.database, MANAGER.username, "claims-views.sandbox").save({"Earlier": earlier})
    test = opened(stage)
    field(test, "Search").set_value("ada@example.com")
    shown(test.run())
    save(test, "Ada")
    assert "Ada" in stored(stage)
    assert "ada@" not in str(stored(stage))

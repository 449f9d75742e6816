"""A tab that comes back to another server before anything of its draft was stored goes on with the same draft."""

from streamlit.testing.v1 import AppTest

from tests.builders import MANAGER
from tests.components.stage import Stage, pick_lists


def fields(screen: AppTest) -> list[str]:
    return sorted(str(field.key) for field in (*screen.text_input, *pick_lists(screen)))


def draft_of(screen: AppTest) -> str:
    return str(screen.text_input[0].key).split(":")[1]


def test_the_fields_of_a_tab_fit_again_on_another_server_though_nothing_was_stored(stage: Stage) -> None:
    for name in ("submit_order", "notify_checkout"):
        first = stage.screen(name)
        second = stage.screen(name, query={"draft": draft_of(first)})
        assert fields(second) == fields(first)


def test_nobody_goes_on_with_the_draft_of_another_person(stage: Stage) -> None:
    first = stage.screen("submit_order")
    other = stage.screen("submit_order", operator=MANAGER, query={"draft": draft_of(first)})
    assert draft_of(other) != draft_of(first)

"""What only a screen shows of forms: clicks faster than it, and fields that fit again on another server."""

from streamlit.testing.v1 import AppTest

from tests.components.stage import Stage, pick_lists


def _script() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from components.platform import session

    def first() -> None:
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        context.script_requests.request_rerun(RerunData())  # as the server does when the next click arrives
        session.remember("order_id", session.value_of("typed", "") + "!")
        session.forget("old")
        session.clear_prefixed("nothing:")

    session.fill_new({"typed": "made"})
    st.text_input("Typed", key="typed")
    st.button("First", on_click=first)
    st.text(session.recall("order_id", "nothing"))


def test_a_click_is_not_cut_off_by_the_one_after_it() -> None:
    screen = AppTest.from_function(_script).run()
    assert screen.text[0].value == "nothing"
    screen.button[0].click().run()
    assert not screen.exception
    assert screen.text[0].value == "made!"


def fields(screen: AppTest) -> list[str]:
    return sorted(str(field.key) for field in (*screen.text_input, *pick_lists(screen)))


def draft_of(screen: AppTest) -> str:
    return str(screen.text_input[0].key).split(":")[1]


def test_the_fields_of_a_tab_fit_again_on_another_server_though_nothing_was_stored(stage: Stage) -> None:
    for name in ("submit_order", "notify_checkout"):
        first = stage.screen(name)
        second = stage.screen(name, query={"draft": draft_of(first)})
        assert fields(second) == fields(first)

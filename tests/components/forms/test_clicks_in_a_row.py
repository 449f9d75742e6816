"""Clicks faster than the screen: each is done, once."""

from streamlit.testing.v1 import AppTest


def _script() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from components import session

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

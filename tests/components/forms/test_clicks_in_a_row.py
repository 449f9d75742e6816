"""Clicks faster than the screen: each is done, once, and what the screen no longer shows says nothing."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.journal import open_journal


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


def _form(desk: "Desk", late: str) -> None:
    """A form, and what a browser that is behind still says of the fields that it had."""
    import streamlit as st

    from components import session
    from components.forms.draft_form import DraftForm
    from warranty.access import Operator, Role

    def opened() -> DraftForm:
        clerk = Operator("staff", "Sam Counter", Role.STAFF)
        return DraftForm.open(desk, clerk, "submit_order")

    form = opened()
    form.keep("email", "ada@example.com")
    form.store()
    field = form.widget_key("order_id")
    if late == "renewed":
        form.put("order_id", "made by code")
    elif late == "discarded":
        form.start_anew()
    elif late == "sent":
        form.about_to_send()
    else:
        session.leave_everything(but="")
    meanwhile = opened() if late == "discarded" else form
    session.fill(field, "typed too late")
    form.typed("order_id", field)
    if late not in {"renewed", "sent"}:
        form.keep("line_items", "of before")
        form.store()
        form.start_anew()  # a second press
    now = opened()
    now.store()
    st.text(now.kept("order_id", "no order id"))
    st.text(now.kept("line_items", "no items"))
    st.text("the same draft" if now.draft_id == meanwhile.draft_id else "another draft")


@pytest.mark.parametrize(
    ("late", "shown", "kept"),
    [
        ("renewed", ["made by code", "no items", "the same draft"], "made by code"),
        ("sent", ["no order id", "no items", "the same draft"], "no order id"),
        ("discarded", ["no order id", "no items", "the same draft"], "no order id"),
        ("signed out", ["no order id", "no items", "the same draft"], "no order id"),
    ],
)
def test_a_field_that_is_no_longer_there_says_nothing(
    tmp_path: Path, late: str, shown: list[str], kept: str
) -> None:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite'}")
    client = WarrantyClient("https://127.0.0.1", private_token="private-1", public_token="public-1")
    desk = Desk(client=client, journal=journal, environment="sandbox")
    screen = AppTest.from_function(_form, kwargs={"desk": desk, "late": late}).run()
    assert not screen.exception
    assert [text.value for text in screen.text] == shown
    (stored,) = journal.drafts("sandbox", "staff", "submit_order").all()
    assert stored.content.get("order_id", "no order id") == kept

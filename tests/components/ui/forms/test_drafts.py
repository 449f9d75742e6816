"""Which draft a tab goes on with, what is stored of it, and what a field says that the screen no longer shows."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.platform import session
from components.ui.forms.draft_form import DraftForm, _new_id, new_row
from tests.builders import MANAGER, STAFF
from tests.components.stage import Stage, pick_lists, press, shown, write
from tests.journals import empty_journal
from warranty.access import Operator, Role
from warranty.client import WarrantyClient
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk import Desk
from warranty.desk.journal import AttemptState, Drafts, Intent, Journal, Outcome, Result

ANOTHER_CLERK = Operator("eli", "Eli Brook", Role.STAFF)


class Tabs:
    """The tabs of a desk, each with what it remembers, its connection and its address; time passes at each look."""

    def __init__(self, journal: Journal, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        self.journal, self.desk, self._monkeypatch = journal, desk, monkeypatch
        self.connected: set[str] = set()
        self._remembered: dict[str, dict[str, Any]] = {}
        monkeypatch.setattr(session, "is_connected", lambda name: name in self.connected)

    def enter(self, name: str) -> None:
        self._monkeypatch.setattr(session, "connection", lambda: name)
        self._monkeypatch.setattr(st, "session_state", self._remembered[name])

    def open(self, operator: Operator = STAFF, *, draft: str = "", name: str = "a tab") -> DraftForm:
        self.connected.add(name)
        self._remembered[name] = {}
        self.enter(name)
        self._monkeypatch.setattr(st, "query_params", {"draft": draft})
        return DraftForm.open(self.desk, operator, "submit_order")

    def typed(self, text: str = "ada@example.com", **where: Any) -> DraftForm:
        form = self.open(**where)
        form.keep({"email": text})
        form.store()
        return form

    def send(self, form: DraftForm, became: AttemptState, link: str | None = None) -> None:
        form.about_to_send()
        now = self.journal.database.clock()
        intent = Intent(
            attempt_id=form.draft_id[::-1], draft_id=form.draft_id, operation="submit_order",
            username=form.operator.username, operator_name=form.operator.name, screen="submit_order",
            environment="sandbox", order_id=f"order-{form.draft_id}", started_at=now,
            deadline=now + timedelta(hours=1), items=(), body={},
        )  # fmt: skip
        assert self.journal.begin(intent).may_send
        ended = Outcome(state=became, recorded_at=now, result=Result(landing_url=link))
        self.journal.conclude(intent.attempt_id, ended)

    def stored(self) -> list[dict[str, Any]]:
        return [draft.content for draft in self.desk.drafts(STAFF, "submit_order").all()]


@pytest.fixture
def tabs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tabs]:
    seconds = (datetime(2026, 11, 21, 9, tzinfo=UTC) + timedelta(seconds=n) for n in range(10_000))
    url = empty_journal(tmp_path / "journal.sqlite3")
    with (
        closing(open_journal(url, clock=lambda: next(seconds))) as journal,
        closing(WarrantyClient("https://127.0.0.1", private_token="1", public_token="2")) as client,
    ):
        yield Tabs(journal, Desk(client=client, journal=journal, environment="sandbox"), monkeypatch)


def test_a_tab_that_comes_back_before_anything_was_stored_has_the_same_draft(tabs: Tabs) -> None:
    first = tabs.open()
    again = tabs.open(draft=first.draft_id)
    assert (again.draft_id, new_row(again, "items")) == (first.draft_id, new_row(first, "items"))


@pytest.mark.parametrize("other", [MANAGER, ANOTHER_CLERK], ids=["a manager", "another clerk"])
@pytest.mark.parametrize("became", [None, AttemptState.UNKNOWN, AttemptState.REFUSED, AttemptState.DONE])
def test_nobody_goes_on_with_the_draft_of_another(tabs: Tabs, other: Operator, became: AttemptState | None) -> None:
    clerks = tabs.typed()
    if became:
        tabs.send(clerks, became)
    own = tabs.open(other, draft=clerks.draft_id)
    assert own.draft_id != clerks.draft_id
    assert own.content == {}
    assert tabs.open(draft=clerks.draft_id).draft_id == clerks.draft_id


def test_a_new_tab_goes_on_with_what_was_sent_last_unless_another_was_typed_in_since(tabs: Tabs) -> None:
    older = tabs.typed("older@example.com")
    newer = tabs.typed("newer@example.com", draft=_new_id(STAFF))
    assert tabs.open().content == {"email": "newer@example.com"}
    tabs.send(tabs.open(draft=older.draft_id), AttemptState.UNKNOWN)
    assert tabs.open().draft_id == older.draft_id, "what became of it is shown"
    tabs.typed("newest@example.com", draft=newer.draft_id)
    assert tabs.open().content == {"email": "newest@example.com"}


@pytest.mark.parametrize("became", [AttemptState.UNKNOWN, AttemptState.REFUSED])
def test_what_was_sent_and_put_aside_does_not_come_back_for_the_next_customer(tabs: Tabs, became: AttemptState) -> None:
    sent = tabs.typed()
    tabs.send(sent, became)
    tabs.open().leave()
    assert tabs.open().content == {}
    assert tabs.open(draft=sent.draft_id).content == {"email": "ada@example.com"}, "its address still leads to it"


def test_an_order_that_is_sent_by_itself_is_left_to_that_and_one_that_is_done_to_its_next(tabs: Tabs) -> None:
    waits = tabs.typed()
    tabs.send(waits, AttemptState.QUEUED, link="https://pages.example/o-1")
    waits.leave()
    assert tabs.open().content == {}
    done = tabs.typed(draft=_new_id(STAFF))
    tabs.send(done, AttemptState.DONE)
    assert tabs.open(draft=done.draft_id).draft_id == done.draft_id, "loaded again"
    assert tabs.open().draft_id not in {done.draft_id, waits.draft_id}, "another tab is for the next customer"
    assert tabs.open().waiting() == []


def test_a_draft_at_which_another_tab_is_at_work_is_left_to_it_until_that_is_closed(tabs: Tabs) -> None:
    first = tabs.typed(name="the first tab")
    second = tabs.open(name="a second tab")
    assert second.draft_id != first.draft_id
    assert [draft.draft_id for draft in second.waiting()] == [first.draft_id]
    tabs.connected.discard("the first tab")
    assert tabs.open(name="a third tab").draft_id == first.draft_id
    tabs.send(first, AttemptState.UNKNOWN)
    assert tabs.open(name="a fourth tab").draft_id == first.draft_id, "what was sent is shown in each"


def test_a_draft_is_stored_once_something_is_entered_and_not_for_who_is_signed_out(tabs: Tabs) -> None:
    tabs.open().save()
    assert tabs.stored() == []
    form = tabs.open(replace(STAFF, as_of_now=lambda: None))
    session.fill(form.widget_key("email"), "ada@example.com")
    form.typed("email", form.widget_key("email"))
    assert form.content == {"email": "ada@example.com"}
    assert tabs.stored() == []
    form = tabs.open()
    form.save()
    form.values["email"] = "bo@example.com"
    form.save()
    assert tabs.stored() == [{"email": "bo@example.com"}]


def test_a_draft_that_another_tab_has_sent_is_shown_as_it_was_sent_and_stays_so(tabs: Tabs) -> None:
    first = tabs.typed("ada@example.com", name="first")
    second = tabs.open(draft=first.draft_id, name="second")
    second.keep({"email": "typed meanwhile"})
    field = second.widget_key("email")
    tabs.enter("first")
    tabs.send(first, AttemptState.UNKNOWN)
    tabs.enter("second")
    second.lock(True)
    second.keep({"email": "typed too late"})
    assert second.content == {"email": "ada@example.com"}
    assert second.widget_key("email") != field, "mounted anew"
    second.lock(False)
    second.keep({"email": "bo@example.com"})
    assert second.content == {"email": "bo@example.com"}


@pytest.mark.parametrize(
    ("late", "order_id"), [("renewed", "made by code"), ("sent", None), ("discarded", None), ("signed out", None)]
)
def test_a_field_that_is_no_longer_there_says_nothing(tabs: Tabs, late: str, order_id: str | None) -> None:
    form = tabs.typed()
    field = form.widget_key("order_id")
    match late:
        case "renewed":
            form.put({"order_id": "made by code"})
        case "sent":
            form.about_to_send()
        case "discarded":
            form.start_anew()
        case _:
            session.leave_everything()
    begun = DraftForm.open(tabs.desk, STAFF, "submit_order") if late == "discarded" else form
    session.fill(field, "typed too late")
    form.typed("order_id", field)
    if late in {"discarded", "signed out"}:
        form.keep({"line_items": "of before"})
        form.store()
        form.start_anew()  # a second press
    now = DraftForm.open(tabs.desk, STAFF, "submit_order")
    now.store()
    assert now.draft_id == begun.draft_id
    assert (now.content.get("order_id"), now.content.get("line_items")) == (order_id, None)
    assert [content.get("order_id") for content in tabs.stored()] == [order_id]


def test_a_long_summary_names_the_first_faults_and_counts_the_others() -> None:
    def form(count: int) -> None:
        from components.ui.forms.faults import problem_summary

        problem_summary({f"line.{n}": f"Item {n}: enter a price" for n in range(count)})

    for count, last in ((12, "- Item 11: enter a price"), (100, "- and 95 more")):
        (summary,) = shown(AppTest.from_function(form, args=(count,)).run()).error
        lines = summary.value.replace("\\", "").splitlines()[2:]
        assert (len(lines), lines[-1]) == (12 if count == 12 else 6, last)


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


HOSTILE: Final = {
    "letters": "x" * 300, "digits": "9" * 20_000, "accents": "\u0315\u0300" * 5_000, "plans": "+1 @24 months (" * 500,
}  # fmt: skip
_FIELDS: Final = ("order_id", "order", "id", "email", "phone")
_ADDRESS: Final = ("email", "phone", "zip", "first_name", "address1", "city", "last_name")
_LINE: Final = ("product_id", "product_title", "product_price", "quantity", "category", "offer_id", "sku")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("screen", ["submit_order", "record_sale", "notify_checkout"])
def test_a_hostile_draft_can_be_opened_and_dropped(stage: Stage, screen: str, text: str) -> None:
    fields = dict.fromkeys([*_FIELDS, *(f"billing_address.{name}" for name in _ADDRESS)], text)
    content = {**fields, "lines": [{"id": "a", **dict.fromkeys(_LINE, text)}]}
    Drafts(stage.runtime.desk.journal.database, "sandbox", STAFF.username, screen).save("a" * 32, content)
    test = stage.screen(screen)
    if screen == "submit_order":
        press(test, "Yes, discard")
    else:
        write(test, {"Order" if screen == "record_sale" else "Order number": "another-order-1"})
    held = [field.value for field in test.text_input if field.label in {"Order", "Order number"}]
    assert held
    assert not any(text[:100] in str(value) for value in held)

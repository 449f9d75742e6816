"""What a fragment asks late undoes no press of the menu, and what a run drew last is not dropped at its end."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

from components.platform.serving import runs

PRESS = RerunData(page_script_hash="claims", query_string="period=all")
BACK = RerunData(page_script_hash="orders")
LATE = RerunData(page_script_hash="orders", fragment_id="keys")


@pytest.mark.parametrize(
    ("asked", "screen", "fragments"),
    [
        ((PRESS, LATE), "claims", []), ((LATE, PRESS, LATE), "claims", []), ((PRESS, BACK), "orders", []),
        ((LATE, BACK), "orders", []), ((LATE,), "orders", ["keys"]),
    ],
    ids=["late", "between", "back", "stays", "alone"],
)  # fmt: skip
def test_the_last_press_of_the_menu_says_where(asked: Sequence[RerunData], screen: str, fragments: list[str]) -> None:
    requests = ScriptRequests()
    for one in asked:
        assert runs._on_the_screen_to_come(requests, one)
    run = requests.on_scriptrunner_ready().rerun_data
    assert (run.page_script_hash, run.fragment_id_queue) == (screen, fragments)


def test_a_screen_that_is_drawn_anew_does_not_undo_a_press_of_the_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = ScriptRequests()
    requests.request_rerun(PRESS)
    monkeypatch.setattr(runs, "get_script_run_ctx", lambda **_: SimpleNamespace(page_script_hash="orders"))
    assert runs._on_the_screen_to_come(requests, BACK)
    assert requests.on_scriptrunner_ready().rerun_data.page_script_hash == "claims"


@pytest.mark.parametrize("screen", ["orders", "claims"])
def test_what_a_fragment_asks_late_undoes_no_filter_in_the_url(monkeypatch: pytest.MonkeyPatch, screen: str) -> None:
    run: list[RerunData] = []
    shown = SimpleNamespace(page_script_hash=screen, query_string="period=90-days", has_script_started=True)
    runner: Any = SimpleNamespace(_get_script_run_ctx=lambda: shown)
    ended: Any = SimpleNamespace(_scriptrunner=None, _client_state=shown)
    monkeypatch.setattr(runs, "_run", lambda of, asked: run.append(asked))
    monkeypatch.setattr(runs, "_create", lambda of, asked: run.append(asked))
    before = RerunData(page_script_hash="orders", query_string="period=30-days")
    late = replace(before, fragment_id="keys", fragment_id_queue=["keys"])
    for asked in (late, before):  # and the browser's Back
        runs._on_the_screen_shown(runner, asked)
        runs._after_the_last(ended, asked)
    assert [(one.page_script_hash, one.query_string) for one in run] == [
        *[(screen, "period=90-days")] * 2,
        *[("orders", "period=30-days")] * 2,
    ]
    shown.has_script_started = False  # the first of a new runner is right by then
    runs._on_the_screen_shown(runner, replace(late, query_string="period=all"))
    assert run[-1].query_string == "period=all"


def test_a_request_at_the_end_of_a_run_waits_until_what_it_drew_is_delivered(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    waiting: list[Callable[[], None]] = []
    loop = SimpleNamespace(call_soon=lambda act, *given: waiting.append(partial(act, *given)))
    ended = SimpleNamespace(request_rerun=lambda asked: False)
    session: Any = SimpleNamespace(_scriptrunner=ended, _state=None, _event_loop=loop, _client_state=LATE)
    monkeypatch.setattr(runs, "_create", lambda of, asked: begun.append(asked.fragment_id))
    runs._after_the_last(session, LATE)
    waiting.pop()()
    assert begun == []
    session._scriptrunner = None  # the last of its events was delivered
    waiting.pop()()
    assert begun == ["keys"]
    assert waiting == []


def test_a_screen_that_ends_early_keeps_what_was_asked_for_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = ScriptRequests()
    requests.request_rerun(LATE)
    with monkeypatch.context() as screen:
        screen.setattr(runs, "get_script_run_ctx", lambda **_: SimpleNamespace(script_requests=requests))
        with pytest.raises(StopException):
            runs._this_run_alone(requests)
    assert requests.on_scriptrunner_ready().rerun_data.fragment_id_queue == ["keys"]
    runs._this_run_alone(requests)  # the server's, when a tab has gone
    assert requests.on_scriptrunner_ready().type is ScriptRequestType.STOP

"""A tab's runs end whole: what one drew is delivered before the next begins, and a fragment runs on the screen shown.

Streamlit 1.67 drops what a run has still to deliver when a request comes in the moment of its end, and lets a late
request of a fragment name the screen and the address on which it was made: the browser then clears the screen that is
shown, or the press of the menu, or of a filter that is kept in the address, is undone. `st.stop()` drops what was asked
for meanwhile (docs/platform-notes/one-run-at-a-time.md).
"""

from dataclasses import replace
from typing import Any

from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

# platform: name streamlit.runtime.app_session.AppSession._create_scriptrunner
# platform: name streamlit.runtime.app_session.AppSession._scriptrunner streamlit.runtime.app_session.AppSession._state
# platform: name streamlit.runtime.app_session.AppSession._event_loop
# platform: name streamlit.runtime.app_session.AppSession._client_state
# platform: name streamlit.runtime.app_session.AppSessionState.SHUTDOWN_REQUESTED
# platform: name streamlit.runtime.scriptrunner.ScriptRunner._run_script streamlit.runtime.scriptrunner.RerunData
# platform: name streamlit.runtime.scriptrunner.ScriptRunner._get_script_run_ctx
# platform: name streamlit.runtime.scriptrunner.get_script_run_ctx
# platform: name streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests._request_rerun_locked
# platform: name streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests._rerun_data
# platform: name streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests.request_stop
# platform: name streamlit.runtime.scriptrunner_utils.exceptions.StopException
# platform: name streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequestType.RERUN
_create = AppSession._create_scriptrunner
_run = ScriptRunner._run_script
_request = ScriptRequests._request_rerun_locked
_request_stop = ScriptRequests.request_stop


def whole_runs() -> None:
    """Have the platform do so, in this process."""
    for of, name, ours in (
        (AppSession, "_create_scriptrunner", _after_the_last),
        (ScriptRunner, "_run_script", _on_the_screen_shown),
        (ScriptRequests, "_request_rerun_locked", _on_the_screen_to_come),
        (ScriptRequests, "request_stop", _this_run_alone),
    ):
        setattr(of, name, ours)


def _after_the_last(session: AppSession, initial_rerun_data: RerunData) -> None:
    last = session._scriptrunner
    if last is None:
        _create(session, _as_shown(initial_rerun_data, session._client_state, initial_rerun_data.fragment_id))
    elif session._state is not AppSessionState.SHUTDOWN_REQUESTED and not last.request_rerun(initial_rerun_data):
        session._event_loop.call_soon(_after_the_last, session, initial_rerun_data)


def _on_the_screen_shown(runner: ScriptRunner, rerun_data: RerunData) -> None:
    shown = runner._get_script_run_ctx()  # of another run of this runner; the first one's is as it was asked for
    _run(runner, _as_shown(rerun_data, shown, shown.has_script_started and rerun_data.fragment_id_queue))


def _as_shown(asked: RerunData, shown: Any, is_of_a_fragment: object) -> RerunData:
    if not is_of_a_fragment:
        return asked
    return replace(asked, page_script_hash=shown.page_script_hash, query_string=shown.query_string)


def _on_the_screen_to_come(requests: ScriptRequests, new_data: RerunData) -> bool:
    to_come, run = requests._rerun_data, get_script_run_ctx(suppress_warning=True)
    stays = new_data.fragment_id or (run is not None and new_data.page_script_hash == run.page_script_hash)
    if requests._state is ScriptRequestType.RERUN and stays:
        screen = {name: getattr(to_come, name) for name in ("page_script_hash", "page_name", "query_string")}
        new_data = replace(new_data, **screen)
    return _request(requests, new_data)


def _this_run_alone(requests: ScriptRequests) -> None:
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None and run.script_requests is requests:
        raise StopException
    _request_stop(requests)

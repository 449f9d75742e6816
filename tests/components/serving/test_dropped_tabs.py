"""Which tabs that lost their connection are kept until they come back."""

from types import SimpleNamespace
from typing import cast

from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state import SessionState

from components.serving.dropped_tabs import MOST, SignedInTabs


def tab(name: str, **remembered: object) -> SessionInfo:
    state = SessionState()
    for key, value in remembered.items():
        state[key] = value
    return cast(SessionInfo, SimpleNamespace(session=SimpleNamespace(id=name, session_state=state)))


def test_strangers_who_come_and_go_push_no_tablet_out() -> None:
    kept = SignedInTabs(maxsize=MOST)
    kept.save(tab("ada's", authentication_status=True, username="ada"))
    for number in range(2 * MOST):
        kept.save(tab(f"stranger {number}", authentication_status=None))
    kept.save(tab("a wrong password", authentication_status=False, username="ada"))
    kept.delete("stranger 0")
    assert [each.session.id for each in kept.list()] == ["ada's"]


def test_for_a_tab_that_is_back_nobody_looks_up_the_programs_files() -> None:
    kept, looked = SignedInTabs(maxsize=MOST), list[str]()
    adas = tab("ada's", authentication_status=True, username="ada")
    adas.session.register_file_watchers = lambda: looked.append("here")  # type: ignore[method-assign]
    kept.save(adas)
    back = kept.get("ada's")
    assert back is not None
    back.session.register_file_watchers()
    assert looked == []

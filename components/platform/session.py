"""What one browser tab remembers: the only module that touches st.session_state.

Our own names carry a prefix, since the sign-in library keeps names of its own there. Widgets may be given
a key and read back through their return value; only what must survive a rerun without a widget lives here.
"""

import uuid
from collections import UserDict
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, GaugeStat

from warranty.access import Operator
from warranty.errors import SignedOut
from warranty.language import language_of, use_locale_reader

T = TypeVar("T")

_PREFIX = "desk."
_PERSON = "person"
HANDSHAKE: Final = "x-desk-handshake"
"""The header by which a run knows by which connection its tab is here; set at our door alone (platform.serving)."""
_LANGUAGE = _PREFIX + "language"


class _WholeTab(UserDict[str, Any]):
    """What the tab remembers, read and written without being cut off.

    The platform takes every touch of `st.session_state` for a place at which a newer click may end what runs, also
    in the middle of a callback: the callback is not called again, and its click is lost
    (docs/platform-notes/callbacks.md).
    """

    def __init__(self, state: SessionState) -> None:
        self.data = cast(dict[str, Any], state)

    def __iter__(self) -> Iterator[str]:
        return iter(cast(SessionState, self.data).filtered_state)  # the names that people gave, no widget's inner one


# platform: name streamlit.runtime.state.SessionState.filtered_state streamlit.runtime.Runtime.is_active_session
# platform: name streamlit.runtime.scriptrunner.get_script_run_ctx
# platform: name streamlit.runtime.state.safe_session_state.SafeSessionState._state
def _tab() -> MutableMapping[str, Any]:
    run = get_script_run_ctx(suppress_warning=True)
    if run is None:  # outside a run there is nothing to cut off
        return cast(MutableMapping[str, Any], st.session_state)
    return _WholeTab(run.session_state._state)  # private: no public name leads past the cut-off


def connection() -> str:
    """The name of this tab's connection to the server; empty outside a run. A reload makes another."""
    run = get_script_run_ctx(suppress_warning=True)
    return run.session_id if run else ""


# platform: name streamlit.runtime.scriptrunner_utils.script_run_context.ScriptRunContext.is_history_navigation
def is_back() -> bool:
    """Whether the browser's Back or Forward asked for this run."""
    run = get_script_run_ctx(suppress_warning=True)
    return run is not None and run.is_history_navigation


def handshake() -> str:
    """The name of the handshake by which this tab is connected now: another each time that it comes back.

    Empty outside a run.
    """
    return st.context.headers.get(HANDSHAKE, "")


def tab_name() -> str:
    """A name of this tab, so that two tabs never take each other's answer; another after signing out."""
    name = recall("tab", "") or uuid.uuid4().hex
    remember("tab", name)
    return name


def is_connected(name: str) -> bool:
    """Whether a tab has the connection of this name now."""
    return Runtime.exists() and Runtime.instance().is_active_session(name) is True


# platform: name streamlit.runtime.Runtime.stats_mgr streamlit.runtime.stats.GaugeStat
# platform: name streamlit.runtime.stats.ACTIVE_SESSIONS_FAMILY
def connected_tabs() -> int:
    """How many tabs are connected to this process; 0 where no server runs."""
    if not Runtime.exists():
        return 0
    stats = Runtime.instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY])
    return sum(int(one.value) for one in stats[ACTIVE_SESSIONS_FAMILY] if isinstance(one, GaugeStat))


def remember(name: str, value: object) -> None:
    """Keep a value of ours for this tab."""
    _tab()[_PREFIX + name] = value


def recall(name: str, default: T) -> T:
    """The value kept under this name, or `default`."""
    return cast(T, _tab().get(_PREFIX + name, default))


def forget(name: str) -> None:
    """Drop a value of ours."""
    _tab().pop(_PREFIX + name, None)


def fill(key: str, value: object) -> None:
    """Give a widget that is not drawn yet in this run its value."""
    _tab()[key] = value


def fill_new(values: Mapping[str, object]) -> None:
    """Give those of these widgets their value that have none in this tab yet."""
    for key, value in values.items():
        if not is_filled(key):
            fill(key, value)


def value_of(key: str, default: T) -> T:
    """What a widget of this key holds now: in a callback, or before it is drawn."""
    return cast(T, _tab().get(key, default))


def is_filled(key: str) -> bool:
    """Whether a widget of this key has a value in this tab."""
    return key in _tab()


def clear(*keys: str) -> None:
    """Forget the values of these widgets, so that they start empty again."""
    for key in keys:
        _tab().pop(key, None)


def clear_prefixed(prefix: str) -> None:
    """Forget the values of all widgets whose key begins so."""
    clear(*[key for key in map(str, _tab()) if key.startswith(prefix)])


def _nobody_takes(*_: object, **__: object) -> None:
    raise SignedOut


@dataclass(frozen=True, slots=True)
class AtTab:
    """Who is signed in in a tab, and what is done for them: `set_operator`."""

    operator: Operator | None = None
    still: Callable[[], Operator | None] | None = None
    taking: Callable[..., None] = _nobody_takes
    looking: Callable[[str], None] = lambda _: None
    working: Callable[[], None] = lambda: None


def set_operator(operator: Operator | None, **known: Any) -> None:
    """Note who is signed in; only the shell does this, on every run. `still` tells it later, outside a run.

    `taking` writes down that a file goes out to this person (`take_away`), `looking` that they look up the claims
    of an e-mail (`note_look_up`), `working` that they work (`SignIn.works`).
    """
    remember(_PERSON, AtTab(operator, **known))


def _person() -> AtTab:
    return recall(_PERSON, AtTab())


def current_operator() -> Operator | None:
    """The person whom the shell let in during this run of the script."""
    return _person().operator


def taking_away() -> Callable[..., None]:
    """Give what writes down that a file goes out to the person of this tab; without one, nothing does."""
    return _person().taking


def still_signed_in() -> Callable[[], Operator | None]:
    """Give a look at who is signed in by now in this tab; it may be kept and used outside a run of the script."""
    person = _person()
    return person.still or (lambda: person.operator)


def look_up(email: str) -> None:
    """Have it written down that the person of this tab looks up the claims of an e-mail."""
    _person().looking(email)


def works() -> None:
    """Have it noted that the person of this tab works, so that their sign-in does not end."""
    _person().working()


def signed_in_username() -> str | None:
    """The login name that the sign-in library has accepted in this tab."""
    tab = _tab()
    # platform: habit streamlit_authenticator keeps who is signed in in the session
    if not tab.get("authentication_status"):
        return None
    username: Any = tab.get("username")
    return str(username) if username else None


def enter(username: str) -> None:
    """Sign this person in, in the names that the sign-in library reads."""
    _tab()["authentication_status"] = True
    _tab()["username"] = username


def refuse_cookie() -> None:
    """Make the sign-in library ask by its form: it reads no cookie, and half a sign-in counts for nothing."""
    _tab()["logout"] = True
    _tab()["authentication_status"] = None


def leave_everything(*but: str) -> None:
    """At sign-out: nothing of the person stays in the tab, except what ends last, and what is the device's."""
    librarys = {"logout", "authentication_status", "name", "username", "email", "roles"}
    clear(*({*map(str, _tab())} - librarys - {_PREFIX + name for name in but}))


def choose_language(language: str) -> None:
    """Speak this language in this tab."""
    _tab()[_LANGUAGE] = language


def locale() -> str:
    """The locale of the person at this tab: the language that was chosen, as the browser's country writes it, else the
    browser's; "" outside a run.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return ""
    browser = st.context.locale or ""
    chosen = str(_tab().get(_LANGUAGE, ""))
    return browser if chosen in {"", language_of(browser)} else chosen


# At import, once: whoever draws for a person has this module.
use_locale_reader(locale)

"""What one browser tab remembers: the only module that touches st.session_state.

Our own names carry a prefix, since the sign-in library keeps names of its own there. Widgets may be given
a key and read back through their return value; only what must survive a rerun without a widget lives here.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import streamlit as st

from warranty.access import Operator

T = TypeVar("T")

_PREFIX = "desk."
_OPERATOR = _PREFIX + "operator"
_STILL = _PREFIX + "still-signed-in"


def remember(name: str, value: object) -> None:
    """Keep a value of ours for this tab."""
    st.session_state[_PREFIX + name] = value


def recall(name: str, default: T) -> T:
    """The value kept under this name, or `default`."""
    return cast(T, st.session_state.get(_PREFIX + name, default))


def forget(name: str) -> None:
    """Drop a value of ours."""
    st.session_state.pop(_PREFIX + name, None)


def fill(key: str, value: object) -> None:
    """Give a widget that is not drawn yet in this run its value."""
    st.session_state[key] = value


def fill_new(values: Mapping[str, object]) -> None:
    """Give those of these widgets their value that have none in this tab yet."""
    for key, value in values.items():
        if not is_filled(key):
            fill(key, value)


def value_of(key: str, default: T) -> T:
    """What a widget of this key holds now: in a callback, or before it is drawn."""
    return cast(T, st.session_state.get(key, default))


def is_filled(key: str) -> bool:
    """Whether a widget of this key has a value in this tab."""
    return key in st.session_state


def clear(*keys: str) -> None:
    """Forget the values of these widgets, so that they start empty again."""
    for key in keys:
        st.session_state.pop(key, None)


def clear_prefixed(prefix: str) -> None:
    """Forget the values of all widgets whose key begins so."""
    clear(*[key for key in map(str, st.session_state) if key.startswith(prefix)])


def current_operator() -> Operator | None:
    """The person whom the shell let in during this run of the script."""
    operator: Any = st.session_state.get(_OPERATOR)
    return operator if isinstance(operator, Operator) else None


def set_operator(operator: Operator | None, still: Callable[[], Operator | None] | None = None) -> None:
    """Note who is signed in; only the shell does this, on every run. `still` tells it later, outside a run."""
    st.session_state[_OPERATOR] = operator
    st.session_state[_STILL] = still


def still_signed_in() -> Callable[[], Operator | None]:
    """Give a look at who is signed in by now in this tab; it may be kept and used outside a run of the script."""
    operator = current_operator()
    still: Callable[[], Operator | None] | None = st.session_state.get(_STILL)
    return still or (lambda: operator)


def signed_in_username() -> str | None:
    """The login name that the sign-in library has accepted in this tab."""
    if not st.session_state.get("authentication_status"):
        return None
    username: Any = st.session_state.get("username")
    return str(username) if username else None


def enter(username: str) -> None:
    """Sign this person in, in the names that the sign-in library reads."""
    st.session_state["authentication_status"] = True
    st.session_state["username"] = username


def refuse_cookie() -> None:
    """Make the sign-in library ask by its form: it reads no cookie, and half a sign-in counts for nothing."""
    st.session_state["logout"] = True
    st.session_state["authentication_status"] = None


def leave_everything(*, but: str) -> None:
    """At sign-out: nothing of the person stays in the tab, except what ends last."""
    kept = {"logout", "authentication_status", "name", "username", "email", "roles", _PREFIX + but}
    for key in list(st.session_state):
        if key not in kept:
            del st.session_state[key]

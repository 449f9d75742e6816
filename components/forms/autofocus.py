"""The field in which a screen begins has the focus: what a scanner types at once goes where it belongs."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

_JS: Final = """
const done = new WeakSet();
const patience = 3000;

function typesSomewhere() {
  const active = document.activeElement;
  return active && (active.isContentEditable || ["INPUT", "TEXTAREA", "SELECT", "IFRAME"].includes(active.tagName));
}

export default function ({ parentElement, data }) {
  if (done.has(parentElement)) return;
  done.add(parentElement);
  const begun = performance.now();
  const look = () => {
    if (!parentElement.isConnected || typesSomewhere()) return;
    const field = document.querySelector(`input[aria-label="${data.label}"]`);
    if (field) field.focus({ preventScroll: true });
    else if (performance.now() - begun < patience) requestAnimationFrame(look);
  };
  look();
}
"""  # platform: markup


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component("first_field", html="<span></span>", js=_JS)
    return component


def first_field(label: str, *, key: str) -> None:
    """Give the text field of this label the focus, once, unless the person types somewhere already."""
    _component()(key=key, data={"label": label})

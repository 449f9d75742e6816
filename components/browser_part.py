"""Parts that run in the browser: a script of ours, with what it draws if anything."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

_COPY_CSS: Final = """
button, span { font: inherit; font-family: var(--st-font); color: var(--st-text-color); }
button {
  min-height: 2.75rem; padding: 0 1rem; margin-right: 0.75rem; cursor: pointer;
  color: #fff; background: var(--st-primary-color); border: 1px solid var(--st-primary-color);
  border-radius: var(--st-base-radius);
}
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""
_COPY_JS: Final = """
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button"), said = parentElement.querySelector("span");
  if (data.first && !button.dataset.begun) {
    button.dataset.begun = "yes";
    button.scrollIntoView({ block: "center" });
    button.focus({ preventScroll: true });
  }
  const older = () => {  // over plain http there is no other way
    const text = document.body.appendChild(document.createElement("textarea"));
    text.value = data.text;
    text.select();
    const done = document.execCommand("copy");
    text.remove();
    button.focus();
    return done ? Promise.resolve() : Promise.reject();
  };
  button.onclick = () => {
    said.textContent = "";
    (navigator.clipboard?.writeText(data.text).catch(older) ?? older()).then(
      () => { said.textContent = "Copied"; },
      () => { said.textContent = "Not copied: select the text and copy it"; },
    );
  };
}
"""


@st.cache_resource(show_spinner=False)
def browser_part(name: str, js: str, html: str = "<span></span>", css: str = "") -> Callable[..., Any]:
    """The part of this name, made known to the platform once."""
    part: Callable[..., Any] = st.components.v2.component(name, html=html, css=css or None, js=js)
    return part


def copy_button(label: str, text: str, *, first: bool = False) -> None:
    """Draw a button of ours that copies the text; `label` is our own words.

    The `first` thing that is done on its screen has the focus when it appears.
    """
    html = f'<button type="button">{label}</button> <span role="status"></span>'
    part = browser_part(f"copy_{label}".replace(" ", "_").lower(), _COPY_JS, html, _COPY_CSS)
    part(key=f"copy-{text}", data={"text": text, "first": first})

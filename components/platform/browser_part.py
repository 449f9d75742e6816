"""Parts that run in the browser: a script of ours, with what it draws if anything."""

import hashlib
from collections.abc import Callable
from typing import Any, Final, Literal

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from components.platform.paths import path_of
from warranty.language import _

_COPY_HTML: Final = """
<button type="button">
  <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5.5 5.500h8v8h-8zM10.500 3v-.5h-8v8H3"/></svg><span></span>
</button>
<span role="status"></span>
"""
BASE_CSS: Final = """
:host { font-family: var(--st-font); color: var(--st-text-color); }
button, input {
  box-sizing: border-box; min-height: 2.75rem; padding: 0 1rem; font: inherit; color: inherit; cursor: pointer;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
:is(button, input):focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
svg { flex: none; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linejoin: round; }
dialog {
  box-sizing: border-box; width: min(38rem, 95vw); color: inherit; background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius);
}
dialog::backdrop { background: rgb(0 0 0 / 50%); }
"""
"""What parts that stand alone have in common: the platform's letters and colours."""
_COPY_CSS: Final = (
    BASE_CSS
    + """
:host { display: inline-block; }
button, [role="status"] { font-size: 0.875rem; }
button { display: inline-flex; align-items: center; gap: 0.5rem; padding: 0 0.75rem; background: transparent; }
@media (pointer: fine) { button:not(.main) { min-height: 2.5rem; } }
button span { white-space: nowrap; }
svg { width: 1em; height: 1em; }
button.main { font-size: 1rem; padding: 0 1.25rem; color: var(--on-main); background: var(--st-primary-color); }
button.id span { font-family: var(--st-code-font); }
button:is(.main, :hover) { border-color: var(--st-primary-color); }
button:focus-visible { outline-color: var(--st-text-color); }
[role="status"]:not(:empty) { margin-left: 0.5rem; overflow-wrap: anywhere; }
"""
)
_COPY_JS: Final = """
let lastSaid = null;  // of all of these on a screen one says what it did: the last

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button"), said = parentElement.querySelector("[role=status]");
  if (button.dataset.text !== data.text) said.textContent = "";
  button.dataset.text = data.text;
  button.className = data.kind;
  button.querySelector("span").textContent = data.label;
  button.title = data.kind === "id" ? data.text : "";
  if (data.name) button.setAttribute("aria-label", data.name);
  if (data.first && !button.dataset.begun) {
    button.dataset.begun = "yes";
    button.focus({ preventScroll: true });
    // What stands above it is read first: from the top, or from as little below as brings both in sight; for the second
    // in which the rest of the screen takes its place.
    const main = deskPage.screen(), until = performance.now() + 1000;
    const placing = new ResizeObserver(() => {
      if (performance.now() > until) return placing.disconnect();
      main.scrollTo(0, 0);
      main.scrollBy(0, Math.max(0, button.getBoundingClientRect().bottom + 8 - innerHeight));
    });
    placing.observe(main.firstElementChild);
  }
  button.onclick = () => {
    if (lastSaid) lastSaid.textContent = "";
    lastSaid = said;
    (navigator.clipboard?.writeText(data.text) ?? Promise.reject()).then(  // over plain http there is none
      () => { said.textContent = data.kind === "id" ? data.words.id : data.words.done; },
      () => { said.textContent = data.words.failed; },
    );
  };
}
"""


_SCRIPTS: Final[dict[str, str]] = {}
"""Those of the parts that were declared, by their files' names."""
_WORTH_A_FILE: Final = 500


class BrowserPart:
    """A part of this name, declared where its module is loaded: so every server of the desk can hand out its script.

    A script of some length is a file, which a browser keeps for a year: the platform would send it with every run, and
    it would be most of what a run sends (docs/platform-notes/live-connection.md).
    """

    def __init__(
        self, name: str, js: str, html: str = "<span></span>", css: str = "", *, isolate_styles: bool = True
    ) -> None:
        # platform: markup attachShadow
        self.name, self.js, self.html, self.css, self.isolate_styles = name, js, html, css, isolate_styles
        self.file = ""
        if len(js) > _WORTH_A_FILE:
            self.file = f"{name}.{hashlib.sha256(js.encode()).hexdigest()[:12]}.js"
            _SCRIPTS[self.file] = js

    def draw(self, **options: Any) -> Any:
        """Have it on the screen; `options` is what the platform's parts are told, as their `key` and `data`."""
        return _known(self)(**options)

    def unseen(self, *, key: str, **options: Any) -> None:
        """Have it at work in the page: it draws nothing, and takes no room there (platform/desk.css)."""
        self.draw(key=f"unseen-{key}", **options)


def part_routes() -> list[Route]:
    """Where a browser fetches the scripts; whoever may see the page may have them."""
    return [Route(path_of("parts/{file}"), _script, methods=["GET"])]


async def _script(request: Request) -> Response:
    script = _SCRIPTS.get(request.path_params["file"])
    if script is None:
        return Response(status_code=404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(script, media_type="text/javascript", headers=headers)


AS_HIGH_AS_FILLED: Final = """
const asHighAsFilled = (root) => {
  for (let part = root.host; part.dataset.testid !== "stElementContainer"; part = part.parentElement)
    part.style.height = part.parentElement.style.height = "auto";
};
"""
"""For a part whose `height` is what it will take: nothing below it moves when it is filled, and then it may grow."""

# A script that a lost line cut off is fetched again by another address: a browser may remember that the first failed.
_LOADER: Final = """
const address = ADDRESS;
let part;
for (let tries = 0; !part; tries += 1)
  try {
    part = await import(tries ? `${address}?${tries}` : address);
  } catch (problem) {
    if (tries === 60) throw problem;
    await new Promise((go) => setTimeout(go, 1000));
  }
export default part.default;
"""


@st.cache_resource(show_spinner=False, hash_funcs={BrowserPart: lambda part: (part.name, part.file)})
def _known(part: BrowserPart) -> Callable[..., Any]:
    """It as the platform knows it, told once."""
    js = part.js
    if part.file:  # the platform makes a module of a text, if it is more than a line, and waits for it
        address = f'new URL("{path_of(f"parts/{part.file}")}", document.baseURI)'
        js = _LOADER.replace("ADDRESS", address)
    known: Callable[..., Any] = st.components.v2.component(
        part.name, html=part.html, css=part.css or None, js=js, isolate_styles=part.isolate_styles
    )
    return known


_COPY: Final = BrowserPart("copy_button", _COPY_JS, _COPY_HTML, _COPY_CSS)


def copy_button(
    label: str,
    text: str,
    *,
    kind: Literal["main", "plain", "id"] = "main",
    name: str = "",
    place: str = "",
    first: bool = False,
) -> None:
    """Draw a button that copies the text, and says so; `name` is what a screen reader calls it, if not by its label.

    One of the kind `id` says the whole text too, of which its label is the beginning. The same text in two places of
    a screen is told apart by `place`. The `first` thing that is done on its screen has the focus when it appears.
    """
    failed = _("Not copied: select the text and copy it")
    words = {"done": _("Copied"), "id": _("Copied {text}", text=text), "failed": failed}
    _COPY.draw(
        key=f"copy-{place}-{text[:200]}",
        data={"text": text, "label": label, "kind": kind, "name": name, "first": first, "words": words},
        width="content",
    )

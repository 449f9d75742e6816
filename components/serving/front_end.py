"""Streamlit's front end, sent so that a first visit over a shop's network is short.

A browser that has nothing of us yet takes in some 70 files and 3 MB of script before the first screen stands, 9 MB
with charts. Streamlit sends them as they are, one layer of imports after the other. Here they are compressed, once;
a screen's page names at once all that the screen will ask for; and it says where the server is, which Streamlit's
front end otherwise finds out by a try that fails for every screen but the first (docs/platform-notes/front-end.md).

What this module does not know goes to Streamlit's own handlers, as does all of it under `server.baseUrlPath`.
"""

import gzip
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import anyio.to_thread
import streamlit
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from components.navigation import SCREENS
from components.session import LEFT

FOLDER: Final = Path(streamlit.__file__).parent / "static"
_SCRIPTS: Final = "static/js"
_COMPRESSED: Final = {
    f"/{path.relative_to(FOLDER).as_posix()}": path
    for kind in ("js", "css")
    for path in FOLDER.glob(f"static/{kind}/*.{kind}")
}
_MEDIA_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
_FOR_A_YEAR: Final = "public, max-age=31536000, immutable"  # their names change with their content

DRAWN_EVERYWHERE: Final = ("Html", "Button", "TextInput", "BidiComponent", "ButtonGroup", "Selectbox")
DRAWN_BY: Final[dict[str, Sequence[str]]] = {
    "submit_order": ("Checkbox", "FileUploader"),
    "import_orders": ("FileUploader", "DownloadButton"),
    "claims": ("DateInput", "DownloadButton", "DataFrame"),
    "claim_trends": ("DateInput", "Metric"),
    "connection": ("DataFrame", "NumberInput"),
}
"""What screens draw, by Streamlit's names for its scripts. Not the charts' library: it comes after all else."""

_WHERE_THE_SERVER_IS: Final = """<script>
      window.__streamlit = {
        BACKEND_BASE_URL: new URL(".", location.href).href,
        HOST_CONFIG: { allowedOrigins: [location.origin], useExternalAuthToken: false },
      }
      // One press is one step for Back: what a screen writes into its address by itself belongs to that step.
      let pressed = false
      for (const press of ["pointerdown", "keydown"]) addEventListener(press, () => { pressed = true }, true)
      const pushed = history.pushState
      history.pushState = (...step) => {
        (pressed ? pushed : history.replaceState).apply(history, step)
        pressed = false
      }
    </script>"""
_OWN_WORDS: Final = """<script>
      addEventListener("storage", (event) => { if (event.key === "LEFT") location.reload() })
      const told = "Warranty Desk does not answer. This page goes on by itself when it does; what was typed and sent " +
        "before is kept. If this lasts, call whoever looks after the program."
      new MutationObserver(() => {
        const dialog = document.querySelector('[data-testid="stDialog"]')
        if (!dialog) return
        const walk = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT), texts = []
        while (walk.nextNode()) texts.push(walk.currentNode)
        const own = (text) => !text.parentElement.closest("button, style")
        const title = texts.filter(own).findIndex((text) => ["Connection error", "No connection"].includes(text.data))
        if (title < 0) return
        texts.filter(own).slice(title).forEach((text, place) => {
          const words = ["No connection", told][place] ?? ""
          if (text.data !== words) text.data = words
        })
        dialog.querySelectorAll('[data-testid="stCode"], pre').forEach((code) => { code.style.display = "none" })
      }).observe(document, { subtree: true, childList: true, characterData: true })
    </script>""".replace("LEFT", LEFT)
"""What the platform has no hook for: our words in its dialog about a lost connection (it is known by `stDialog` and its
title), and a tab that is emptied when another one signs out."""
_IMPORTED: Final = re.compile(r"(?:from|import)\s?[`\"']\./([\w.-]+\.js)[`\"']")
_NAMED: Final = re.compile(rf"{_SCRIPTS}/([\w.-]+\.js)")


class FrontEndFiles:
    """ASGI middleware that answers for scripts and styles, compressed, to browsers that take them so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for a file that is known here, else pass the request on."""
        if scope["type"] != "http" or not _wants_compressed(scope):
            await self._app(scope, receive, send)
            return
        response = Response(
            await anyio.to_thread.run_sync(_compressed, scope["path"]),
            media_type=_MEDIA_TYPES[Path(scope["path"]).suffix],
            headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding", "Cache-Control": _FOR_A_YEAR},
        )
        await response(scope, receive, send)


def page_routes() -> list[Route]:
    """The addresses of all screens: each answers with Streamlit's page, prepared for what the screen draws.

    Streamlit knows the first screen by the bare address alone, and says "Page not found" over it under its own name.
    """
    first, *others = (screen.name for screen in SCREENS)
    return [
        Route("/", _answer_with(first), methods=["GET"]),
        Route(f"/{first}", _to_the_bare_address, methods=["GET"]),
        *(Route(f"/{name}", _answer_with(name), methods=["GET"]) for name in others),
    ]


def compress_ahead() -> None:
    """Compress what screens ask for, so that not even the first visit waits for it: 0.2 s of one core."""
    drawn = [*DRAWN_EVERYWHERE, *(name for names in DRAWN_BY.values() for name in names), "PlotlyChart"]
    for name in {*_NAMED.findall(_page()), *with_imports(drawn)}:
        _compressed(f"/{_SCRIPTS}/{name}")


def with_imports(drawn: Iterable[str]) -> list[str]:
    """Give the scripts that draw these, and all that they import, without those that the page names itself.

    A name that this version of Streamlit does not have is left out: its script comes when it is asked for.
    """
    seen = set(_NAMED.findall(_page()))
    found: list[str] = []
    waiting = [path.name for name in drawn for path in sorted((FOLDER / _SCRIPTS).glob(f"{name}.*.js"))]
    while waiting:
        name = waiting.pop(0)
        if name not in seen:
            seen.add(name)
            found.append(name)
            waiting += _imports(name)
    return found


def _answer_with(screen: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return HTMLResponse(_page_for(screen), headers={"Cache-Control": "no-cache"})

    return answer


async def _to_the_bare_address(request: Request) -> Response:
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"./{query}", headers={"Cache-Control": "no-cache"})


@cache
def _page_for(screen: str) -> str:
    scripts = with_imports([*DRAWN_EVERYWHERE, *DRAWN_BY.get(screen, ())])
    asked_for = "\n".join(
        f'    <link rel="modulepreload" crossorigin href="./{_SCRIPTS}/{name}">' for name in scripts
    )
    # The script first: the front end reads it as it starts. Its own files stay before ours in the queue.
    page = _page().replace("<title>", f"{_WHERE_THE_SERVER_IS}\n    {_OWN_WORDS}\n    <title>", 1)
    return page.replace("</head>", f"{asked_for}\n  </head>", 1)


@cache
def _page() -> str:
    return (FOLDER / "index.html").read_text(encoding="utf-8")


@cache
def _imports(name: str) -> Sequence[str]:
    return _IMPORTED.findall((FOLDER / _SCRIPTS / name).read_text(encoding="utf-8"))


@cache
def _compressed(path: str) -> bytes:
    return gzip.compress(_COMPRESSED[path].read_bytes(), compresslevel=6, mtime=0)


def _wants_compressed(scope: Scope) -> bool:
    return (
        scope["method"] == "GET"
        and scope["path"] in _COMPRESSED
        and "gzip" in Headers(scope=scope).get("accept-encoding", "")
    )

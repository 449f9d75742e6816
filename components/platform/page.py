"""The page that a browser is given: the platform's own, with ours in its head: styles (desk.css), what the page does by
itself (page_head.js), where its keys go (page_keys.js), and what it says of its connection (page_connection.js).

They stand in the head, not in the screen: what is written into an address has to be known to them before the first run,
and the sign-in form and a lost server have no screen.
"""

import json
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

import streamlit as st
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from components.platform.paths import path_of
from warranty.language import N_, Language, in_all_languages, language_of

SIGN: Final = "data:image/svg+xml," + quote(Path(__file__).with_name("sign.svg").read_text(encoding="utf-8").strip())
"""The product's sign as an address. As the page's icon it keeps the platform from asking the makers of the menu's icons
for one of theirs.
"""
_OURS = ("page_head.js", "page_connection.js", "page_till.js", "page_keys.js")
_BY_LANGUAGE = {"Vary": "Accept-Language"}
_WORDS: Final = {
    "blocked": N_("This page can't connect. Ask IT to allow WebSocket to {address}."),
    "away": N_("No connection to the desk: check this device's Wi-Fi."),
    "silent": N_("Warranty Desk does not answer; if this lasts, call IT support."),
    "updated": N_("Warranty Desk is being updated."),
    "kept": N_("What you typed is saved. This page continues automatically."),
    "goes_on": N_("This page continues automatically."),
    "looking": N_("Looking for {code}"),
    "next": N_("For the next order: {codes}"),
    "question": N_("Not taken: answer the question first, then scan again."),
}
"""What the page says by itself, without the server: `deskWords` of page_connection.js."""


class Entry(NamedTuple):
    """A screen as the page knows it: its address, the group of the menu where it stands, and its key if it has one."""

    name: str
    group: str
    key: str


class _Name(StringConvertor):
    """The name of a screen, or what was typed for one; the platform's own files have a dot in theirs, and one address
    of its own is of their kind: the one to which an identity provider sends people back.
    """

    regex = "(?!oauth2callback$)[^/.]*"


class _NoScreen(StringConvertor):
    """What has a dot or a second part and is no file or route of the platform: it would give its own bare page."""

    regex = (
        r"(?!(?:_stcore|auth|component|media|oauth2callback|static)/|(?:favicon\.png|manifest\.json)$)"
        r"[^/.]*[/.].*"
    )


register_url_convertor("screen", _Name())
register_url_convertor("no_screen", _NoScreen())


def page_routes(entries: tuple[Entry, ...], environment: str) -> list[Route]:
    """The addresses of all screens, and those of none: the screen says so. They come after all others of ours."""

    async def page(request: Request) -> Response:
        browsers = language_of(request.headers.get("accept-language", "").split(",")[0])
        return HTMLResponse(_content(entries, browsers, environment), headers=_BY_LANGUAGE)

    async def nothing(_: Request) -> Response:
        return Response(status_code=404)

    return [Route(path_of("{name:screen}"), page), Route(path_of("{name:no_screen}"), nothing)]


def inline_scripts(entries: tuple[Entry, ...]) -> list[str]:
    """The texts of the scripts that stand in the page, in every language: those that a browser may run."""
    _, *begun = _content(entries, "en", "production").split("<script>")
    return [script.partition("</script>")[0] for script in begun]


@cache
def _content(entries: tuple[Entry, ...], language: Language, environment: str) -> str:
    """The page as it begins; the first screen says in which language it goes on (page_head.js)."""
    platforms = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    here = Path(__file__).parent
    rules = (here / "desk.css").read_text(encoding="utf-8")
    lines = _lines_between_groups(entries)
    styles = f"<style>\n:root {{ --desk-sign: url('{SIGN}'); }}\n{rules}\n{lines}</style>\n"
    words = json.dumps(in_all_languages(_WORDS)).replace("<", "\\u003c")  # they stand in a page
    # Names of each are its own, as in a module, which would run after the platform's script has begun.
    scripts = [(here / name).read_text(encoding="utf-8") for name in _OURS]
    ours = styles + "".join(f"<script>\n{{\n{script}}}\n</script>\n" for script in scripts)
    by_key = {screen.key: screen.name for screen in entries if screen.key}
    ours = ours.replace("ALL_WORDS", words, 1).replace("SCREENS_BY_KEY", json.dumps(by_key), 1)
    # platform: markup </head> lang="en"
    # A browser that translates changes SKUs and names, and wraps texts that the platform's script then does not find.
    ours_of = f'<html lang="{language}" class="{environment}" translate="no">'
    begun = platforms.replace('<html lang="en">', ours_of, 1)
    return begun.replace("</head>", f"{ours}  </head>", 1)


def _lines_between_groups(entries: tuple[Entry, ...]) -> str:
    """The style that draws a line before each screen of the menu that is of another group than the one before."""
    # platform: markup stSidebarNavItems stTopNavPopover
    entry = ":is(.rc-overflow-item, [data-testid=stSidebarNavItems] > li, [data-testid=stTopNavPopover] > div)"
    drawn = "border: 0 solid var(--line); border-width: var(--lines); padding: var(--gap);"
    rules = []
    for group in {screen.group: None for screen in entries}:
        links = ", ".join(f'[href$="/{screen.name}"]' for screen in entries if screen.group == group)
        rules.append(f"{entry}:has({links}) + {entry}:not(:has({links})) {{ {drawn} }}\n")
    return "".join(rules)

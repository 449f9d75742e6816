"""A page of our own beside the dashboard: one file of markup for all, and each room's style and script after ours.

Such a page is not one of the platform's screens: it is drawn by a script of ours from what it asks the server, and its
words come with it in all languages.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import streamlit
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from components.platform.paths import path_of
from components.words.environments import ENVIRONMENTS
from warranty.language import LANGUAGE_NAMES, in_all_languages

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
"""Stricter than the dashboard's, which the platform needs: such a page runs its own script and style, nothing else."""
_HERE: Final = Path(__file__).parent
# platform: habit streamlit has the typeface of its screens among its static files
_TYPEFACES: Final = sorted(Path(streamlit.__file__).parent.glob("static/static/media/SourceSansVF-Upright*.woff2"))
_FILES: Final = {
    "": ("page.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/page_till.js": ("page_till.js", "text/javascript"),
}


def page_files(name: str, room: Path, words: Mapping[str, str], environment: str) -> list[Route]:
    """The routes of a page's files: `room` has its page.css and page.js, `words` are marked, by their names there.

    What is for training or tests is so on this page, too.
    """
    path = path_of(name)

    @cache
    def content(file: str) -> str:
        found = [folder / file for folder in (_HERE.parent, _HERE, room) if (folder / file).is_file()]
        text = "\n".join(each.read_text(encoding="utf-8") for each in found)
        if file != "page.html":
            return text.replace("TYPEFACE", _TYPEFACES[0].name if _TYPEFACES else "")
        by_language = {
            code: {**texts, "language": LANGUAGE_NAMES[code]}
            for code, texts in in_all_languages({**words, **_environment(environment)}).items()
        }
        as_json = json.dumps(by_language, ensure_ascii=False).replace("<", "\\u003c")
        text = text.replace("NAME", name).replace("ENVIRONMENT", environment, 1)
        return text.replace("WORDS", as_json, 1)

    async def file(request: Request) -> Response:
        here = request.url.path.removeprefix(request.scope.get("root_path", ""))
        name, kind = _FILES[here.removeprefix(path)]
        return Response(content(name), media_type=kind, headers=_HEADERS)

    return [Route(f"{path}{each}", file, methods=["GET"]) for each in _FILES]


def _environment(environment: str) -> Mapping[str, str]:
    """What stands beside the shop's name; nothing where the page is for customers in earnest."""
    if environment == "production":
        return {}
    name, meaning = ENVIRONMENTS[environment]
    return {"environment": name, "environment_means": meaning}

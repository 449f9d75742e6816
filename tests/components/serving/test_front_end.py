"""Streamlit's front end as the server sends it: compressed, and each page naming what its screen will ask for."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from components.navigation import SCREENS
from components.serving.front_end import DRAWN_BY, DRAWN_EVERYWHERE, FOLDER, with_imports
from tests.dashboard import Dashboard


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    with Dashboard(tmp_path_factory.mktemp("data")) as running:
        yield running


def scripts_named_by(page: str) -> list[str]:
    return re.findall(r'(?:src|href)="\./(static/js/[\w.-]+\.js)"', page)


def test_every_script_a_page_names_is_sent_compressed_and_unchanged(server: Dashboard) -> None:
    names = scripts_named_by(httpx.get(f"{server.url}/claims").text)
    assert len(names) > 100
    received = sent = 0
    with httpx.Client(base_url=server.url) as browser:
        for name in names:
            with browser.stream("GET", f"/{name}", headers={"Accept-Encoding": "gzip"}) as answer:
                body = b"".join(answer.iter_raw())
            assert answer.headers["content-encoding"] == "gzip", name
            assert answer.headers["content-type"].startswith("text/javascript")
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "immutable" in answer.headers["cache-control"]
            original = (FOLDER / name).read_bytes()
            assert gzip.decompress(body) == original
            received, sent = received + len(body), sent + len(original)
    assert received < 0.36 * sent


def test_who_takes_no_compression_gets_the_file_as_it_is(server: Dashboard) -> None:
    name = scripts_named_by(httpx.get(server.url).text)[0]
    answer = httpx.get(f"{server.url}/{name}", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert answer.content == (FOLDER / name).read_bytes()


@pytest.mark.parametrize(
    "path", ["static/js/../../../app.py", "static/js/%2e%2e/%2e%2e/index.html", "static/js/no.js"]
)
def test_nothing_but_the_front_ends_own_files_is_sent(server: Dashboard, path: str) -> None:
    answer = httpx.get(f"{server.url}/{path}", headers={"Accept-Encoding": "gzip"})
    assert "javascript" not in answer.headers.get("content-type", "")
    assert "lifespan" not in answer.text


def test_a_page_is_asked_for_anew_and_is_the_front_end_of_this_streamlit(server: Dashboard) -> None:
    own = scripts_named_by((FOLDER / "index.html").read_text())
    for screen in ("", *(each.name for each in SCREENS)):
        answer = httpx.get(f"{server.url}/{screen}", follow_redirects=True)
        assert answer.headers["cache-control"] == "no-cache"
        assert scripts_named_by(answer.text)[: len(own)] == own


def test_the_first_screen_has_one_address_and_its_name_leads_there(server: Dashboard) -> None:
    answer = httpx.get(f"{server.url}/{SCREENS[0].name}?order=a%20b")
    assert (answer.status_code, answer.headers["location"]) == (307, "./?order=a%20b")


def test_what_screens_draw_has_its_script_in_this_streamlit() -> None:
    assert set(DRAWN_BY) <= {screen.name for screen in SCREENS}
    for name in (*DRAWN_EVERYWHERE, *(each for drawn in DRAWN_BY.values() for each in drawn)):
        assert with_imports([name]), f"{name} is not drawn by a script of this name any more"


def test_the_imports_of_a_script_are_named_with_it() -> None:
    found = with_imports(["DataFrame"])
    assert found[0].startswith("DataFrame.")
    for name in found:
        text = (Path(FOLDER) / "static/js" / name).read_text(encoding="utf-8")
        assert set(re.findall(r'from[`"]\./([\w.-]+\.js)', text)) <= {*found, *page_own()}


def page_own() -> set[str]:
    return {Path(name).name for name in scripts_named_by((FOLDER / "index.html").read_text())}

"""What an answer tells a browser, what a link does to what was begun, what a page writes into the log (L2, L8, L13)."""

import io
import json
import re
import sqlite3
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from threading import Event

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.visits import said, visited
from tests.dashboard import Dashboard
from tests.machine import in_a_loop_of_its_own as done
from warranty.files import workbooks
from warranty.files.table_files import read_table
from warranty.files.tables import FileProblem

BESIDE = ("customer", "customer/now", "customer/page.js", "till", "till/now", "livez", "readyz", "version")
PATHS = ["", "claims", "nonsense", "media/none.csv", "_stcore/health", "_stcore/metrics", "cookie", "healthz"]


def directives(answer: httpx.Response) -> dict[str, str]:
    return dict(each.strip().partition(" ")[::2] for each in answer.headers["Content-Security-Policy"].split(";"))


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_says_that_scripts_of_ours_alone_run_and_nothing_is_kept(dashboard: Dashboard, path: str) -> None:
    answer = httpx.get(f"{dashboard.url}/{path}")
    told = directives(answer)
    assert "unsafe" not in told["script-src"].replace("'wasm-unsafe-eval'", "")
    nothing = dict.fromkeys(("default-src", "frame-src", "base-uri", "form-action"), "'none'")
    assert told | nothing | {"connect-src": "'self'"} == told
    assert not re.search(r"https?:|wss?:|[*]", answer.headers["Content-Security-Policy"])
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert {"camera=(self)", "microphone=()", "geolocation=()"} <= set(answer.headers["Permissions-Policy"].split(", "))
    assert "Strict-Transport-Security" not in answer.headers


def test_over_https_the_browser_comes_by_https_alone_and_of_pages_beside_nothing_is_kept(dashboard: Dashboard) -> None:
    answer = httpx.get(dashboard.url, headers={"X-Forwarded-Proto": "https"})
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    for path in BESIDE:
        assert httpx.get(f"{dashboard.url}/{path}").headers["Cache-Control"] == "no-store", path


def orders_begun(data_dir: Path) -> list[str]:
    with closing(sqlite3.connect(data_dir / "journal.sqlite3")) as journal:
        drafts = journal.execute("select content from drafts where screen = 'record_sale'").fetchall()
    return sorted(str(json.loads(content).get("order", "")) for (content,) in drafts)


def test_a_link_changes_nothing_begun_until_its_reader_says_so(dashboard: Dashboard, data_dir: Path, ada: str) -> None:
    async def begin_and_follow() -> None:
        async with Viewer(dashboard.url, page="record_sale", cookie=ada) as tab:
            await tab.open()
            await tab.set("text_input", "Order", string_value="MINE-1")
        async with Viewer(dashboard.url, page="record_sale", query="order=THEIRS-2", cookie=ada) as tab:
            await tab.open()
            assert tab.held["Order"] == "MINE-1"
            assert orders_begun(data_dir) == ["MINE-1"]
            await tab.set("button", "Open it", trigger_value=True)
            await tab.open()
            assert tab.held["Order"] == "THEIRS-2"
            assert orders_begun(data_dir) == ["MINE-1", "THEIRS-2"]

    done(begin_and_follow())


FORGED = json.dumps({"event": "audit", "kind": "sign-in", "username": "eve"})


def forgeries(session: str) -> list[BackMsg]:
    """What a page may say, with lines of a log in it; each is quoted in the log in another way."""
    asked = [BackMsg() for _ in range(4)]
    asked[0].rerun_script.fragment_id = f"1\n{FORGED}\n"
    for number, message in enumerate(asked[1:], start=2):
        operation = message.backend_operation_request
        operation.session_id, operation.request_id = session, f"{number}\u2028{FORGED}"
        operation.deferred_file.file_id = "none"
    asked[1].backend_operation_request.session_id = "another"
    asked[1].backend_operation_request.request_id = f"2\r\n{FORGED}"
    asked[3].backend_operation_request.deferred_file.file_id = f"4\x1b[2K\n{FORGED}\n"
    return asked


@pytest.mark.parametrize(("who", "lines"), [("a stranger", 1), ("ada", 5)])
def test_no_page_writes_a_line_of_the_log(dashboard: Dashboard, ada: str, who: str, lines: int) -> None:
    """Of a page without a sign-in only what it runs is heard; the last line of the others is in a traceback, too."""
    before, cookie = len(dashboard.log), ada if who == "ada" else ""
    visited(Viewer(dashboard.url, cookie=cookie), lambda tab: said(tab, *forgeries(tab.session)))
    until = time.monotonic() + 20
    while dashboard.log[before:].count("eve") < lines:
        assert time.monotonic() < until, dashboard.log[before:]
        Event().wait(0.05)
    written = dashboard.log[before:].splitlines()
    assert [line for line in written if line.lstrip().startswith("{") and "eve" in line] == []
    assert "\x1b" not in dashboard.log[before:]


WORKBOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
LONG = "x" * 20_000


def workbook(**parts: Iterator[str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("xl/workbook.xml", WORKBOOK)
        for name, texts in parts.items():
            with archive.open(name.replace("__", "/") + ".xml", "w") as part:
                part.writelines(text.encode() for text in texts)
    return packed.getvalue()


@pytest.mark.parametrize(("part", "texts"), [
    ("xl__sharedStrings", (f"<si><t>{LONG}</t></si>" for _ in range(7_000))),
    ("xl__sharedStrings", ("<si><t>x</t></si>" * 1_000 for _ in range(3_000))),
    ("xl__worksheets__sheet1", ("<c><v>1</v></c>" * 300 for _ in range(20_000))),
    ("xl__styles", ("<xf/>" * 1_000 for _ in range(10_000))),
    ("xl__worksheets__sheet1", chain(["<row"], (f' a{n}=""' for n in range(100_000)), [">"])),
    ("xl__worksheets__sheet1", chain(["<row a='>"], [LONG] * 100, ["'/>"])),
    ("xl__worksheets__sheet1", chain(["<row"], (f" a{n}='{LONG[:520]}'" for n in range(1_900)), ["/>"])),
    ("xl__worksheets__sheet1", chain(["<row/><!--"], ["<" + LONG[:1000]] * 100, ["--><row/>"])),
    ("xl__worksheets__sheet1", chain(["<row/><?a"], ["<" + LONG[:1000]] * 100)),
    ("xl__worksheets__sheet1", iter(["\ufeff \0<row/>"])),
], ids=[
    "long strings", "many strings", "many cells", "many styles", "many attributes of a tag", "a long attribute",
    "many long attributes", "a long comment", "an instruction without an end", "in UTF-16",
])  # fmt: skip
def test_millions_of_things_in_a_workbook(part: str, texts: Iterator[str], monkeypatch: pytest.MonkeyPatch) -> None:
    content = workbook(**{part: texts})
    monkeypatch.setattr(workbooks, "load_workbook", pytest.fail)
    assert len(content) < 1_000_000
    with pytest.raises(FileProblem, match="holds more than a list of orders does"):
        read_table(content)

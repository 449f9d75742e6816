"""What a link that somebody was sent does to what its reader has begun (docs/security.md: L13)."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.visits import done
from tests.dashboard import Dashboard


def orders_begun(data_dir: Path) -> list[str]:
    """The orders of the drafts of sales, as they are stored."""
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

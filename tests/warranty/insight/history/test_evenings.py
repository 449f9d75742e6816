"""The nights of a training: sixty, there all at once, then each day's; of what the sandbox says of its evenings."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import rmtree
from threading import Event

import pytest

from components.platform.serving.sandbox_control import SandboxControl
from sandbox import SandboxServer
from tests.warranty.insight.history.past import EVER
from warranty.insight.history.evenings import take_evenings
from warranty.insight.history.lives import reopened, time_to_close
from warranty.insight.history.nights import Nights
from warranty.insight.history.past import Past
from warranty.settings import load_settings


@pytest.fixture
def control() -> Iterator[SandboxControl]:
    """Of a sandbox with a claim of each of eighty days, on plans that started in one month."""
    now = datetime.now(UTC).replace(tzinfo=None)
    started = {"status": "RESOLVED", "warranty_start_date": "2026-01-04T00:00:00+00:00"}
    with SandboxServer() as sandbox:
        dates = [f"{now - timedelta(days=day, minutes=1):%Y-%m-%dT%H:%M:%S.%f}" for day in range(80)]
        sandbox.add_claims([{"claim_date": day, "warranty_id": day, **started} for day in dates])
        yield SandboxControl(sandbox.base_url, ca_file=sandbox.ca_file)


def test_sixty_evenings_are_there_at_once_and_later_only_those_since(
    control: SandboxControl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warranty.insight.history.evenings._PAUSE", 0)
    settings, over = load_settings({"environment": "sandbox", "data_dir": str(tmp_path)}), Event()
    nights, asked = Nights.of(settings), list[int]()

    def evening(days_ago: int) -> bytes:
        asked.append(days_ago)
        if asked == [59, 58]:
            over.set()
        return control.evening(days_ago)

    take_evenings(settings, evening, over)
    assert (asked, nights.complete) == ([59, 58], [])
    over.clear()
    take_evenings(settings, evening, over)
    assert asked[2:] == list(reversed(range(60)))
    past = Past(nights, closed=settings.closed_statuses)
    assert (len(past.found().complete), len(past.found().incomplete), past.missed()) == (60, 0, None)
    assert [night.manifest.rows for night in nights.complete] == list(range(21, 81))
    history = past.history()
    curve = time_to_close(history.intervals(EVER))
    assert curve is not None
    assert 3 < curve.quantile(0.5) < 40
    assert reopened(history.moves(EVER), past.closed) > 0
    for night in nights.complete[-2:]:
        rmtree(night.path)
    take_evenings(settings, evening, over)
    assert asked[62:] == [1, 0]
    assert len(nights.complete) == 60

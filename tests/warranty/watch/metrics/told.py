"""The figures of a desk, read over its port."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from tests.warranty.watch.metrics import story
from warranty.desk.journal import Journal
from warranty.insight.history.nights import Nights
from warranty.insight.history.past import Past
from warranty.settings import load_settings
from warranty.watch.metrics import start_metrics


class Told:
    """Started at once; `before` is what it told then."""

    def __init__(self, journal: Journal, port: int, folder: Path) -> None:
        self.journal, self.port, self.folder = journal, port, folder
        self.nights = Nights(folder / "history" / "sandbox")
        self.draining, self.budget = False, 10.0
        settings = load_settings({"data_dir": str(folder), "metrics_port": str(port)})
        here = {"warranty_sessions": lambda: 3.0, "warranty_draining": lambda: float(self.draining)}
        shared = {"warranty_pace_left": lambda: 8.0, "warranty_retry_budget_left": lambda: self.budget}
        self.stop: Callable[[], None] = start_metrics(
            settings, journal, past=Past(self.nights, closed=()), newest_reading=journal.database.clock, here=here,
            shared=shared, every=timedelta(0),
        )  # fmt: skip
        self.before = self.figures()

    def now(self) -> story.Scrape | None:
        """What it tells now; None where it does not answer."""
        return story.scrape(self.port)

    def figures(self) -> story.Scrape:
        told = self.now()
        assert told is not None
        return told

    def fires(self, *expected: str) -> None:
        """Fail unless exactly these alerts fire when it goes on as now for a quarter of an hour."""
        story.fires([*[self.before] * 15, *[self.now()] * 15], set(expected), self.folder)

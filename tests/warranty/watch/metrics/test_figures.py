"""What a desk tells of itself on its port, and what it never tells."""

import logging
import re
from datetime import timedelta
from threading import Event
from unittest.mock import Mock

import httpx
import pytest

from tests.builders import sale_of
from tests.dashboard import ROOT
from tests.warranty.desk.journal.intents import MakeIntent
from tests.warranty.desk.shop import Shop
from tests.warranty.watch.metrics.told import Told
from warranty.client.operations import OPERATIONS
from warranty.desk.journal import Journal
from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.watch.metrics.serving import GAUGES, OUTCOMES, Asked


def families(port: int) -> dict[str, str]:
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
    return dict(re.findall(r"^# TYPE (\S+) (\w+)$", text, flags=re.MULTILINE))


def test_each_try_is_counted_and_what_is_unknown_is_told_with_the_age_of_the_oldest(told: Told, shop: Shop) -> None:
    shop.fails("submit_order", times=1)
    shop.order()
    figures, of = told.figures(), '{operation="submit_order"'
    for outcome in ("ServiceFailed", "done"):
        assert figures[f'warranty_calls_total{of},outcome="{outcome}"}}'] == 1
    assert figures[f"warranty_call_seconds_count{of}}}"] == 2
    assert 0 < figures[f"warranty_call_seconds_sum{of}}}"] < 60
    for order in ("o-1", "o-2"):
        shop.unanswered(sale_of(order))
        shop.clock.advance(timedelta(minutes=7))
    unknown = "warranty_unknowns", "warranty_oldest_unknown_seconds"
    assert [told.figures()[name] for name in unknown] == [2, 2 * 420 + 1]
    assert [told.before[name] for name in unknown] == [0, 0]


def test_what_a_caller_breaks_off_is_no_failure(told: Told, shop: Shop, journal: Journal, intent: MakeIntent) -> None:
    shop.order()
    with pytest.raises(RefusedByUs):
        journal.begin(intent(), check=Mock(side_effect=RefusedByUs))
    figures = told.figures()
    for kind in ("read", "write"):
        count = f'warranty_journal_seconds_count{{kind="{kind}"}}'
        assert figures[count] > told.before[count]
        assert figures[f'warranty_journal_failures_total{{kind="{kind}"}}'] == 0


class RefusedByUs(Exception):
    pass


def test_a_journal_away_costs_its_own_figures(told: Told, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "queue", Mock(side_effect=JournalUnavailable("The journal cannot be read.")))
    figures = told.figures()
    assert (figures["warranty_journal_up"], figures["warranty_ready"]) == (0, 0)
    assert not figures.keys() & {"warranty_unknowns", "warranty_oldest_unknown_seconds", "warranty_retry_budget_left"}
    assert figures["warranty_sessions"] == 3
    assert told.before["warranty_journal_up"] == 1


def test_a_question_that_hangs_is_not_waited_for_and_not_asked_again_meanwhile() -> None:
    go = Event()
    ask = Mock(side_effect=lambda: go.wait(30) and {"a": 1.0})
    question = Asked(ask, every=timedelta(0), limit=timedelta(milliseconds=20))
    assert [question.answer(), question.answer(), ask.call_count] == [None, None, 1]
    go.set()
    patient = Asked(ask, every=timedelta(hours=1), limit=timedelta(seconds=30))
    assert [patient.answer(), patient.answer(), ask.call_count] == [{"a": 1.0}, {"a": 1.0}, 2]


def test_a_desk_that_is_draining_is_not_ready(told: Told) -> None:
    assert (told.before["warranty_ready"], told.before["warranty_draining"]) == (1, 0)
    told.draining = True
    figures = told.figures()
    assert (figures["warranty_ready"], figures["warranty_draining"]) == (0, 1)


def test_only_names_of_operations_and_of_endings_stand_in_labels(told: Told, shop: Shop) -> None:
    """Whatever was sent, by whom, for whom: the series are the same as before."""
    shop.order("o-Ada-Byron")
    shop.unanswered(sale_of("o-Ada-Byron"))
    line = {"operation": "ada@example.com", "outcome": "done", "milliseconds": 1}
    logging.getLogger("warranty.calls").info("", extra={"call": line})
    figures = told.figures()
    assert figures.keys() == told.before.keys()
    labels = set(re.findall(r'(operation|outcome|kind|version|environment)="([^"]*)"', " ".join(figures)))
    for name, values in (("operation", OPERATIONS), ("outcome", OUTCOMES)):
        assert {value for label, value in labels if label == name} == set(values)
    assert not [series for series in figures if re.search(r"(?i)byron|dana|o-ada|token=", series)]


def test_every_figure_stands_in_the_document_and_no_other(told: Told) -> None:
    document = (ROOT / "docs" / "metrics.md").read_text()
    rows = dict(re.findall(r"^\| `(warranty_\w+)` \| (\w+)", document, flags=re.MULTILINE))
    assert rows == dict.fromkeys(GAUGES, "gauge") | families(told.port)  # gauges too that cannot be told now


def test_a_port_that_is_taken_is_told_and_in_the_end_nobody_counts(told: Told, journal: Journal) -> None:
    with pytest.raises(SettingsProblem, match=f"WARRANTY_METRICS_PORT {told.port} cannot be listened on"):
        Told(journal, told.port, told.folder)
    calls = logging.getLogger("warranty.calls")
    with_metrics = len(calls.handlers)
    told.stop()
    assert len(calls.handlers) == with_metrics - 1
    assert told.now() is None

"""Notes on days: written on Trends, drawn on every chart of that time, told in words and in manifests."""

import json
from datetime import date, timedelta
from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from components.claims.charts.figure import Chart, checked_figure
from components.claims.charts.time_notes import notes_of, with_notes
from components.words.days import service_today
from tests.builders import MANAGER, STAFF, away
from tests.components.claims.screen.screen import folded_out, with_chart
from tests.components.claims.screen.screen import opened as first_read
from tests.components.stage import Stage, date_field, shown, words
from tests.components.stage import press as press_button
from warranty.access import Operator
from warranty.claims.analysis import Period
from warranty.claims.readings.readings import KeptClaims
from warranty.files.export import claims_file
from warranty.insight.history.time_notes import NoteKind, TimeNote, TimeNotes, notes_for_manifest

HOSTILE = "**bold** <b>recall</b> [link](https://example.com) $x$"


def note(first: date, last: date | None = None, *, said: str = "Chargers called back") -> TimeNote:
    return TimeNote(first=first, last=last or first, kind=NoteKind.RECALL, words=said)


def opened(stage: Stage, screen: str, operator: Operator = MANAGER) -> AppTest:
    period = "all" if screen == "overview" else "30-days"  # what the screen reads
    test = first_read(stage, {"period": period}, screen, operator=operator)
    return with_chart(test) if screen == "claims" else shown(test.run())


def chart(test: AppTest) -> tuple[str, dict[str, Any]]:
    drawn = next(each for each in test.get("plotly_chart") if each.proto.alt.startswith("Claims by status"))
    return drawn.proto.alt, json.loads(drawn.proto.spec)["layout"]


def press(test: AppTest, label: str) -> AppTest:
    """Press a button of the panel, which a browser keeps unfolded by itself."""
    return folded_out(press_button(test, label), "notes")


def test_a_manager_writes_changes_and_deletes_a_note_and_what_cannot_be_right_is_not_written(stage: Stage) -> None:
    test = folded_out(opened(stage, "overview"), "notes")
    assert "Name the product that it is about." in words(test)
    test.text_input(key="notes:words").set_value("Chargers called back")
    day = service_today() - timedelta(days=3)
    date_field(test, "From – to").set_value((day,))  # the last day is left as it was
    press(test, "Add the note")
    said = f"1 Recall, {Period(day, day).words}: Chargers called back"
    alt, layout = chart(test)
    assert f". {said}. " in alt
    assert said in [text.value for text in test.text]
    assert [badge["text"] for badge in layout["annotations"]] == ["<b>1</b>"]
    press(test, "Change")
    test.text_input(key="notes:words").set_value("Chargers and cables called back")
    press(test, "Save the change")
    assert "Chargers and cables called back" in chart(test)[0]
    press(test, "Yes, delete")
    assert "called back" not in chart(test)[0]
    assert "annotations" not in chart(test)[1]
    test = folded_out(opened(stage, "overview"), "notes")
    press(test, "Add the note")
    assert "Choose a day, or the first and the last of several." in words(test)
    date_field(test, "From – to").set_value((service_today(),))
    press(test, "Add the note")
    assert "Say in a few words what happened." in words(test)
    assert stage.runtime.insight.time_notes(MANAGER) == []


@pytest.mark.parametrize("operator", [MANAGER, STAFF])
def test_on_claims_the_chart_has_it_as_well_and_reads_no_markdown(stage: Stage, operator: Operator) -> None:
    stage.runtime.insight.write_note(MANAGER, note(service_today() - timedelta(days=4), said=HOSTILE))
    test = opened(stage, "claims", operator)
    alt, layout = chart(test)
    assert HOSTILE in alt
    assert any(HOSTILE in text.value for text in test.text)
    assert not any("recall</b>" in str(element.value) for element in test.markdown)
    assert "&lt;b&gt;recall&lt;/b&gt;" in layout["annotations"][0]["hovertext"].replace("<br>", " ")


@pytest.mark.parametrize("screen", ["claims", "overview"])
def test_charts_do_without_the_journal(stage: Stage, screen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeNotes, "all", away)
    test = opened(stage, screen)
    assert "annotations" not in chart(test)[1]
    assert "Notes on these days cannot be read now" in words(test)


STEPS = (Period(date(2026, 9, 28), date(2026, 9, 30)), Period(date(2026, 10, 1), date(2026, 10, 31)))


def band(drawn: TimeNote) -> tuple[float, float]:
    figure = with_notes(checked_figure([], height=100), STEPS, [drawn])
    (shape,) = figure.layout.shapes
    return shape.x0, shape.x1


def test_a_band_lies_over_the_days_of_its_note_and_notes_of_other_days_have_none() -> None:
    assert band(note(date(2026, 9, 29))) == pytest.approx((-0.5 + 1 / 3, -0.5 + 2 / 3))
    assert band(note(date(2026, 9, 30), date(2026, 10, 31))) == pytest.approx((-0.5 + 2 / 3, 1.5))
    assert band(note(date(2020, 1, 1), date(2030, 1, 1))) == (-0.5, 1.5)
    told = [note(date(2026, 9, 27)), note(date(2026, 9, 28)), note(date(2026, 11, 1))]
    kwargs: dict[str, Any] = {"base": None, "table": None, "picks": {}, "figure": go.Figure()}
    assert notes_of(Chart("n", "t", "w", steps=STEPS, **kwargs), told) == told[1:2]
    assert notes_of(Chart("n", "t", "w", **kwargs), told) == []


def test_the_manifest_of_a_file_tells_the_notes_on_the_days_of_its_claims(kept: KeptClaims) -> None:
    first, last = date(2026, 10, 24), date(2026, 11, 22)
    touching = note(first - timedelta(days=9), first)
    notes = [note(first - timedelta(days=1)), touching, note(last + timedelta(days=1))]
    manifest = json.loads(claims_file(kept.claims, notes=notes_for_manifest(notes, first, last)).manifest)
    (told,) = manifest["notes_on_days"]
    assert told == {"first": "2026-10-15", "last": "2026-10-24", "kind": "recall", "words": "Chargers called back"}
    unknown = json.loads(claims_file(kept.claims, notes=notes_for_manifest(None, first, last)).manifest)
    assert unknown["notes_on_days"] == "not known: the journal did not answer"

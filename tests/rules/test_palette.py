"""The one palette of the product: what is read on it can be read, by day and by night, and by every eye."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from components.claims.charts.colours import CLOSED, MAIN, OPEN, OTHER, pale, status_colours
from components.words.attempts import OUTCOMES as SHOWN
from tests.colours import SIGHTS, apart, contrast, nearest

ROOT = Path(__file__).parents[2]
THEME: dict[str, Any] = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
HALVES = ("light", "dark")
HUES = ("green", "red", "orange", "yellow", "blue", "gray")
TEXT_OR_CONTROL = 4.5
WHITE = "#FFFFFF"


STYLES = (ROOT / "components" / "platform" / "desk.css").read_text()
OUTCOMES = re.findall(r"\.outcomes \.[\w-]+ {[^}]*?(#\w{6})", STYLES)


def badges(half: str) -> list[str]:
    return [THEME[half][f"{hue}BackgroundColor"] for hue in {each.colour for each in SHOWN.values()}]


def of_styles(half: str) -> dict[str, str]:
    light, dark = re.findall(r":root {( --ground:[^}]*)}", STYLES)[:2]
    said = re.findall(r"--([\w-]+): (#\w+)", {"light": light, "dark": dark}[half])
    return {
        name: colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:]) for name, colour in said
    }


@pytest.mark.parametrize("half", HALVES)
def test_what_is_read_and_what_is_pressed_is_seen_from_its_ground(half: str) -> None:
    theme, styles = THEME[half], of_styles(half)
    names = ("textColor", "linkColor", "primaryColor", "dataframeHeaderTextColor", "borderColor")
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        assert [name for name in names if contrast(theme[name], theme[ground]) < TEXT_OR_CONTROL] == []
    for hue in HUES:
        for ground in (f"{hue}BackgroundColor", "backgroundColor"):
            assert contrast(theme[f"{hue}TextColor"], theme[ground]) >= TEXT_OR_CONTROL, hue
    assert contrast(styles["on-main"], theme["primaryColor"]) >= TEXT_OR_CONTROL
    same = {"ground": "backgroundColor", "main": "primaryColor", "edge": "borderColor"}
    assert {name: styles[name] for name in same} == {name: theme[of] for name, of in same.items()}


def test_what_stands_in_a_coloured_bar_or_on_a_pale_chip_can_be_read() -> None:
    bars = {"#0B4A80": WHITE, "#FFD34D": "#1A1300", "#FFE08A": "#1A1300"}
    pages_beside = (ROOT / "components" / "platform" / "own_page" / "page.css").read_text()
    for ground, ink in bars.items():
        assert ground in STYLES
        assert ground in pages_beside
        assert contrast(ink, ground) >= TEXT_OR_CONTROL
    # Without colour: training is dark, tests light with stripes, production is the page's own.
    assert contrast("#0B4A80", "#000000") < 3
    assert contrast("#FFD34D", "#000000") + 1 < contrast("#FFE08A", "#000000")
    assert all(contrast(each.chip, "#000000") > 11 for each in SHOWN.values() if each.chip)


@pytest.mark.parametrize("half", HALVES)
def test_each_part_of_the_bar_of_outcomes_can_be_seen(half: str) -> None:
    assert len(OUTCOMES) == 6
    for colour in OUTCOMES:
        assert contrast(colour, THEME[half]["backgroundColor"]) >= 3.0, colour


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("colours", "distance"), [
    pytest.param(OUTCOMES, 13, id="outcomes of an import"), pytest.param((*OPEN, *CLOSED), 13, id="statuses"),
    pytest.param([each.chip for each in SHOWN.values() if each.chip], 11, id="outcomes in Activity"),
    *(pytest.param(badges(half), 6, id=f"badges, {half}") for half in HALVES),
])  # fmt: skip
def test_colours_that_mean_something_look_different(colours: list[str], distance: float, sight: str) -> None:
    """Grounds of text are pale, or dark, so nearer than a chart's colours: a sign and a word stand on each."""
    two = nearest(colours, sight)
    assert two[0] >= distance, two


DARK = "#191815"
COLOURS: Final = (*OPEN, *CLOSED)


@pytest.mark.parametrize(("one", "other", "distance"), [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425), ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
])  # fmt: skip
def test_distances_are_those_known(one: tuple[float, ...], other: tuple[float, ...], distance: float) -> None:
    assert apart(np.array(one), np.array(other)) == pytest.approx(distance, abs=1e-4)


@pytest.mark.parametrize("colour", [*COLOURS, OTHER, MAIN])
def test_every_colour_stands_out_from_both_backgrounds(colour: str) -> None:
    assert contrast(colour, WHITE) >= 3
    assert contrast(colour, DARK) >= 3


@pytest.mark.parametrize("colour", COLOURS)
def test_a_word_on_its_pale_chip_can_be_read(colour: str) -> None:
    assert contrast("#000000", pale(colour)) >= 7


def test_open_words_have_one_hue_by_urgency_and_closed_ones_are_grey() -> None:
    closed = ("RESOLVED", "DENIED", "REPLACED")
    given = status_colours(["Z", "IN_REVIEW", "DENIED", "OPEN", "RESOLVED", "Y", "REPLACED"], closed=closed)
    assert [given[word] for word in ("OPEN", "IN_REVIEW", "Y", "Z")] == [*OPEN, OPEN[-1]]
    assert [given[word] for word in closed] == [CLOSED[0], CLOSED[1], CLOSED[1]]
    assert status_colours(["offen", "erledigt"], closed=("erledigt",)) == {"offen": OPEN[0], "erledigt": CLOSED[0]}
    assert status_colours(["OPEN"], closed=("OPEN",)) == {"OPEN": CLOSED[0]}

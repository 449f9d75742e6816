"""Colours of statuses are told apart by everybody, also without red, green or blue cones, and on both backgrounds."""

from typing import Final

import numpy as np
import pytest

from components.claims.charts.colours import CLOSED, MAIN, OPEN, OTHER, pale, status_colours
from tests.colours import SIGHTS, apart, contrast, nearest

WHITE, DARK = "#FFFFFF", "#191815"
COLOURS: Final = (*OPEN, *CLOSED)
FAR: Final = 13.0


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ],
)
def test_distances_are_those_known(one: tuple[float, ...], other: tuple[float, ...], distance: float) -> None:
    assert apart(np.array(one), np.array(other)) == pytest.approx(distance, abs=1e-4)


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_colours_of_a_chart_are_told_apart_by_whoever_sees_so(sight: str) -> None:
    two = nearest(COLOURS, sight)
    assert two[0] >= FAR, two


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

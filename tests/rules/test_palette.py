"""The one palette of the product: what is read on it can be read, by day and by night."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
THEME: dict[str, Any] = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
HALVES = ("light", "dark")
HUES = ("green", "red", "orange", "blue", "gray")
TEXT, CONTROL = 7.0, 4.5
WHITE = "#FFFFFF"


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("half", HALVES)
def test_text_and_links_have_seven_to_one_on_every_ground(half: str) -> None:
    theme = THEME[half]
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        for ink in ("textColor", "linkColor"):
            assert contrast(theme[ink], theme[ground]) >= TEXT, (ink, ground)


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("hue", HUES)
def test_what_a_badge_says_has_seven_to_one(half: str, hue: str) -> None:
    theme = THEME[half]
    assert contrast(theme[f"{hue}TextColor"], theme[f"{hue}BackgroundColor"]) >= TEXT
    assert contrast(theme[f"{hue}TextColor"], theme["backgroundColor"]) >= TEXT


@pytest.mark.parametrize("half", HALVES)
def test_the_main_button_can_be_read_and_seen(half: str) -> None:
    theme = THEME[half]
    assert contrast(WHITE, theme["primaryColor"]) >= CONTROL
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) >= 3.0  # its shape, beside its word


def test_what_stands_in_a_coloured_bar_has_seven_to_one() -> None:
    bars = {"#0B4A80": WHITE, "#FFD34D": "#1A1300", "#FFE08A": "#1A1300"}
    for sheet in ("frame/desk.css", "own_page/page.css"):
        styles = (ROOT / "components" / sheet).read_text()
        assert [ground for ground in bars if ground not in styles] == [], sheet
    for ground, ink in bars.items():
        assert contrast(ink, ground) >= TEXT
    # Without colour: training is dark, tests light with stripes, production is the page's own.
    assert luminance("#0B4A80") < 0.1
    assert luminance("#FFE08A") - 0.05 > luminance("#FFD34D") > 0.6


@pytest.mark.parametrize("half", HALVES)
def test_each_part_of_the_bar_of_outcomes_can_be_seen(half: str) -> None:
    styles = (ROOT / "components" / "frame" / "desk.css").read_text()
    parts = re.findall(r"\.outcomes \.[\w-]+ {[^}]*?(#\w{6})", styles)
    assert len(parts) == 6
    for colour in parts:
        assert contrast(colour, THEME[half]["backgroundColor"]) >= 3.0, colour

"""Entries of the journal in words: all units paid for, moments in the reader's clock, one next step."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from components.keys.router import keys_of
from components.navigation import SCREENS
from components.selling.submit_order.order_result import _on_the_slip
from components.words import attempts
from components.words.attempts import amount_of, covered_days, items_words, next_step, short_moment
from tests.builders import entry_of
from tests.dashboard import ROOT
from warranty.desk.journal import AttemptState, ItemLine

NOW = datetime(2026, 11, 22, 3, 0, tzinfo=UTC)
TVS = ItemLine("TV", "TV-55", 2, Decimal("899.00"), warranty_price=Decimal("79.99"))
LAMP = ItemLine("", "LAMP", 3, Decimal("89.50"), warranty_price=Decimal("9.99"))
SALE = entry_of("record_sale", TVS, LAMP, started_at=NOW)


def test_an_amount_is_of_all_units_and_of_none_where_a_price_is_unknown_and_what_was_sent_is_its_first_line() -> None:
    assert amount_of(SALE) == Decimal("189.95")
    assert amount_of(replace(SALE, operation="submit_order")) == Decimal("2066.50")
    assert amount_of(replace(SALE, items=(TVS, replace(LAMP, warranty_price=None)))) is None
    assert amount_of(replace(SALE, items=())) is None
    assert [items_words(lines) for lines in ((), (LAMP,), (TVS, LAMP, LAMP))] == ["No items", "LAMP", "TV and 2 more"]


@pytest.mark.parametrize(
    ("ago", "said"),
    [(timedelta(hours=2), "20:00"), (timedelta(hours=23), "20 Nov, 23:00"), (timedelta(days=365), "21 Nov 2025")],
)
def test_a_moment_is_told_from_todays_day(monkeypatch: pytest.MonkeyPatch, ago: timedelta, said: str) -> None:
    monkeypatch.setattr(attempts, "here", lambda: ZoneInfo("America/New_York"))
    assert short_moment(NOW - ago, NOW) == said


@pytest.mark.parametrize(
    ("state", "step"),
    [
        (AttemptState.UNKNOWN, "Check, then settle it"), (AttemptState.REFUSED, "Correct and send"),
        (AttemptState.NOT_SENT, "Send"), (AttemptState.NOT_RECORDED, "Send if still wanted"),
        (AttemptState.DONE, ""),
    ],
)  # fmt: skip
def test_each_outcome_has_one_next_step_and_none_once_corrected(state: AttemptState, step: str) -> None:
    assert next_step(replace(SALE, state=state)) == step
    assert next_step(replace(SALE, state=state), corrected=True) == ""


def test_a_product_is_covered_once_each_of_its_units_is() -> None:
    first, second = (
        replace(SALE, state=AttemptState.DONE, items=(replace(TVS, quantity=1, term_months=months),))
        for months in (24, 36)
    )
    tv, lines = replace(TVS, quantity=1), [replace(TVS, quantity=1), replace(TVS, quantity=1), LAMP]
    assert _on_the_slip(tv, lines, [first]).covered == ()
    assert _on_the_slip(tv, lines, [second, first]).covered == (date(2028, 11, 22), date(2029, 11, 22))
    assert _on_the_slip(LAMP, lines, [second, first]).covered == ()
    assert covered_days([first, replace(second, state=AttemptState.UNKNOWN)]) == (date(2028, 11, 22),)


def test_every_shortcut_of_a_button_stands_in_the_list_of_keys() -> None:
    used = {
        keys
        for path in (ROOT / "components").rglob("*.py")
        for keys in re.findall(r'shortcut="([^"]{1,20})"', path.read_text())
    }
    assert used
    assert used <= {keys for screen in SCREENS for keys, _ in keys_of(screen.name)}

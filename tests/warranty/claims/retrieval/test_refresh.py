"""A refresh of what was read before asks for what can have changed, proves the rest by totals, and says so."""

import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd
import pytest

from tests.warranty.insight.history.claims_of_a_day import PAGE, ServiceOf
from tests.worlds import ENDS, Shop
from warranty.claims.analysis import compare
from warranty.claims.retrieval import ClaimLimits, ClaimSet, refreshed_claims
from warranty.client.resources import ClaimQuery
from warranty.errors import NotSent, Trace
from warranty.language import Sentence

HOUR = timedelta(hours=1)
SHOP = Shop(seed=5, claims_a_month=170, resolve_days=8, months=24, term=18)
LAST_YEAR = ClaimQuery(claim_dates=(datetime(2025, 11, 1), datetime(2026, 11, 22, 23, 59, 59, 999999)))  # noqa: DTZ001


class Desk:
    """Reads the claims of a query from a service."""

    def __init__(self, frame: pd.DataFrame, query: ClaimQuery = LAST_YEAR) -> None:
        self.service, self.query, self.cancel = ServiceOf(frame), query, threading.Event()
        self.now = datetime(2026, 11, 22, 12, tzinfo=UTC)
        self.claims = self.read()

    def read(self, former: ClaimSet | None = None) -> ClaimSet:
        self.service.calls = 0
        limits = ClaimLimits(at_once=1 if self.service.at else 4)
        how: dict[str, Any] = {"closed": ENDS, "limits": limits, "cancel": self.cancel, "former": former}
        return refreshed_claims(self.service, self.query, now=lambda: self.now, **how)

    def refresh(self, *, after: timedelta = HOUR) -> ClaimSet:
        self.now += after
        self.claims = self.read(self.claims)
        return self.claims


def bag(frame: pd.DataFrame) -> Counter[tuple[object, ...]]:
    return Counter(frame.astype({"status": "str"}).itertuples(index=False, name=None))


BEFORE = SHOP.claims(SHOP.today - timedelta(days=2))
OF_A_YEAR = BEFORE[BEFORE["claim_date"].between(*LAST_YEAR.claim_dates or ())]
CLOSED = OF_A_YEAR[OF_A_YEAR["status"].isin(ENDS)]


@pytest.fixture
def desk() -> Desk:
    return Desk(BEFORE)


def test_of_20_000_claims_of_which_50_changed_at_most_a_quarter_is_asked_for() -> None:
    shop = Shop(seed=1, claims_a_month=560, months=48)
    before, now = shop.claims(shop.today - timedelta(days=2)), shop.claims()
    found = compare(before, now)
    assert 50 <= len(found.new) + len(found.changed) <= 150, "what two days bring, here within an hour"
    assert 20_000 <= len(now) < 22_000
    desk = Desk(before, ClaimQuery())
    all_of_them = desk.claims.requests
    desk.service.show(now)
    claims = desk.refresh()
    assert bag(claims.frame) == bag(now)
    assert claims.seal == f"complete: {len(now):,} of {len(now):,}"
    print(f"{claims.requests} of {all_of_them} calls")  # noqa: T201 - with -s
    assert claims.requests == desk.service.calls <= len(now) / PAGE / 4 < all_of_them / 4


@pytest.mark.parametrize("query", [ClaimQuery(), LAST_YEAR])
def test_it_is_what_a_reading_of_all_brings_and_says_since_when_closed_claims_stand(query: ClaimQuery) -> None:
    desk = Desk(BEFORE, query)
    first_read = desk.claims.as_of
    assert desk.claims.closed_from is None
    desk.service.show(SHOP.claims())
    claims, whole = desk.refresh(), desk.read()
    assert claims.requests < whole.requests * 0.7
    assert claims.frame.equals(whole.frame)
    assert claims.table.as_received().equals(whole.table.as_received())
    assert (claims.closed_from, claims.as_of, whole.closed_from) == (first_read, first_read + HOUR, None)
    some = claims.narrowed_to(LAST_YEAR)
    assert some is not None
    assert some.closed_from == first_read


def test_every_claim_is_read_anew_within_a_day_of_refreshes(desk: Desk) -> None:
    begun, place = desk.claims.as_of, CLOSED.index[len(CLOSED) // 2]
    desk.service.show(BEFORE.assign(status=BEFORE["status"].astype("str").where(BEFORE.index != place, "REOPENED")))
    for _ in range(8):
        claims = desk.refresh(after=3 * HOUR)
    assert "REOPENED" in set(claims.frame["status"])
    assert claims.closed_from is None or claims.closed_from > begun
    assert desk.service.calls < len(OF_A_YEAR) / PAGE


def test_where_totals_do_not_add_up_all_is_read() -> None:
    desk = Desk(BEFORE, ClaimQuery())

    def hides_two(page: dict[str, Any], query: ClaimQuery) -> None:
        page["total_count"] += 2 * (query.claim_dates is None)

    desk.service.alters = hides_two
    claims = desk.refresh()
    assert not claims.is_whole
    assert claims.requests > len(BEFORE) / PAGE


def test_of_a_set_that_is_not_certain_all_is_read(desk: Desk) -> None:
    whole = desk.claims
    for doubtful in (replace(whole, received=1), replace(whole, reasons=(Sentence("The service failed."),))):
        desk.claims = doubtful
        assert desk.refresh().closed_from is None


def test_where_the_service_fails_amid_it_what_was_read_stays(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warranty.claims.retrieval.update._REPEATS", 0)

    def down(_page: dict[str, Any], _query: ClaimQuery) -> None:
        if desk.service.calls > 5:
            raise NotSent(trace=Trace(operation="claims", attempt_id=""))

    desk.service.alters = down
    with pytest.raises(NotSent):  # the screens say so, beside the set that they show
        desk.refresh()
    assert desk.service.calls > 5

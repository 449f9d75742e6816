"""A night reads what can have changed, proves the rest by totals, and keeps the same as if all had been read."""

import json
import shutil
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from tests.warranty.history.claims_of_a_day import PAGE, ServiceOf
from tests.worlds import ENDS, Shop
from warranty.analysis import compare
from warranty.errors import NotSent, Trace
from warranty.history import Night, Nights, Reading, keep
from warranty.history.plan import ROUND
from warranty.history.taking import Taker
from warranty.resources import ClaimQuery
from warranty.retrieval import Bounds, ClaimLimits

NIGHT = timedelta(days=1)
SHOP = Shop(seed=3, claims_a_month=300, resolve_days=12, months=18, term=12)
COMPARED = ["claim_date", "order_id", "warranty_id", "status", "product_name"]


class Keeper:
    """Takes one night after the other of a service."""

    def __init__(self, folder: Path, service: ServiceOf) -> None:
        self.nights = Nights(folder)
        self.service = service
        self.now = datetime(2026, 11, 20, 2, tzinfo=UTC)
        self.cancel = threading.Event()

    def read(self, *, after: timedelta = NIGHT) -> Reading:
        self.now += after
        self.service.calls = 0
        limits = ClaimLimits(at_once=1 if isinstance(self.service, Moving) else 2)
        taker = Taker(self.service, closed=ENDS, limits=limits, cancel=self.cancel, now=lambda: self.now)
        return taker.read(self.nights.last)

    def take(self, *, after: timedelta = NIGHT) -> Night:
        return self.keep(self.read(after=after))

    def keep(self, reading: Reading) -> Night:
        earlier = self.nights.last
        return keep(self.nights, reading, day=self.now.date(), environment="sandbox", earlier=earlier)


@cache
def _claims_of(days_ago: int) -> pd.DataFrame:
    return SHOP.claims(SHOP.today - timedelta(days=days_ago))


def claims_of(days_ago: int = 0) -> pd.DataFrame:
    return _claims_of(days_ago).copy()


@pytest.fixture(scope="module")
def first_night(tmp_path_factory: pytest.TempPathFactory) -> Keeper:
    """The night that most tests begin with: taken once, and copied."""
    made = Keeper(tmp_path_factory.mktemp("history") / "sandbox", ServiceOf(claims_of(1)))
    made.take()
    return made


def goes_on(first: Keeper, folder: Path, service: ServiceOf) -> Keeper:
    shutil.copytree(first.nights.folder, folder)
    made = Keeper(folder, service)
    made.now = first.now
    return made


@pytest.fixture
def keeper(first_night: Keeper, tmp_path: Path) -> Keeper:
    """One night is kept; since then nothing has happened."""
    return goes_on(first_night, tmp_path / "sandbox", ServiceOf(claims_of(1)))


def bag(frame: pd.DataFrame) -> Counter[tuple[object, ...]]:
    return Counter(frame[COMPARED].astype({"status": "str"}).itertuples(index=False, name=None))


def a_closed_one(frame: pd.DataFrame, place: float = 0.3) -> int:
    """The label of a closed claim as far from the newest one as `place` says."""
    closed = frame.index[frame["status"].isin(ENDS)]
    return int(closed[int(len(closed) * place)])


def test_all_claims_are_there_night_after_night_for_a_quarter_of_the_calls(
    tmp_path: Path,
) -> None:
    keeper = Keeper(tmp_path / "sandbox", ServiceOf(claims_of(3)))
    keeper.take()
    for ago in (2, 1, 0):
        keeper.service.show(claims_of(ago))
        night = keeper.take()
        assert bag(night.frame()) == bag(claims_of(ago))
        assert (night.sealed, night.manifest.proof) == (True, "read tonight / proved by total")
        assert keeper.service.calls == night.manifest.calls <= len(claims_of()) / PAGE / 4 + 4
    assert len(compare(claims_of(3), claims_of(0)).changed) > 20


def test_a_service_that_leaves_out_the_ends_of_a_range_gives_the_same_night(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "sandbox", ServiceOf(claims_of(1), Bounds(False, False)))
    keeper.take()
    keeper.service.show(claims_of(0))
    night = keeper.take()
    assert (night.sealed, night.manifest.proof) == (True, "read tonight / proved by total")
    assert night.manifest.calls < 30
    assert bag(night.frame()) == bag(claims_of(0))


def test_nothing_happened_and_everything_is_proved(keeper: Keeper) -> None:
    first = keeper.nights.last
    night = keeper.take()
    assert first is not None
    assert bag(night.frame()) == bag(first.frame())
    told = night.manifest
    assert 0 < told.read_tonight < told.rows / 2
    assert {part.read_from for part in told.parts} <= {first.as_of, night.as_of}
    assert any(first.file(month).samefile(night.file(month)) for month in night.start_months)


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Totals are asked of 300 claims each, so that a few claims are in many of them."""
    monkeypatch.setattr("warranty.history.plan._PAGES_IN_A_RANGE", 6)


@pytest.mark.parametrize("place", [0.3, 0.6, 0.999])
def test_a_closed_claim_that_vanished_is_found(keeper: Keeper, small_ranges: None, place: float) -> None:
    claims = claims_of(1)
    keeper.service.show(claims.drop(index=a_closed_one(claims, place)))
    night = keeper.take()
    assert night.sealed
    assert bag(claims) - bag(night.frame()) == bag(claims.loc[[a_closed_one(claims, place)]])


def test_back_dated_claims_are_found_also_where_as_many_vanished(keeper: Keeper, small_ranges: None) -> None:
    claims = claims_of(1)
    old, gone = a_closed_one(claims, 0.95), a_closed_one(claims, 0.1)
    late = claims.loc[[old] * 3].assign(order_id=["late-1", "late-2", "late-3"])
    shown = pd.concat([claims.drop(index=[gone, gone - 1, gone - 2]), late], ignore_index=True)
    keeper.service.show(shown)
    night = keeper.take()
    assert night.sealed
    assert night.manifest.proof == "read tonight / proved by total"
    assert bag(night.frame()) == bag(shown)


def test_a_crowd_of_claims_dated_long_ago_is_read(keeper: Keeper) -> None:
    claims = claims_of(1)
    early = datetime.fromisoformat("1999-12-31T23:59:59")
    crowd = claims.head(300).assign(claim_date=[early + timedelta(seconds=number) for number in range(300)])
    keeper.service.show(pd.concat([claims, crowd], ignore_index=True))
    assert bag(keeper.take().frame()) == bag(claims) + bag(crowd)


def test_where_most_does_not_add_up_all_claims_are_read(keeper: Keeper) -> None:
    claims = claims_of(1)
    kept = claims[(claims.index % 7) != 0]
    keeper.service.show(kept)
    night = keeper.take()
    assert night.manifest.proof == "read"
    assert bag(night.frame()) == bag(kept)


@pytest.mark.parametrize("every", [4 * NIGHT, pytest.param(NIGHT, marks=pytest.mark.long)])
def test_a_reopened_claim_is_seen_within_the_round(keeper: Keeper, every: timedelta) -> None:
    claims = claims_of(1)
    reopened = a_closed_one(claims, 0.5)
    claims["status"] = claims["status"].astype("str")
    claims.loc[reopened, "status"] = "OPEN"
    keeper.service.show(claims)
    it, changed_at = claims.loc[reopened], keeper.now
    while True:
        night = keeper.take(after=every)
        frame = night.frame()
        is_it = (frame["warranty_id"] == it["warranty_id"]) & (frame["claim_date"] == it["claim_date"])
        found = frame[is_it].iloc[0]
        assert keeper.now - changed_at <= ROUND + NIGHT
        if found["status"] == "OPEN":
            break
        assert found["read_at"] <= changed_at < night.as_of, "until then it says when it was read"
    assert found["read_at"] == keeper.now


def test_within_a_round_every_claim_was_read_also_where_nights_are_missing(keeper: Keeper) -> None:
    begun = keeper.now
    for days in (1, 1, 9, 12, 5, 1, 1):
        night = keeper.take(after=timedelta(days=days))
        assert night.manifest.proof != "read", "each has its turn, and not all at once"
    assert night.claims()["read_at"].to_pandas().min() > begun


class Moving(ServiceOf):
    """Something happens right before a certain call."""

    def __init__(self, frame: pd.DataFrame) -> None:
        super().__init__(frame)
        self.at: dict[int, Callable[[], None]] = {}

    def claims_body(self, query: ClaimQuery) -> bytes:
        self.at.pop(self.calls + 1, lambda: None)()
        return super().claims_body(query)


@pytest.fixture
def moving(first_night: Keeper, tmp_path: Path) -> Keeper:
    return goes_on(first_night, tmp_path / "sandbox", Moving(claims_of(1)))


def happens(keeper: Keeper, share: float, what: Callable[[], None], *, times: int = 1) -> None:
    """Let it happen right before a call of the next night: 0 is its first one, 1 the last."""
    calls = len(keeper.read(after=timedelta()).claims) and keeper.service.calls
    assert isinstance(keeper.service, Moving)
    first = 1 + round(share * (calls - 1))
    keeper.service.at = dict.fromkeys(range(first, first + times), what)


@pytest.mark.parametrize("share", [0.2, 0.7, 0.95])
def test_all_that_was_there_throughout_a_reading_is_there_and_no_other(moving: Keeper, share: float) -> None:
    claims = claims_of(1)
    late = claims.loc[[a_closed_one(claims, 0.9)]].assign(order_id="late")
    after = pd.concat([claims.drop(index=a_closed_one(claims, 0.4)), late], ignore_index=True)
    happens(moving, share, lambda: moving.service.show(after))
    night = moving.take()
    assert night.sealed
    assert not (bag(claims) & bag(after)) - bag(night.frame())
    assert not bag(night.frame()) - (bag(claims) | bag(after))
    assert bag(moving.take().frame()) == bag(after)


@pytest.mark.parametrize("share", [0.95, 1])
def test_claims_newer_than_all_that_were_read_belong_to_the_next_night(moving: Keeper, share: float) -> None:
    newer = claims_of(0).head(1)
    happens(moving, share, lambda: moving.service.show(pd.concat([claims_of(1), newer], ignore_index=True)))
    night = moving.take()
    assert night.sealed
    assert bag(night.frame()) == bag(claims_of(1))
    assert bag(moving.take().frame()) == bag(claims_of(1)) + bag(newer)


def down() -> None:
    raise NotSent(trace=Trace(operation="claims", attempt_id=""))


@pytest.mark.parametrize("share", [0.4, 0.95])
def test_after_a_night_whose_service_failed_the_next_builds_on_the_last_whole_one(
    moving: Keeper, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warranty.history.taking._REPEATS", 0)
    happens(moving, share, down, times=40)
    moving.service.show(claims_of(0))
    night = moving.take()
    assert not night.sealed
    assert night.manifest.reasons == ("The service could not be reached while claims were read.",)
    assert night.manifest.total is None
    assert len(moving.nights.complete) == 1
    assert isinstance(moving.service, Moving)
    moving.service.at.clear()
    assert bag(moving.take().frame()) == bag(claims_of(0))
    assert len(moving.nights.complete) == 2


def test_a_stopped_reading_says_so_and_sends_nothing_more(moving: Keeper) -> None:
    happens(moving, 0.4, moving.cancel.set)
    reading = moving.read()
    assert not reading.whole
    assert reading.reasons == ("Somebody stopped the reading before its end; nothing failed.",)
    assert moving.service.calls < 10


class WithOddOnes(ServiceOf):
    """One claim's record has no status."""

    odd = ""

    def claims_body(self, query: ClaimQuery) -> bytes:
        page = json.loads(super().claims_body(query))
        for record in page["data"]:
            if record["order_id"] == self.odd:
                del record["status"]
        return json.dumps(page).encode()


def test_a_claim_that_cannot_be_read_is_counted_and_costs_no_night(
    tmp_path: Path,
) -> None:
    claims = claims_of(1)
    service = WithOddOnes(claims)
    claims.loc[a_closed_one(claims, 0.5), "order_id"] = service.odd = "odd"
    service.show(claims)
    keeper = Keeper(tmp_path / "sandbox", service)
    for _ in range(2):
        night = keeper.take()
        assert night.sealed
        assert night.manifest.unreadable == 1
        assert night.manifest.seal.startswith("INCOMPLETE: ")
        assert night.manifest.seal.endswith(", 1 unreadable")
        assert len(night.claims()) == len(claims) - 1
    assert night.manifest.proof != "read"


def test_claims_that_no_date_finds_are_told_as_what_does_not_add_up(keeper: Keeper) -> None:
    class Hiding(ServiceOf):
        def claims_body(self, query: ClaimQuery) -> bytes:
            page = json.loads(super().claims_body(query))
            page["total_count"] += 2 * (query.claim_dates is None)
            return json.dumps(page).encode()

    keeper.service = Hiding(claims_of(1))
    night = keeper.take()
    assert not night.sealed
    rows = len(claims_of(1))
    assert night.manifest.reasons == (
        f"The totals do not add up: the service counts {rows + 2:,} claims, and {rows:,} were found.",
    )


@pytest.mark.long
def test_of_200_000_claims_of_which_500_changed_a_quarter_is_asked_for(
    tmp_path: Path,
) -> None:
    shop = Shop(seed=1, claims_a_month=5_300, months=48, resolve_days=25)
    before, now = shop.claims(shop.today - NIGHT), shop.claims()
    for frame in (before, now):
        frame["status"] = frame["status"].astype("str")
        # Forgotten ones of all ages are open since long ago: 200 stay so, and 150 are closed tonight.
        frame.loc[frame["warranty_id"].isin(before["warranty_id"].iloc[500::1_000]), "status"] = "OPEN"
    before.loc[before["warranty_id"].isin(before["warranty_id"].iloc[1_000::1_330]), "status"] = "OPEN"
    found = compare(before, now)
    keeper = Keeper(tmp_path / "sandbox", ServiceOf(before))
    keeper.take()
    keeper.service.show(now)
    night = keeper.take()
    assert bag(night.frame()) == bag(now)
    assert 190_000 < len(now) < 210_000
    assert len(found.new) + len(found.changed) > 480
    print(f"{len(found.new)} new, {len(found.changed)} changed: {night.manifest.calls} calls")  # noqa: T201 - with -s
    assert night.manifest.calls <= len(now) / PAGE / 4

"""A night reads what can have changed, proves the rest by totals, and keeps the same as if all had been read."""

import re
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import update

from sandbox import SandboxServer
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import PROCESSES, running
from tests.warranty.insight.history.claims_of_a_day import ServiceOf, hides_two
from tests.warranty.insight.history.taker import take
from tests.worlds import ENDS, Shop
from warranty.claims.analysis import compare
from warranty.claims.retrieval import Bounds, ClaimLimits
from warranty.claims.retrieval.update import PAGE, Reading
from warranty.client.resources import ClaimQuery
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.tables import LEASES
from warranty.errors import NotSent, Trace
from warranty.insight.history.keeping import ROUND, keep, read_night
from warranty.insight.history.nights import Night, Nights

NIGHT = timedelta(days=1)
LONG = pytest.mark.long
SHOP = Shop(seed=3, claims_a_month=300, resolve_days=12, months=18, term=12)
COMPARED = ["claim_date", "order_id", "warranty_id", "status", "product_name"]


class Keeper:
    def __init__(self, folder: Path, service: ServiceOf) -> None:
        self.nights, self.service, self.cancel = Nights(folder), service, threading.Event()
        self.now = datetime(2026, 11, 20, 2, tzinfo=UTC)

    def read(self, *, after: timedelta = NIGHT) -> Reading:
        self.now += after
        self.service.calls = 0
        how: dict[str, Any] = {"limits": ClaimLimits(at_once=1 if self.service.at else 2), "cancel": self.cancel}
        return read_night(self.service, self.nights.last, closed=ENDS, now=lambda: self.now, **how)

    def take(self, *, after: timedelta = NIGHT) -> Night:
        reading = self.read(after=after)
        day, earlier = self.now.date(), self.nights.last
        return keep(self.nights, reading, day=day, environment="sandbox", earlier=earlier)


_claims = cache(SHOP.claims)


def claims_of(days_ago: int = 0) -> pd.DataFrame:
    return _claims(SHOP.today - timedelta(days=days_ago)).copy()


@pytest.fixture(scope="module")
def first_night(tmp_path_factory: pytest.TempPathFactory) -> Keeper:
    """The night that most tests begin with: taken once, and copied."""
    made = Keeper(tmp_path_factory.mktemp("history") / "sandbox", ServiceOf(claims_of(1)))
    made.take()
    return made


@pytest.fixture
def keeper(first_night: Keeper, tmp_path: Path) -> Keeper:
    """One night is there; since then nothing has happened."""
    shutil.copytree(first_night.nights.folder, tmp_path / "sandbox")
    made = Keeper(tmp_path / "sandbox", ServiceOf(claims_of(1)))
    made.now = first_night.now
    return made


def bag(frame: pd.DataFrame) -> Counter[tuple[object, ...]]:
    return Counter(frame[COMPARED].astype({"status": "str"}).itertuples(index=False, name=None))


def a_closed_one(frame: pd.DataFrame, place: float = 0.3) -> int:
    """The label of a closed claim as far from the newest one as `place` says."""
    closed = frame.index[frame["status"].isin(ENDS)]
    return int(closed[int(len(closed) * place)])


@pytest.mark.parametrize(("bounds", "nights"), [(Bounds(), (2, 1, 0)), (Bounds(False, False), (2,))])
def test_all_claims_are_there_for_a_quarter_of_calls(tmp_path: Path, bounds: Bounds, nights: tuple[int, ...]) -> None:
    """Whether the service leaves out the ends of a range or not."""
    keeper = Keeper(tmp_path / "sandbox", ServiceOf(claims_of(3), bounds))
    keeper.take()
    for ago in nights:
        keeper.service.show(claims_of(ago))
        night = keeper.take()
        assert bag(night.frame()) == bag(claims_of(ago))
        assert (night.whole, night.proof) == (True, "read tonight / proved by total")
        assert keeper.service.calls <= len(claims_of()) / PAGE / 4 + 4
        rows = len(claims_of(ago))
        assert (night.rows, night.alike) == (rows, 0)
        assert 0 < night.read_tonight < rows / 2
    assert len(compare(claims_of(3), claims_of(0)).changed) > 20


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Totals are asked of 300 claims each, so that a few claims are in many of them."""
    monkeypatch.setattr("warranty.claims.retrieval.update._PAGES_IN_A_RANGE", 6)


@pytest.mark.parametrize("place", [0.3, 0.6, 0.999])
def test_a_closed_claim_that_vanished_is_found(keeper: Keeper, small_ranges: None, place: float) -> None:
    claims = claims_of(1)
    keeper.service.show(claims.drop(index=a_closed_one(claims, place)))
    night = keeper.take()
    assert night.whole
    assert bag(claims) - bag(night.frame()) == bag(claims.loc[[a_closed_one(claims, place)]])


def test_back_dated_claims_are_found_also_where_as_many_vanished(keeper: Keeper, small_ranges: None) -> None:
    claims = claims_of(1)
    old, gone = a_closed_one(claims, 0.95), a_closed_one(claims, 0.1)
    late = claims.loc[[old] * 3].assign(order_id=["late-1", "late-2", "late-3"])
    shown = pd.concat([claims.drop(index=[gone, gone - 1, gone - 2]), late], ignore_index=True)
    keeper.service.show(shown)
    night = keeper.take()
    assert (night.whole, night.proof) == (True, "read tonight / proved by total")
    assert bag(night.frame()) == bag(shown)


def test_a_crowd_of_claims_dated_long_ago_is_read(keeper: Keeper) -> None:
    claims = claims_of(1)
    dates = [datetime.fromisoformat("1999-12-31T23:59:59") + timedelta(seconds=number) for number in range(300)]
    crowd = claims.head(300).assign(claim_date=dates)
    keeper.service.show(pd.concat([claims, crowd], ignore_index=True))
    assert bag(keeper.take().frame()) == bag(claims) + bag(crowd)


def test_where_most_does_not_add_up_all_claims_are_read(keeper: Keeper) -> None:
    claims = claims_of(1)
    kept = claims[(claims.index % 7) != 0]
    keeper.service.show(kept)
    night = keeper.take()
    assert night.proof == "read"
    assert bag(night.frame()) == bag(kept)


@pytest.mark.parametrize("every", [4 * NIGHT, pytest.param(NIGHT, marks=LONG)])
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
    for days in (1, 9, 12, 5, 1):
        night = keeper.take(after=timedelta(days=days))
        assert night.proof != "read", "each has its turn, and not all at once"
    assert night.claims()["read_at"].to_pandas().min() > begun


def happens(keeper: Keeper, share: float, what: Callable[[], None], *, times: int = 1) -> None:
    """Let it happen right before a call of the next night: 0 is its first one, 1 the last."""
    keeper.service.at = {0: lambda: None}
    keeper.read(after=timedelta())
    first = 1 + round(share * (keeper.service.calls - 1))
    keeper.service.at = dict.fromkeys(range(first, first + times), what)


@pytest.mark.long
@pytest.mark.parametrize("share", [pytest.param(0.2, marks=LONG), 0.7, 0.95])
def test_all_that_was_there_throughout_a_reading_is_there_and_no_other(keeper: Keeper, share: float) -> None:
    claims = claims_of(1)
    late = claims.loc[[a_closed_one(claims, 0.9)]].assign(order_id="late")
    after = pd.concat([claims.drop(index=a_closed_one(claims, 0.4)), late], ignore_index=True)
    happens(keeper, share, lambda: keeper.service.show(after))
    night = keeper.take()
    assert night.whole
    assert not (bag(claims) & bag(after)) - bag(night.frame())
    assert not bag(night.frame()) - (bag(claims) | bag(after))
    assert bag(keeper.take().frame()) == bag(after)


@pytest.mark.parametrize("share", [0.95, 1])
def test_claims_newer_than_all_that_were_read_belong_to_the_next_night(keeper: Keeper, share: float) -> None:
    newer = claims_of(0).head(1)
    happens(keeper, share, lambda: keeper.service.show(pd.concat([claims_of(1), newer], ignore_index=True)))
    night = keeper.take()
    assert night.whole
    assert bag(night.frame()) == bag(claims_of(1))
    assert bag(keeper.take().frame()) == bag(claims_of(1)) + bag(newer)


def down() -> None:
    raise NotSent(trace=Trace(operation="claims", attempt_id=""))


@pytest.mark.parametrize("share", [0.4, pytest.param(0.95, marks=LONG)])
def test_a_night_builds_on_the_last_whole_one(keeper: Keeper, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warranty.claims.retrieval.update._REPEATS", 0)
    happens(keeper, share, down, times=40)
    keeper.service.show(claims_of(0))
    night = keeper.take()
    assert (night.whole, len(keeper.nights.complete)) == (False, 1)
    assert night.reasons == ("The service could not be reached while claims were read.",)
    keeper.service.at.clear()
    assert bag(keeper.take().frame()) == bag(claims_of(0))
    assert len(keeper.nights.complete) == 2


def test_a_stopped_reading_says_so_and_sends_nothing_more(keeper: Keeper) -> None:
    happens(keeper, 0.4, keeper.cancel.set)
    reading = keeper.read()
    assert (reading.whole, keeper.service.calls < 10) == (False, True)
    assert reading.reasons == ("Somebody stopped the reading before its end; nothing failed.",)


def test_a_claim_that_cannot_be_read_is_counted_and_costs_no_night(tmp_path: Path) -> None:
    claims = claims_of(1)
    claims.loc[a_closed_one(claims, 0.5), "order_id"] = "odd"
    keeper = Keeper(tmp_path / "sandbox", ServiceOf(claims))

    def without_status(page: dict[str, Any], _: ClaimQuery) -> None:
        for record in page["data"]:
            if record["order_id"] == "odd":
                del record["status"]

    keeper.service.alters = without_status
    for _ in range(2):
        night = keeper.take()
        assert (night.whole, night.unreadable) == (True, 1)
        assert re.fullmatch("INCOMPLETE: .*, 1 unreadable", night.seal)
        assert len(night.claims()) == len(claims) - 1
    assert night.proof != "read"


def test_claims_that_no_date_finds_are_told_as_what_does_not_add_up(keeper: Keeper) -> None:
    keeper.service.alters = hides_two
    night = keeper.take()
    assert not night.whole
    rows = len(claims_of(1))
    assert night.reasons == (
        f"The totals do not add up: the service counts {rows + 2:,} claims, and {rows:,} were found.",
    )


@pytest.fixture
def environ(place: Place, tmp_path: Path) -> dict[str, str]:
    return {
        "WARRANTY_ENVIRONMENT": "staging", "WARRANTY_BASE_URL": place.base_url,
        "WARRANTY_PRIVATE_TOKEN": place.private_token, "WARRANTY_PUBLIC_TOKEN": place.public_token,
        "WARRANTY_CA_FILE": place.ca_file, "WARRANTY_JOURNAL_URL": place.journal_url,
        "WARRANTY_HISTORY_DIR": str(tmp_path / "history"), "WARRANTY_CLAIMS_PACE": "fixed",
        "WARRANTY_CLAIMS_CALLS_PER_SECOND": "1000",
    }  # fmt: skip


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path / "history" / "staging")


@pytest.fixture
def shop(sandbox: SandboxServer) -> Iterator[SandboxServer]:
    sandbox.reset("demo")
    yield sandbox
    sandbox.reset("empty")


def go_at(*, once: bool = False) -> Event:
    event = PROCESSES.Event()
    if once:
        event.set()
    return event


def lease_becomes(environ: dict[str, str], **values: object) -> None:
    with closing(open_journal(environ["WARRANTY_JOURNAL_URL"])) as journal, journal.database.write() as written:
        written.execute(update(LEASES).values(**values))


def test_of_two_takers_one_reads(shop: SandboxServer, environ: dict[str, str], nights: Nights) -> None:
    go = go_at()
    with running(take, environ, waits_at=1, go=go) as (_, one), running(take, environ, waits_at=1, go=go) as (_, other):
        first = {one: one.recv(), other: other.recv()}
        assert sorted(map(str, first.values())) == ["4", "reading"]
        go.set()
        reader = next(told for told, word in first.items() if word == "reading")
        assert [reader.recv(), reader.recv()] == ["written", 0]
    (night,) = nights.complete
    assert len(night.claims()) == 480
    assert len([call for call in shop.calls() if call["operation"] == "claims"]) < 3 * len(night.claims()) / PAGE


@pytest.mark.parametrize("word", ["reading", "written"])
@pytest.mark.long
def test_a_killed_taker_keeps_none(shop: SandboxServer, environ: dict[str, str], nights: Nights, word: str) -> None:
    with running(take, environ, waits_at=5 if word == "reading" else 0, go=go_at()) as (process, told):
        assert told.recv() == word
        process.kill()
        process.join()
    assert nights.complete == nights.incomplete == []
    assert any(nights.folder.iterdir()) is (word == "written")
    with running(take, environ, waits_at=0, go=go_at(once=True)) as (_, told):
        assert told.recv() == 4
    lease_becomes(environ, until=datetime(2026, 1, 1, tzinfo=UTC))
    with running(take, environ, waits_at=0, go=go_at(once=True)) as (_, told):
        assert [told.recv(), told.recv()] == ["written", 0]
    assert sorted(path.name[:6] for path in nights.folder.iterdir()) == ["derive", "night="]
    assert len(nights.complete[0].claims()) == 480


def test_a_taker_without_lease_stores_nothing(shop: SandboxServer, environ: dict[str, str], nights: Nights) -> None:
    go = go_at()
    with running(take, environ, waits_at=0, go=go) as (_, told):
        assert told.recv() == "written"
        lease_becomes(environ, holder="another machine")
        go.set()
        assert told.recv() == 1
    assert list(nights.folder.iterdir()) == []

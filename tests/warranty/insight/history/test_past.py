"""What the nights tell of the past and of each claim's life, and that intervals hold the truth where nights miss."""

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from shutil import rmtree
from threading import Event
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from components.platform.serving.sandbox_control import SandboxControl
from sandbox import SandboxServer
from tests.warranty.insight.history.past import CLOSED, EVER, day, interval, lives_of, one_claim, read, runs_of
from tests.worlds import DAY, ENDS, Shop
from warranty.claims.analysis import Period, compare
from warranty.claims.retrieval.update import Reading
from warranty.client.resources import ClaimQuery
from warranty.insight.history import past as past_module
from warranty.insight.history.keeping import keep, take_evenings
from warranty.insight.history.lives import History, backlog, reopened, time_to_close
from warranty.insight.history.nights import Nights, stored_claims
from warranty.insight.history.past import DERIVED, Past, nights_missed, up_to_date
from warranty.insight.history.runs import Runs
from warranty.settings import load_settings


def take(nights: Nights, number: int, claims: pd.DataFrame, *, whole: bool = True) -> None:
    as_of = datetime(2026, 11, number, 2, tzinfo=UTC)
    reading = Reading(stored_claims(claims, as_of), as_of, len(claims), whole=whole)
    keep(nights, reading, day=day(number), environment="sandbox")


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    nights = Nights(tmp_path)
    take(nights, 3, read(("A", 2, "OPEN"), ("B", 2, "RESOLVED")))
    take(nights, 4, read(("A", 2, "OPEN")), whole=False)
    take(nights, 5, read(("A", 2, "RESOLVED"), ("B", 2, "RESOLVED"), ("C", 4, "OPEN")))
    return nights


def test_an_incomplete_night_is_as_good_as_missing(nights: Nights) -> None:
    history = Past(nights, closed=CLOSED).history()
    found = history.intervals(EVER)
    assert history.nights == (day(3), day(5))
    assert sorted(zip(found.after, found.until, strict=True)) == [(-1, 1), (1, 3), (1, float("inf"))]


def test_a_new_night_is_seen_and_nothing_else_read(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    past = Past(nights, closed=CLOSED)
    first = past.history()
    assert past.history() is first
    take(nights, 6, read(("C", 4, "DENIED")))
    parts = Mock(side_effect=lambda night: [night.frame()])
    monkeypatch.setattr(past_module, "_parts", parts)
    assert past.history().nights[-1] == day(6)
    assert [call.args[0].day for call in parts.call_args_list] == [day(6)]


def test_what_is_derived_can_be_made_anew_also_by_start_month(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = up_to_date(nights)
    folder = nights.folder / DERIVED
    for file in folder.iterdir():
        file.unlink()
    pd.testing.assert_frame_equal(up_to_date(nights).runs, kept.runs)
    assert {file.name for file in folder.iterdir()} == {"claims.parquet", "runs.parquet"}
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())
    at_once = up_to_date(nights)
    (nights.folder / DERIVED / "runs.parquet").unlink()
    monkeypatch.setattr(past_module, "_AT_ONCE", 1)
    pd.testing.assert_frame_equal(up_to_date(nights).runs, at_once.runs)


def test_a_night_that_is_removed_stays_in_what_was_derived_of_it(nights: Nights) -> None:
    up_to_date(nights)
    nights.complete[0].path.rename(nights.folder / ".gone")
    past = Past(nights, closed=CLOSED)
    assert past.history().nights == (day(3), day(5))
    assert past.history() is past.history()


def test_the_open_ones_are_exact_on_a_night_and_a_range_between_two() -> None:
    third = read(("A", 2, "OPEN"), ("B", 2, "OPEN"), ("C", 2, "RESOLVED"))
    fifth = read(("A", 2, "OPEN"), ("B", 2, "DENIED"), ("C", 2, "OPEN"), ("D", 4, "DENIED"))
    rows = backlog(lives_of({3: third, 5: fifth})).itertuples(index=False, name=None)
    assert list(rows) == [(day(3), 2, 2), (day(4), 1, 4), (day(5), 2, 2)]


MOMENT = datetime(2026, 11, 6, tzinfo=UTC)


def test_the_last_complete_night_is_held_against_the_same_filter(nights: Nights) -> None:
    take(nights, 6, read(("A", 2, "OPEN")))  # later than the reading
    past = Past(nights, closed=CLOSED)

    def orders(query: ClaimQuery) -> list[str]:
        found = past.before(MOMENT, query)
        assert found is not None
        assert found[:2] == (day(5), 0)
        return sorted(found[2]["order_id"])

    assert orders(ClaimQuery()) == ["A", "B", "C"]
    assert orders(ClaimQuery(claim_dates=Period(day(4), day(4)).times)) == ["C"]
    assert orders(ClaimQuery(warranty_start_dates=Period(date(2026, 1, 5), date(2026, 1, 6)).times)) == []
    assert past.before(MOMENT, ClaimQuery(customer_email="ada@example.com")) is None
    assert past.before(datetime(2026, 11, 2, tzinfo=UTC), ClaimQuery()) is None, "before the first night"


def test_a_night_that_was_damaged_is_no_fault_of_ours(nights: Nights) -> None:
    nights.complete[0].file("2026-01").write_bytes(b"PAR1 and nothing else PAR1")
    with pytest.raises(OSError, match="2026-11-03"):
        Past(nights, closed=CLOSED).history()


@pytest.mark.parametrize(("nights", "awaited", "said"), [
    *((nights, None, "") for nights in ({}, {21: True}, {20: False, 21: True}, {20: True, 21: False}, {21: False})),
    ({20: False, 21: False}, None, "of 20 Nov 2026 and 21 Nov 2026 do not have every claim"),
    ({17: True, 18: False, 20: False}, None, "of 18 Nov 2026 and 20 Nov 2026 do not have every claim"),
    ({18: True, 19: True}, None, ""), ({17: True, 18: True}, None, "no night since 18 Nov 2026"),
    ({1: False}, None, "no night since 1 Nov 2026"), ({}, 21, ""), ({}, 19, ""),
    ({}, 18, "set up on 18 Nov 2026 and has no night yet"), ({21: False}, 18, ""),
])  # fmt: skip
def test_two_incomplete_nights_in_a_row_are_said(nights: dict[int, bool], awaited: int | None, said: str) -> None:
    since = datetime(2026, 11, awaited, 12, tzinfo=UTC) if awaited else None
    taken, now = {day(number): whole for number, whole in nights.items()}, datetime(2026, 11, 21, 12, tzinfo=UTC)
    missed = nights_missed(taken, now=now, first_awaited=lambda: since)
    assert said in missed[1] if missed else not said


@pytest.fixture
def control() -> Iterator[SandboxControl]:
    """Of a sandbox with a claim of each of eighty days, on plans that started in one month."""
    now = datetime.now(UTC).replace(tzinfo=None)
    started = {"status": "RESOLVED", "warranty_start_date": "2026-01-04T00:00:00+00:00"}
    with SandboxServer() as sandbox:
        dates = [f"{now - timedelta(days=day, minutes=1):%Y-%m-%dT%H:%M:%S.%f}" for day in range(80)]
        sandbox.add_claims([{"claim_date": day, "warranty_id": day, **started} for day in dates])
        yield SandboxControl(sandbox.base_url, ca_file=sandbox.ca_file)


def test_sixty_evenings_are_read_once(control: SandboxControl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warranty.insight.history.keeping._PAUSE", 0)
    settings, over = load_settings({"environment": "sandbox", "data_dir": str(tmp_path)}), Event()
    nights, asked = Nights.of(settings), list[int]()

    def evening(days_ago: int) -> bytes:
        asked.append(days_ago)
        if asked == [59, 58]:
            over.set()
        return control.evening(days_ago)

    take_evenings(settings, evening, over)
    assert (asked, nights.complete) == ([59, 58], [])
    over.clear()
    take_evenings(settings, evening, over)
    assert asked[2:] == list(reversed(range(60)))
    past = Past(nights, closed=settings.closed_statuses)
    assert (len(past.found().complete), len(past.found().incomplete), past.missed()) == (60, 0, None)
    assert [night.rows for night in nights.complete] == list(range(21, 81))
    history = past.history()
    curve = time_to_close(history.intervals(EVER))
    assert curve is not None
    assert 3 < curve.quantile(0.5) < 40
    assert reopened(history.moves(EVER), past.closed) > 0
    for night in nights.complete[-2:]:
        rmtree(night.path)
    take_evenings(settings, evening, over)
    assert asked[62:] == [1, 0]
    assert len(nights.complete) == 60


READ_AT = 2 * DAY // 24
"""A night is read at two."""


def nights_of(shop: Shop, *, nights: int, missing: float) -> tuple[Runs, list[int]]:
    """The history of a shop, and how many were open in every night, those that nobody read among them."""
    life, kept, standing = shop.life.iloc[::-1], Runs(), []
    rng = np.random.default_rng([shop.seed, 9])
    frame = pd.DataFrame({"claim_date": life["claim_date"].to_numpy()})
    frame = frame.assign(order_id="o-" + life["plan"].astype(str).to_numpy(), warranty_id="w", product_name="L")
    for back in range(nights - 1, -1, -1):
        day = shop.today - timedelta(days=back)
        moment = np.datetime64(day, "us") + np.timedelta64(READ_AT, "us")
        here = int(np.searchsorted(frame["claim_date"], moment))
        closed = life["ended_at"].to_numpy()[:here] <= moment
        standing.append(int((~closed).sum()))
        if back in (0, nights - 1) or rng.random() >= missing:
            kept.add(day, [frame[:here].assign(status=np.where(closed, life["end"].to_numpy()[:here], "OPEN"))])
    return kept, standing


def true_days(shop: Shop) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Of many claims of such a shop: days from the claim to the first night in which it is closed."""
    rng = np.random.default_rng(99)
    within = shop.life["claim_date"].to_numpy().astype("M8[us]").view(np.int64) % DAY
    ended = rng.choice(within, 200_000) + rng.exponential(shop.resolve_days * DAY, 200_000) - READ_AT
    days: np.ndarray[tuple[int], np.dtype[np.int64]] = np.ceil(ended / DAY).astype(np.int64)
    return days


def held(shops: int, *, nights: int) -> dict[str, float]:
    """In which share of shops an interval of 95 % holds the truth, and the share of all days told wrong."""
    hits: dict[str, list[bool]] = {"quartile": [], "median": [], "backlog": []}
    for seed in range(shops):
        size, pace = seed % 3, seed // 3 % 3
        shop = Shop(seed=seed, claims_a_month=(10, 25, 60)[size], resolve_days=(8, 20, 35)[pace], months=20, products=1)
        kept, standing = nights_of(shop, nights=nights, missing=(0.05, 0.2, 0.5)[seed % 3])
        lives, truth = History.of(kept, closed=set(ENDS)), true_days(shop)
        curve = time_to_close(lives.intervals(EVER))
        assert curve is not None
        for name, share in (("quartile", 0.25), ("median", 0.5)):
            low, high = curve.interval(share)
            hits[name].append(bool(low <= np.quantile(truth, share, method="inverted_cdf") <= high))
        told = backlog(lives)
        hits["backlog"].append(bool(((told["at_least"] <= standing) & (np.array(standing) <= told["at_most"])).all()))
    return {name: float(np.mean(each)) for name, each in hits.items()}


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("shops", "nights", "least"), [
    (4, 60, 0.75), pytest.param(45, 365, 0.95, marks=pytest.mark.long),
], ids=["some", "many, over a year"])  # fmt: skip
def test_intervals_hold_the_truth_over_nights_with_gaps(shops: int, nights: int, least: float) -> None:
    found = held(shops, nights=nights)
    assert found["backlog"] == 1
    assert min(found.values()) >= least, found


@pytest.mark.parametrize(("statuses", "closed"), [
    ({1: "", 3: "OPEN", 4: "IN_REVIEW", 5: "RESOLVED", 6: "RESOLVED"}, (2, 3)), ({5: "RESOLVED"}, (-1, 3)),
    ({1: "", 5: "RESOLVED"}, (-1, 3)), ({3: "OPEN", 7: "OPEN"}, (5, math.inf)),
    ({3: "OPEN", 5: "OPEN", 7: ""}, (3, math.inf)), ({3: "OPEN", 4: "denied"}, (2, math.inf)),
    ({3: "OPEN", 4: "RESOLVED", 8: "OPEN", 9: "DENIED"}, (1, 2)),
], ids=["seen open, then closed", "closed from the first", "closed where none was", "still open", "open, then gone",
        "a word that nobody named as closed", "opened again"])  # fmt: skip
def test_a_claim_is_closed_between_two_nights(statuses: dict[int, str], closed: tuple[float, float]) -> None:
    assert interval(one_claim(statuses)) == closed


def test_a_missing_night_widens_the_interval_and_never_shifts_it_and_far_days_are_widened_outwards() -> None:
    nights = {night: "OPEN" if night < 9 else "DENIED" for night in range(3, 14)}
    for missing in range(4, 13):
        after, until = interval(one_claim({n: status for n, status in nights.items() if n != missing}))
        assert after <= 6 < until <= 8
        assert until - after == (2 if missing in (8, 9) else 1)
    kept, claim = Runs(), read(("A", 2, "OPEN"))
    far = date(2027, 3, 1), date(2027, 3, 2)
    for night, frame in zip((day(3), *far), (claim, claim, claim.assign(status="RESOLVED")), strict=True):
        kept.add(night, [frame])
    after, until = interval(History.of(kept, closed=CLOSED))
    assert after <= (far[0] - day(2)).days < (far[1] - day(2)).days <= until
    assert until - after == 7


@pytest.mark.parametrize(("before", "after", "open_ones"), [
    ("OPEN", "DENIED", [(1, 1), (1, 1), (0, 1), (0, 0)]), ("RESOLVED", "OPEN", [(0, 0), (0, 0), (0, 1), (1, 1)]),
])  # fmt: skip
def test_an_unread_claim_says_nothing_of_its_status(before: str, after: str, open_ones: list[tuple[int, int]]) -> None:
    kept = Runs()
    for number, status, read_on in ((3, before, 3), (4, before, 4), (5, before, 4), (6, after, 6)):
        told = read(("A", 2, status)).assign(read_at=pd.Timestamp(day(read_on)))
        kept.add(day(number), [told], as_of=pd.Timestamp(day(number)))
    history = History.of(kept, closed=CLOSED)
    told = backlog(history)
    assert list(zip(told["at_least"], told["at_most"], strict=True)) == open_ones
    (move,) = history.moves(EVER).to_dict("records")
    assert (move["before"], move["after"], move["at_least"], move["at_most"]) == (before, after, 1, 4)
    assert after == "OPEN" or interval(history) == (2, 4)


def test_moves_of_a_reopened_claim_are_told_the_most_frequent_first_with_days_at_least_and_at_most() -> None:
    lives = one_claim({3: "OPEN", 4: "RESOLVED", 8: "OPEN", 9: "DENIED"})
    moves = lives.moves(EVER).set_index(["before", "after"])["claims"].to_dict()
    assert moves == {("OPEN", "RESOLVED"): 1, ("RESOLVED", "OPEN"): 1, ("OPEN", "DENIED"): 1}
    closed = read(("A", 2, "RESOLVED"), ("B", 2, "RESOLVED"), ("C", 2, "DENIED"))
    told = lives_of({3: read(*[(order, 2, "OPEN") for order in "ABC"]), 4: closed}).moves(EVER)
    assert told[["after", "claims"]].to_numpy().tolist() == [["RESOLVED", 2], ["DENIED", 1]]
    move = one_claim({2: "", 4: "OPEN", 5: "OPEN", 9: "RESOLVED"}).moves(EVER).iloc[0]
    assert (move.at_least, move.at_most) == (1, 7)


def test_the_open_ones_of_each_night_are_those_that_were_read_as_open_in_it() -> None:
    fourth = read(("A", 2, "IN_REVIEW"), ("B", 2, "OPEN"), ("C", 4, "OPEN"), ("D", 4, "DENIED"))
    seventh = read(("B", 2, "OPEN"), ("C", 4, "RESOLVED"), ("D", 4, "DENIED"))
    opened = lives_of({3: read(("A", 2, "OPEN"), ("B", 2, "RESOLVED")), 4: fourth, 7: seventh}).opened
    assert np.cumsum(opened.came - opened.left).tolist() == [1, 3, 1]
    assert opened.passed.tolist() == [1, 1, 0]
    opened = one_claim({3: "OPEN", 4: "", 5: "IN_REVIEW"}).opened
    assert np.cumsum(opened.came - opened.left).tolist() == [1, 0, 1]


def test_a_window_holds_the_claims_made_in_its_days_and_a_product_its_own() -> None:
    kept = runs_of({9: read(("A", 2, "OPEN"), ("B", 5, "OPEN"))})
    kept.add(day(10), [read(("A", 2, "OPEN")), read(("C", 5, "DENIED"), product="Toaster")])
    both, toaster = (History.of(kept, closed=CLOSED, product=name) for name in (None, "Toaster"))
    assert both.intervals(Period(day(5), day(5))).counts.sum() == 2
    assert (toaster.intervals(EVER).until.tolist(), toaster.opened.came.sum()) == ([5], 0)
    assert both.products == ("Arc floor lamp", "Toaster")


def test_without_a_night_nothing_is_counted() -> None:
    for lives in (History.of(Runs(), closed=CLOSED), lives_of({3: read()})):
        assert lives.moves(EVER).empty
        assert (lives.intervals(EVER).counts.sum(), lives.opened.came.sum()) == (0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_what_changed_in_a_night_is_what_the_comparison_of_both_readings_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = read(*[(f"{rng.integers(12)}", 2, str(rng.choice(["OPEN", "DENIED"]))) for _ in range(40)])
    now = before.iloc[rng.permutation(40)[8:]].reset_index(drop=True)
    now.loc[rng.choice(32, 6, replace=False), "status"] = "RESOLVED"
    now = pd.concat([now, read(*[(f"{rng.integers(20)}", 2, "OPEN") for _ in range(5)])], ignore_index=True)
    said, kept = compare(before, now), runs_of({3: before, 4: now})
    runs = kept.runs
    began = runs[runs["first"] == 1]["claim"]
    changed = int(began.isin(runs[runs["first"] == 0]["claim"]).sum())
    gone = int((runs.iloc[kept.claims["run"]]["last"] == 0).sum())
    assert (len(began) - changed, changed, gone) == (len(said.new), len(said.changed), len(said.vanished))


def test_what_is_stored_beside_the_nights_goes_on_and_is_dropped_for_a_new_reading(tmp_path: Path) -> None:
    nights = {3: read(("A", 2, "OPEN")), 4: read(("A", 2, "RESOLVED")), 5: read(("A", 2, "RESOLVED"))}
    runs_of({3: nights[3], 4: nights[4]}).save(tmp_path)
    found = Runs.load(tmp_path, [(day(3), ""), (day(4), ""), (day(5), "")])
    found.add(day(5), [nights[5]])
    pd.testing.assert_frame_equal(found.runs, runs_of(nights).runs)
    pd.testing.assert_frame_equal(found.claims, runs_of(nights).claims)
    assert Runs.load(tmp_path, [(day(3), "again"), (day(4), "")]).taken == []
    assert Runs.load(tmp_path / "none", []).taken == []
    (tmp_path / "runs.parquet").write_bytes(b"half")
    assert Runs.load(tmp_path, [(day(3), ""), (day(4), "")]).taken == []

import math
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.warranty.insight.history.past import CLOSED, EVER, day, interval, lives_of, one_claim, read, runs_of
from warranty.claims.analysis import Period, compare
from warranty.insight.history.lives import History
from warranty.insight.history.runs import Runs


@pytest.mark.parametrize(("statuses", "closed"), [
    ({1: "", 3: "OPEN", 4: "IN_REVIEW", 5: "RESOLVED", 6: "RESOLVED"}, (2, 3)), ({5: "RESOLVED"}, (-1, 3)),
    ({1: "", 5: "RESOLVED"}, (-1, 3)), ({3: "OPEN", 7: "OPEN"}, (5, math.inf)),
    ({3: "OPEN", 5: "OPEN", 7: ""}, (3, math.inf)), ({3: "OPEN", 4: "denied"}, (2, math.inf)),
    ({3: "OPEN", 4: "RESOLVED", 8: "OPEN", 9: "DENIED"}, (1, 2)),
], ids=["seen open, then closed", "closed from the first", "closed where none was", "still open", "open, then gone",
        "a word that nobody named as closed", "opened again"])  # fmt: skip
def test_a_claim_is_closed_between_two_nights(statuses: dict[int, str], closed: tuple[float, float]) -> None:
    assert interval(one_claim(statuses)) == closed


def test_a_missing_night_widens_the_interval_and_never_shifts_it() -> None:
    nights = {night: "OPEN" if night < 9 else "DENIED" for night in range(3, 14)}
    for missing in range(4, 13):
        after, until = interval(one_claim({n: status for n, status in nights.items() if n != missing}))
        assert after <= 6 < until <= 8
        assert until - after == (2 if missing in (8, 9) else 1)


def test_a_night_that_did_not_read_a_claim_says_nothing_of_its_status() -> None:
    kept = Runs()
    for number, status, read_on in ((3, "OPEN", 3), (4, "OPEN", 4), (5, "OPEN", 4), (6, "DENIED", 6)):
        told = read(("A", 2, status)).assign(read_at=pd.Timestamp(day(read_on)))
        kept.add(day(number), [told], as_of=pd.Timestamp(day(number)))
    assert interval(History.of(kept, closed=CLOSED)) == (2, 4)


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
    third = read(("A", 2, "OPEN"), ("B", 2, "RESOLVED"))
    fourth = read(("A", 2, "IN_REVIEW"), ("B", 2, "OPEN"), ("C", 4, "OPEN"), ("D", 4, "DENIED"))
    seventh = read(("B", 2, "OPEN"), ("C", 4, "RESOLVED"), ("D", 4, "DENIED"))
    opened = lives_of({3: third, 4: fourth, 7: seventh}).opened
    assert np.cumsum(opened.came - opened.left).tolist() == [1, 3, 1]
    assert opened.passed.tolist() == [1, 1, 0]
    opened = one_claim({3: "OPEN", 4: "", 5: "IN_REVIEW"}).opened
    assert np.cumsum(opened.came - opened.left).tolist() == [1, 0, 1]


def test_a_window_holds_the_claims_made_in_its_days_and_a_product_its_own() -> None:
    kept = runs_of({9: read(("A", 2, "OPEN"), ("B", 5, "OPEN"))})
    kept.add(day(10), [read(("A", 2, "OPEN")), read(("C", 5, "DENIED"), product="Toaster")])
    both, toaster = (History.of(kept, closed=CLOSED, product=name) for name in (None, "Toaster"))
    assert both.intervals(Period(day(5), day(5))).counts.sum() == 2
    assert toaster.intervals(EVER).until.tolist() == [5]
    assert toaster.opened.came.sum() == 0
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
    kept = runs_of({3: nights[3], 4: nights[4]})
    kept.save(tmp_path)
    found = Runs.load(tmp_path, [(day(3), ""), (day(4), ""), (day(5), "")])
    found.add(day(5), [nights[5]])
    pd.testing.assert_frame_equal(found.runs, runs_of(nights).runs)
    pd.testing.assert_frame_equal(found.claims, runs_of(nights).claims)
    assert Runs.load(tmp_path, [(day(3), "again"), (day(4), "")]).taken == []
    assert Runs.load(tmp_path / "none", []).taken == []
    (tmp_path / "runs.parquet").write_bytes(b"half")
    assert Runs.load(tmp_path, [(day(3), ""), (day(4), "")]).taken == []


def test_far_days_are_widened_outwards() -> None:
    kept, claim = Runs(), read(("A", 2, "OPEN"))
    for night, frame in (
        (day(3), claim),
        (date(2027, 3, 1), claim),
        (date(2027, 3, 2), claim.assign(status="RESOLVED")),
    ):
        kept.add(night, [frame])
    after, until = interval(History.of(kept, closed=CLOSED))
    assert after <= (date(2027, 3, 1) - day(2)).days < (date(2027, 3, 2) - day(2)).days <= until
    assert until - after == 7

"""What is told of claims that stood as closed and so were read anew only in turn: it must hold what was true."""

import threading
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.warranty.insight.history.claims_of_a_day import ServiceOf
from tests.warranty.insight.history.past import EVER
from tests.worlds import ENDS, Shop
from warranty.claims.analysis import Period
from warranty.claims.retrieval import ClaimLimits
from warranty.insight.history.keeping import keep, read_night
from warranty.insight.history.lives import backlog
from warranty.insight.history.nights import Nights
from warranty.insight.history.past import Past

pytestmark = pytest.mark.long
SHOP = Shop(seed=3, claims_a_month=200, resolve_days=12, months=18, term=12)
TAKEN = [date(2026, 11, 22) + timedelta(days=number) for number in (0, 1, 6, 12, 18, 24, 30)]
CHANGED = date(2026, 11, 24)
"""Between the second night and the third."""
CLOSED, OPENED = "The one that closes", "The one that opens"
MARKED = 6


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Past:
    """Nights of a desk that took ON HOLD for closed, and does so no more.

    Some claims on hold are closed and some closed ones opened, all on the same day; each night reads a few of them.
    """
    nights = Nights(tmp_path_factory.mktemp("rolling") / "sandbox")
    frame = SHOP.claims(SHOP.today)
    frame["status"] = frame["status"].astype("str")
    ended = frame.index[frame["status"].isin(ENDS)]
    marked = ended[:: len(ended) // (2 * MARKED)][: 2 * MARKED]
    frame.loc[marked[:MARKED], ["status", "product_name"]] = ["ON HOLD", CLOSED]
    frame.loc[marked[MARKED:], ["status", "product_name"]] = ["RESOLVED", OPENED]
    service = ServiceOf(frame)
    for day in TAKEN:
        if day > CHANGED:
            frame.loc[marked[:MARKED], "status"] = "RESOLVED"
            frame.loc[marked[MARKED:], "status"] = "OPEN"
            service.show(frame)
        now = datetime(day.year, day.month, day.day, 2, tzinfo=UTC)
        reading = read_night(
            service, nights.last, closed=(*ENDS, "ON HOLD"), limits=ClaimLimits(at_once=1), cancel=threading.Event(),
            now=lambda now=now: now,  # type: ignore[misc]
        )  # fmt: skip
        keep(nights, reading, day=day, environment="sandbox", earlier=nights.last)
    return Past(nights, closed=ENDS)


def read_as_closed_or_open(past: Past) -> list[date]:
    """In which nights a marked claim was first read as it stands since."""
    frames = [night.frame() for night in past.found().complete]
    now = [int(((each["product_name"] == CLOSED) & (each["status"] == "RESOLVED")).sum()) for each in frames]
    return [day for day, before, after in zip(TAKEN, [0, *now], now, strict=False) if after > before]


def test_a_claim_that_closed_long_ago_closed_after_it_was_read_before(past: Past) -> None:
    seen = read_as_closed_or_open(past)
    assert len(seen) > 2, "their turns are in different nights"
    assert (seen[-1] - CHANGED).days > 10
    assert all(night.proof != "read" for night in past.found().complete[1:])
    frame = past.found().complete[0].frame()
    for moment in frame.loc[frame["product_name"] == CLOSED, "claim_date"]:
        made = moment.date()
        found = past.history(CLOSED).intervals(Period(made, made))
        true = (CHANGED - made).days
        assert found.counts.tolist() == [1]
        assert found.after[0] < true <= found.until[0]


def test_how_long_they_stood_so_is_told_at_least_and_at_most(past: Past) -> None:
    """The first night read them on hold; they changed two days later."""
    for product, before in ((CLOSED, "ON HOLD"), (OPENED, "RESOLVED")):
        (move,) = past.history(product).moves(EVER).to_dict("records")
        assert (move["before"], move["claims"]) == (before, MARKED)
        assert 0 <= move["at_least"] <= 2 <= move["at_most"]


def test_how_many_were_open_is_a_range_in_nights_that_did_not_read_them(past: Past) -> None:
    for product, open_before, open_after in ((CLOSED, MARKED, 0), (OPENED, 0, MARKED)):
        told = backlog(past.history(product)).to_dict("list")
        days = list(zip(told["day"], told["at_least"], told["at_most"], strict=True))
        for day, least, most in days:
            assert least <= (open_before if day < CHANGED else open_after) <= most
        assert days[-1] == (TAKEN[-1], open_after, open_after)

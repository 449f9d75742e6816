"""What a sandbox holds at first: reproducible, and as uneven as the documents promise."""

import json
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest

from sandbox import SandboxServer
from sandbox.seeds.busy import busy_claims
from sandbox.seeds.lemon import LEMON, MONTHS, STEADY, lemon_claims
from tests.sandbox.shop import Shop

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def held(**options: Any) -> tuple[Any, ...]:
    """All that a seed puts into a sandbox, but what belongs to the running server."""
    with SandboxServer(clock=NOON, **options) as sandbox, Shop(sandbox) as shop:
        outbox = [message | {"text": ""} for message in sandbox.outbox()]
        orders = [shop.carried(message["order_id"]) for message in outbox]
        return sandbox.claims(), outbox, orders, [shop.claims(), shop.claims(claimDateRange={})]


def made(seed: str) -> list[dict[str, Any]]:
    make = {"busy": busy_claims, "lemon": lemon_claims}[seed]
    return [json.loads(claim.record) for claim in make(Random(f"1|{seed}"), NOON.date())]


@pytest.fixture(scope="module")
def demo() -> tuple[Any, ...]:
    return held(seed="demo")


def test_a_sandbox_holds_the_same_for_the_same_random_seed_and_clock(demo: tuple[Any, ...]) -> None:
    assert demo == held(seed="demo")
    assert demo[0] != held(seed="demo", random_seed=4)[0]


def test_demo_has_orders_to_train_with_two_of_them_sold(demo: tuple[Any, ...]) -> None:
    claims, outbox, orders, _ = demo
    assert len(orders) == 7
    assert sum(any(item["warranties"] for item in order) for order in orders) == 2
    assert outbox[-1]["recipient"] == "subscriber@example.com"
    assert all(message["sent_at"] == NOON.isoformat() for message in outbox)
    assert {claim["order_id"] for claim in claims[-2:]} == {message["order_id"] for message in outbox[:2]}


def test_the_mails_of_the_demo_name_pages_that_open() -> None:
    with SandboxServer(seed="demo") as sandbox, Shop(sandbox) as shop:
        link = sandbox.outbox()[0]["text"].rpartition(" ")[2]
        assert link.startswith(sandbox.landing_url)
        assert shop.pages.get(link).status_code == 200


def test_lemon_doubles_the_claims_on_one_product_three_months_ago_and_leaves_the_busy_one_steady() -> None:
    claims = made("lemon")
    assert claims == made("lemon")
    months = [f"{2024 + (7 + back) // 12}-{(7 + back) % 12 + 1:02}" for back in range(MONTHS)]  # 2024-08 to 2026-10
    of = Counter((claim["product_name"], claim["claim_date"][:7]) for claim in claims)
    before, after = ([of[LEMON, month] for month in part] for part in (months[:-3], months[-3:]))
    assert 1.75 < sum(after) / 3 / (sum(before) / 24) < 2.25
    assert 55 < sum(before) / 24 < 65
    steady = [of[STEADY, month] for month in months]
    assert 0.75 < sum(steady[-3:]) / 3 / (sum(steady[:-3]) / 24) < 1.25
    assert sum(steady) > sum(before) + sum(after), "the busy one is not the one to look at"
    assert max(claim["claim_date"] for claim in claims) < NOON.date().isoformat()


def test_busy_is_20000_claims_of_two_years_as_uneven_as_promised() -> None:
    claims = made("busy")
    moments = Counter(claim["claim_date"] for claim in claims)
    seconds = Counter(claim["claim_date"][:19] for claim in claims)
    days = Counter(date.fromisoformat(claim["claim_date"][:10]) for claim in claims)
    assert len(claims) == 20_000
    assert max(days) - min(days) >= timedelta(days=700)
    assert min(days) >= NOON.date() - timedelta(days=730)
    assert sorted((count for count in moments.values() if count >= 40), reverse=True) == [45] * 10
    assert sum(2_000 <= count < 2_010 for count in seconds.values()) == 3
    single = [claim["claim_date"] for claim in claims if seconds[claim["claim_date"][:19]] < 40]
    hours = Counter(int(moment[11:13]) for moment in single)
    assert sum(hours[hour] for hour in range(9, 21)) > 0.9 * sum(hours.values())
    ordinary = Counter(date.fromisoformat(moment[:10]) for moment in single)
    holidays = [count for day, count in ordinary.items() if (day.month, day.day) >= (12, 26)]
    summer = [count for day, count in ordinary.items() if day.month == 7]
    assert sum(holidays) / len(holidays) > 4 * sum(summer) / len(summer)
    assert max(moments) < NOON.date().isoformat(), "today would depend on the hour of the start"

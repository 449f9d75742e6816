"""What a sandbox holds: of its seeds at first, and with a data file over every restart."""

import json
import socket
import sqlite3
import stat
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandbox import SandboxDataProblem, SandboxServer
from sandbox.seeds.busy import busy_claims
from sandbox.seeds.lemon import LEMON, MONTHS, STEADY, lemon_claims
from sandbox.store.database import Store, UnitTaken
from tests.sandbox.shop import CHECKOUT, SALE, Shop, checkout, order, product, term


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "sandbox.sqlite"


def test_a_restart_keeps_orders_sales_claims_identity_and_ports(file: Path) -> None:
    with SandboxServer(seed="demo", data=file) as sandbox, Shop(sandbox) as shop:
        assert shop.pages.get(sandbox.outbox()[0]["text"].rpartition(" ")[2]).status_code == 200, "the page of a mail"
        order_id = shop.stored(product(quantity=2))
        shop.sell(order_id, {"product_id": "TV-55", "warranty": term(24, "79.99")})
        shop.post(CHECKOUT, checkout(id=order_id, email="subscriber@example.com"))
        sandbox.add_claims([{"status": "LATE", "customer_email": "late@example.com"}])
        before = _all(shop, order_id)
        link = f"{sandbox.landing_url}/carts/{sandbox.retailer_uuid}/checkout/{order_id}"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    # A seed is sown once into a file, be the next start's another.
    with SandboxServer(seed="lemon", data=file, random_seed=9) as sandbox, Shop(sandbox) as shop:
        assert _all(shop, order_id) == before
        assert shop.submit(order(order_id=order_id)).json() == {"success": True, "url": link}
        assert shop.sell(order_id, {"product_id": "TV-55"}).status_code == 200
        assert "no unsold offer" in shop.refusal(order_id, {"product_id": "TV-55"})


def _all(shop: Shop, order_id: str) -> tuple[object, ...]:
    access = {name: value for name, value in shop.sandbox.access().items() if name != "ca_file"}
    held = shop.sandbox.claims(), shop.sandbox.outbox(), shop.sandbox.subscriptions()
    return access, shop.carried(order_id), *held


def test_a_port_that_is_taken_is_replaced_and_one_that_was_asked_for_is_an_error(file: Path) -> None:
    with SandboxServer(data=file) as sandbox:
        before = sandbox.base_url
    taken = int(before.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", taken)):
        with SandboxServer(data=file) as sandbox, Shop(sandbox) as shop:
            assert sandbox.base_url != before
            assert shop.stored()
        server = SandboxServer(port=taken)
        with pytest.raises(OSError, match="in use"):
            server.start()
        server.stop()


def test_two_sandboxes_on_one_file_sell_each_unit_once_whatever_the_code_believes(file: Path) -> None:
    with (
        SandboxServer(data=file) as one,
        SandboxServer(data=file) as two,
        Shop(one) as here,
        Shop(two) as there,
        ThreadPoolExecutor(2) as pool,
    ):
        assert one.base_url != two.base_url
        assert one.private_token == two.private_token
        order_id = here.stored(product(quantity=5))
        content = {"id": order_id, "line_items": [{"product_id": "TV-55"}]}
        halves = pool.map(lambda shop: shop.at_once(8, SALE, content), (here, there))
        assert sorted(answer.status_code for half in halves for answer in half) == [200] * 5 + [400] * 11
        assert len(there.warranties(order_id)) == 5
    with SandboxServer(data=file) as sandbox, Shop(sandbox) as shop:
        order_id = shop.stored()
        shop.sell(order_id, {"product_id": "TV-55"})
    with closing(Store(file=file)) as store, store.transaction() as records:
        (sold,) = records.order(order_id).warranties  # type: ignore[union-attr]
        with pytest.raises(UnitTaken):
            records.add_warranties(order_id, [replace(sold, warranty_order_id="another")])


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "sandbox.sqlite"
    file.write_bytes(content)
    with pytest.raises(SandboxDataProblem, match="cannot be used as the sandbox's data file"):
        SandboxServer(data=file).start()
    assert file.read_bytes() == content
    with pytest.raises(OSError, match="directory"):
        SandboxServer(data=tmp_path).start()


def test_a_file_of_a_later_version_is_refused_and_an_earlier_begins_anew_with_tokens(file: Path) -> None:
    with SandboxServer(seed="demo", data=file) as before:
        token, claims = before.private_token, len(before.claims())
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA user_version = 99")
        with pytest.raises(SandboxDataProblem, match="another version"):
            SandboxServer(data=file).start()
        database.execute("DROP TABLE orders")
        database.execute("CREATE TABLE orders (order_id TEXT PRIMARY KEY)")
        database.execute("PRAGMA user_version = 1")
    with SandboxServer(seed="demo", data=file) as sandbox:
        assert (sandbox.private_token, len(sandbox.claims())) == (token, claims)


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


def test_the_same_seed_and_clock_hold_the_same_and_the_demo_has_orders_to_train_with(demo: tuple[Any, ...]) -> None:
    assert demo == held(seed="demo")
    assert demo[0] != held(seed="demo", random_seed=4)[0]
    claims, outbox, orders, _ = demo
    assert len(orders) == 7
    assert sum(any(item["warranties"] for item in order) for order in orders) == 2
    assert outbox[-1]["recipient"] == "subscriber@example.com"
    assert all(message["sent_at"] == NOON.isoformat() for message in outbox)
    assert {claim["order_id"] for claim in claims[-2:]} == {message["order_id"] for message in outbox[:2]}


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
    assert max(moments) < NOON.date().isoformat(), "today would depend on the hour of the start"

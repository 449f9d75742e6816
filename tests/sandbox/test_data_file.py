"""With a data file, a restart keeps everything; what is no data file is refused with a sentence."""

import socket
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox import SandboxDataProblem, SandboxServer
from sandbox.store.database import Store, UnitTaken
from tests.sandbox.shop import CHECKOUT, SALE, Shop, checkout, order, product, term


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "sandbox.sqlite"


def test_a_restart_keeps_orders_sales_claims_identity_and_ports(file: Path) -> None:
    with SandboxServer(seed="demo", data=file) as sandbox, Shop(sandbox) as shop:
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


def test_two_sandboxes_on_one_file_sell_each_unit_once(file: Path) -> None:
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


def test_a_unit_is_taken_once_whatever_the_code_believes(file: Path) -> None:
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

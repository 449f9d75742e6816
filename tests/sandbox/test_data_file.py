"""With a data file, a restart keeps everything; what is no data file is refused with a sentence."""

import socket
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from sandbox import SandboxDataProblem, SandboxServer
from tests.sandbox.shop import CHECKOUT, SALE, Shop, checkout, order, product, term


def test_a_restart_keeps_orders_sales_claims_identity_and_ports(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "sandbox.sqlite"
    with SandboxServer(seed="demo", data=file) as sandbox:
        shop = Shop(sandbox)
        order_id = shop.stored(product(quantity=2))
        shop.sell(order_id, {"product_id": "TV-55", "warranty": term(24, "79.99")})
        shop.post(CHECKOUT, checkout(id=order_id, email="subscriber@example.com"))
        sandbox.add_claims([{"status": "LATE", "customer_email": "late@example.com"}])
        before = _all(shop, order_id)
        link = f"{sandbox.landing_url}/carts/{sandbox.retailer_uuid}/checkout/{order_id}"
        shop.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with SandboxServer(seed="demo", data=file) as sandbox:
        shop = Shop(sandbox)
        assert _all(shop, order_id) == before
        assert shop.submit(order(order_id=order_id)).json() == {"success": True, "url": link}
        assert shop.sell(order_id, {"product_id": "TV-55"}).status_code == 200
        assert "no unsold offer" in shop.refusal(order_id, {"product_id": "TV-55"})
        shop.close()


def _all(shop: Shop, order_id: str) -> tuple[object, ...]:
    sandbox = shop.sandbox
    identity = (
        sandbox.base_url,
        sandbox.landing_url,
        sandbox.retailer_uuid,
        sandbox.private_token,
        sandbox.public_token,
    )
    return identity, shop.carried(order_id), sandbox.claims(), sandbox.outbox(), sandbox.subscriptions()


def test_a_port_that_is_taken_meanwhile_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.sqlite"
    with SandboxServer(data=file) as sandbox:
        before = sandbox.base_url
    with (
        socket.create_server(("127.0.0.1", int(before.rpartition(":")[2]))),
        SandboxServer(data=file) as sandbox,
    ):
        assert sandbox.base_url != before
        shop = Shop(sandbox)
        assert shop.stored()
        shop.close()


def test_a_port_that_was_asked_for_and_is_taken_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = SandboxServer(port=taken.getsockname()[1])
        with pytest.raises(OSError, match="in use"):
            server.start()
        server.stop()


def test_two_sandboxes_on_one_file_sell_each_unit_once(tmp_path: Path) -> None:
    """Sixteen sales of five units at the same moment, half of them at each."""
    file = tmp_path / "sandbox.sqlite"
    with SandboxServer(data=file) as one, SandboxServer(data=file) as two:
        assert one.base_url != two.base_url
        assert one.private_token == two.private_token
        shops = Shop(one), Shop(two)
        order_id = shops[0].stored(product(quantity=5))
        content = {"id": order_id, "line_items": [{"product_id": "TV-55"}]}
        with ThreadPoolExecutor(2) as pool:
            answers = [
                answer
                for half in pool.map(lambda shop: shop.at_once(8, SALE, content), shops)
                for answer in half
            ]
        assert sorted(answer.status_code for answer in answers) == [200] * 5 + [400] * 11
        assert len(shops[1].warranties(order_id)) == 5
        for shop in shops:
            shop.close()


def test_a_seed_is_sown_once_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.sqlite"
    with SandboxServer(seed="demo", data=file) as sandbox:
        claims = sandbox.claims()
    with SandboxServer(seed="busy", data=file, random_seed=9) as sandbox:
        assert sandbox.claims() == claims


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "sandbox.sqlite"
    file.write_bytes(content)
    with pytest.raises(SandboxDataProblem, match="cannot be used as the sandbox's data file"):
        SandboxServer(data=file).start()
    assert file.read_bytes() == content


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(SandboxDataProblem, match="another version"):
        SandboxServer(data=file).start()


def test_a_file_of_an_earlier_version_begins_anew_with_its_tokens(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.sqlite"
    with SandboxServer(seed="demo", data=file) as before:
        token, claims = before.private_token, len(before.claims())
    with closing(sqlite3.connect(file)) as database:
        database.execute("DROP TABLE orders")
        database.execute("CREATE TABLE orders (order_id TEXT PRIMARY KEY)")
        database.execute("PRAGMA user_version = 1")
    with SandboxServer(seed="demo", data=file) as sandbox:
        assert (sandbox.private_token, len(sandbox.claims())) == (token, claims)


def test_a_folder_is_no_data_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        SandboxServer(data=tmp_path).start()

"""kill -9 in the middle of 200 concurrent sales: after a restart, every sale is there whole or not at all.

The quick form of it is in test_store.py: a transaction that is given up leaves nothing.
"""

import json
import signal
import ssl
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer
from tests.sandbox.shop import SALE, Shop, product, term

ROOT = Path(__file__).resolve().parent.parent.parent
SALES = 200


def bundle(number: int) -> list[dict[str, Any]]:
    """Two line items: a bundle of three in two units, and a television: five warranties' worth of rows in a sale."""
    members = [product(f"M{part}", "300.00") for part in range(3)]
    return [product("SET", "0", products=members, quantity=2), product(f"TV-{number}", "899.00")]


@pytest.mark.long
@pytest.mark.parametrize("answers_before_the_kill", [1, 60, 120, 180])
def test_a_killed_sandbox_holds_every_sale_whole_or_not_at_all(
    tmp_path: Path, answers_before_the_kill: int
) -> None:
    file = tmp_path / "sandbox.sqlite"
    with SandboxServer(data=file) as sandbox, Shop(sandbox) as shop:
        orders = [shop.stored(*bundle(number)) for number in range(SALES)]
    process = subprocess.Popen(
        [sys.executable, "-m", "sandbox", "--data", str(file)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    announced = json.loads(process.stdout.readline())
    answered: dict[str, str] = {}
    killed = threading.Event()
    http = httpx.Client(verify=ssl.create_default_context(cafile=announced["ca_file"]), timeout=20)

    def sell(number: int) -> None:
        if killed.is_set():
            return
        lines = [
            {"line_item_id": 1, "quantity": 2, "warranty": term(24, "50.00")},
            {"product_id": f"TV-{number}", "warranty": term(12, "60.00")},
        ]
        try:
            answer = http.post(
                announced["base_url"] + SALE,
                json={"id": orders[number], "line_items": lines},
                headers={"Authorization": f"Bearer {announced['private_token']}"},
            )
        except httpx.TransportError:
            return
        assert answer.status_code == 200
        answered[orders[number]] = answer.json()["id"]
        if len(answered) >= answers_before_the_kill:
            killed.set()
            process.kill()  # by whoever has that answer: fifteen others are on their way

    with ThreadPoolExecutor(16) as pool:
        for sale in [pool.submit(sell, number) for number in range(SALES)]:
            sale.result()
    http.close()
    assert process.wait(10) == -signal.SIGKILL
    process.stdout.close()
    assert answers_before_the_kill <= len(answered) < SALES

    with SandboxServer(data=file) as sandbox, Shop(sandbox) as shop:
        whole = 0
        for order_id in orders:
            bundled, television = shop.carried(order_id)
            sold = [*bundled["warranties"], *television["warranties"]]
            shapes = [len(one["covered_products"]) for one in sold]
            assert shapes in ([], [3, 3, 1])
            assert len({one["warranty_order_id"] for one in sold}) <= 1
            whole += bool(sold)
            if order_id in answered:
                assert sold[0]["warranty_order_id"] == answered[order_id]
            else:
                status = shop.sell(order_id, {"line_item_id": 2, "warranty": term(12)}).status_code
                assert status == (400 if sold else 200)
    assert whole >= len(answered)

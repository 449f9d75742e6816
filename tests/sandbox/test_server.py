"""The server in a thread, and alone as `python -m sandbox`: starting, announcing, stopping."""

import json
import signal
import ssl
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer
from tests.sandbox.shop import VERIFY, Shop

ROOT = Path(__file__).resolve().parent.parent.parent


def test_a_server_starts_answers_and_is_gone_after_its_block() -> None:
    others = sandbox_threads()
    server = SandboxServer(seed="demo")
    assert "not running" in repr(server)
    with server as sandbox:
        shop = Shop(sandbox)
        assert shop.http.get(VERIFY, headers=shop.private).status_code == 200
        certificate = Path(sandbox.ca_file)
        assert "CERTIFICATE" in certificate.read_text()
        assert "PRIVATE KEY" not in "".join(file.read_text() for file in certificate.parent.iterdir())
        assert sandbox.private_token not in repr(sandbox)
    assert not certificate.parent.exists()
    with pytest.raises(httpx.TransportError):
        shop.http.get(VERIFY)
    shop.close()
    assert sandbox_threads() == others
    server.stop()


def sandbox_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "sandbox"}


def test_a_server_starts_again_after_its_end() -> None:
    server = SandboxServer()
    for _ in range(2):
        server.start()
        server.start()
        shop = Shop(server)
        assert shop.stored()
        shop.close()
        server.stop()


def test_two_servers_share_nothing() -> None:
    with SandboxServer() as one, SandboxServer() as two:
        assert one.private_token != two.private_token
        assert one.retailer_uuid != two.retailer_uuid
        order_id = Shop(one).stored()
        assert Shop(two).sell(order_id, {"product_id": "TV-55"}).status_code == 404
        with pytest.raises(httpx.ConnectError):
            httpx.get(two.base_url, verify=ssl.create_default_context(cafile=one.ca_file))


def test_a_server_runs_in_a_thread_that_is_not_the_main_one() -> None:
    answered: list[int] = []

    def run() -> None:
        with SandboxServer() as sandbox:
            shop = Shop(sandbox)
            answered.append(shop.http.get(VERIFY, headers=shop.private).status_code)
            shop.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(20)
    assert answered == [200]


def test_logging_of_the_process_around_it_is_left_alone() -> None:
    import logging

    loggers = [logging.getLogger(name) for name in ("", "uvicorn", "uvicorn.error", "asyncio")]
    before = [(logger.level, logger.handlers[:], logger.propagate) for logger in loggers]
    with SandboxServer():
        assert [(logger.level, logger.handlers, logger.propagate) for logger in loggers] == before


def started(*arguments: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    """The sandbox as a process of its own, and what its one line says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sandbox", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_announces_itself_in_one_line_and_stops_cleanly(number: signal.Signals) -> None:
    process, announced = started("--seed", "empty")
    try:
        assert list(announced) == [
            "base_url",
            "landing_url",
            "retailer_uuid",
            "private_token",
            "public_token",
            "ca_file",
        ]
        with httpx.Client(verify=ssl.create_default_context(cafile=announced["ca_file"])) as http:
            answer = http.get(
                f"{announced['base_url']}{VERIFY}",
                headers={"Authorization": f"Bearer {announced['private_token']}"},
            )
            assert answer.status_code == 200
            assert http.get(f"{announced['base_url']}/_sandbox/health").json()["seed"] == "empty"
            process.send_signal(number)
            output, errors = process.communicate(timeout=15)
    finally:
        process.kill()
    assert (process.returncode, output, errors) == (0, "", "")
    assert not Path(announced["ca_file"]).exists()


def test_the_command_seeds_demo_by_default_and_takes_its_options(tmp_path: Path) -> None:
    process, announced = started(
        "--data", str(tmp_path / "s.sqlite"), "--random-seed", "5", "--claims-order", "newest",
        "--clock", "2026-11-21T09:00:00", "--public-token-header", "X-Public",
    )  # fmt: skip
    try:
        with httpx.Client(verify=ssl.create_default_context(cafile=announced["ca_file"])) as http:
            health = http.get(f"{announced['base_url']}/_sandbox/health").json()
            claims = http.post(
                f"{announced['base_url']}/api/warranty-claim-customer-status",
                json={},
                headers={"X-Public": announced["public_token"]},
            ).json()["data"]
    finally:
        process.terminate()
        process.communicate(timeout=15)
    assert (health["seed"], health["claims"], health["now"]) == ("demo", 480, "2026-11-21T09:00:00+00:00")
    dates = [claim["claim_date"] for claim in claims]
    assert dates == sorted(dates, reverse=True)
    assert dates[0].startswith("2026-11-21")


def test_the_command_says_in_a_sentence_why_it_cannot_start(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but long enough to look like one" * 100)
    done = subprocess.run(
        [sys.executable, "-m", "sandbox", "--data", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("The sandbox cannot start: ")
    assert "Traceback" not in done.stderr

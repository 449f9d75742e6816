"""A shop whose only way out is a proxy: every call goes through it, and what does not get through was not sent."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from deploy.up.machine import free_port
from deploy.up.proxy import listens
from sandbox import SandboxServer
from tests.builders import checkout_of, client_at, one_of_each, order_of, sale_of
from tests.contract.connect_proxy import ConnectProxy, Mood
from tests.machine import program
from tests.waiting import until
from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.errors import NotSent, OutcomeUnknown

ORDER = order_of()
SALE = sale_of(ORDER.order_id)
CALLS = one_of_each(ORDER, SALE, checkout_of(ORDER.order_id))


def behind(proxy: str | None, sandbox: SandboxServer, *, seconds: float = 1, trusts: bool = True) -> WarrantyClient:
    return client_at(
        sandbox, verify=sandbox.ca_file if trusts else None, proxy=SecretStr(proxy) if proxy else None,
        pacing=Pacing(repeats=0), timeouts=Timeouts(read=timedelta(seconds=seconds)),
    )  # fmt: skip


@pytest.mark.parametrize("password", ["", "pass:w/rd"])
def test_every_call_goes_through_the_proxy_which_sees_no_token(sandbox: SandboxServer, password: str) -> None:
    with ConnectProxy(password=password) as proxy:
        quoted = proxy.url.replace(password, "pass%3Aw%2Frd") if password else proxy.url
        with behind(quoted, sandbox) as client:
            for name, call in CALLS.items():
                before = proxy.tunnels
                call(client)
                if name in {"record_sale", "notify_checkout"}:
                    assert proxy.tunnels == before + 1  # a connection of their own
    assert [call["operation"] for call in sandbox.calls()] == list(CALLS)
    assert proxy.saw.count(b"CONNECT 127.0.0.1:") == proxy.tunnels
    for secret in (sandbox.private_token, sandbox.public_token):
        assert secret.encode() not in proxy.saw


def test_a_knock_asks_the_service_nothing(sandbox: SandboxServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "uvicorn.access")
    with ConnectProxy() as proxy, behind(proxy.url, sandbox) as client:
        assert client.reaches()
        assert proxy.tunnels == 1
    with ConnectProxy(mood="forbids") as proxy, behind(proxy.url, sandbox) as client:
        assert not client.reaches()
    with behind(None, sandbox) as client:
        assert client.reaches()
        client.verify_credentials()  # the connection that was left at the door is in nobody's way
    with behind(None, sandbox, trusts=False) as client:
        assert not client.reaches(), "whose certificate nobody trusts"
    asked = [record.getMessage() for record in caplog.records if record.name == "uvicorn.access"]
    assert len(asked) == 1
    assert "verify-auth" in asked[0]


@contextmanager
def tinyproxy(folder: Path, *lines: str) -> Iterator[str]:
    port = free_port()
    (folder / "tinyproxy.conf").write_text("\n".join([f"Port {port}", "Listen 127.0.0.1", *lines]))
    process = subprocess.Popen([program("tinyproxy"), "-d", "-c", str(folder / "tinyproxy.conf")])
    try:
        until(lambda: listens(port))
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def test_a_proxy_of_debian_with_a_password_wants_it_each_time(sandbox: SandboxServer, tmp_path: Path) -> None:
    with tinyproxy(tmp_path, "BasicAuth desk secret") as proxy:
        with behind(f"http://desk:secret@{proxy}", sandbox) as client:
            client.verify_credentials()
        with behind(f"http://{proxy}", sandbox) as client, pytest.raises(NotSent):
            client.verify_credentials()
    assert len(sandbox.calls()) == 1


@pytest.mark.parametrize(("mood", "seconds"), [("forbids", 5), ("hangs up", 5), ("keeps silent", 0.2)])
def test_what_a_proxy_stops_was_not_sent(sandbox: SandboxServer, mood: Mood, seconds: float) -> None:
    with ConnectProxy(mood=mood) as proxy, behind(proxy.url, sandbox, seconds=seconds) as client:
        for call in CALLS.values():
            with pytest.raises(NotSent):
                call(client)
        assert proxy.saw.startswith(b"CONNECT")
    assert sandbox.calls() == []


def test_without_the_proxy_nothing_is_sent_and_an_answer_lost_behind_it_is_unknown(sandbox: SandboxServer) -> None:
    with behind("http://127.0.0.1:9", sandbox) as client, behind(None, sandbox) as straight:
        for call in CALLS.values():
            with pytest.raises(NotSent):
                call(client)
        assert client.longest_call("record_sale") > straight.longest_call("record_sale")
    assert sandbox.calls() == []
    with ConnectProxy() as proxy, behind(proxy.url, sandbox) as client:
        client.submit_order(ORDER)
        sandbox.add_fault("record_sale", "drop_after_write")
        with pytest.raises(OutcomeUnknown):
            client.record_sale(SALE)

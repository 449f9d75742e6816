"""`check --network`: what a shop's IT must let through, each tried without a token."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.contract.connect_proxy import ConnectProxy
from tests.provider import Provider, running_provider
from warranty.__main__ import main
from warranty.client import tls
from warranty.commands import check as network

Said = pytest.CaptureFixture[str]


def rows(said: Said) -> dict[str, str]:
    return {line.split("  ")[0]: line for line in said.readouterr().out.splitlines() if ": " in line.split("  ")[0]}


def failed(said: Said) -> list[str]:
    return [what for what, line in rows(said).items() if "FAILED" in line]


def test_all_to_be_allowed_is_tried(shop: pytest.MonkeyPatch, capsys: Said, sandbox: SandboxServer) -> None:
    assert main(["check", "--network"]) == 0
    said = capsys.readouterr().out
    assert f"TCP to 127.0.0.1 port {sandbox.base_url.rpartition(':')[2]} (service)" in said
    for row in ("service: name", "service: TCP", "service: TLS", "service: clock", "journal: database"):
        assert f"\n{row}  " in said
    assert "FAILED" not in said
    assert "issued by" in said
    assert [call for call in sandbox.calls() if call.get("token")] == []


@pytest.mark.parametrize(("name", "value", "row"), [
    ("BASE_URL", "https://no-such-host.invalid", "service: name"), ("BASE_URL", "https://127.0.0.1:9", "service: TCP"),
    ("CA_FILE", "", "service: TLS"), ("OUTBOUND_PROXY", "http://127.0.0.1:9", "proxy: TCP"),
    ("OUTBOUND_PROXY", "http://no-such-host.invalid:3128", "proxy: name"),
    ("JOURNAL_URL", "postgresql://127.0.0.1:9/none", "journal: TCP"),
    ("JOURNAL_URL", "sqlite:////proc/none/journal.sqlite3", "journal: database"),
    ("ALERT_WEBHOOK", "https://127.0.0.1:9/hook?key=hush-hush", "webhook: TCP"),
    ("ALERT_MAIL_TO", "office@shop.example", "mail: TCP"),
])  # fmt: skip
def test_what_is_stopped_fails_by_name(shop: pytest.MonkeyPatch, capsys: Said, name: str, value: str, row: str) -> None:
    mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": "9", "SMTP_FROM": "desk@shop.example"}
    for each, given in {"ALERT_WEBHOOK_SECRET": "whsec_" + "A" * 32, **mail, name: value}.items():
        shop.setenv(f"WARRANTY_{each}", given)
    assert main(["check", "--network"]) == 1
    said = failed(capsys)
    assert row in said
    assert "hush" not in str(said)


def test_proxies_that_refuse_and_let_through_are_told_apart(shop: pytest.MonkeyPatch, capsys: Said) -> None:
    with ConnectProxy(password="hush-hush") as proxy:
        shop.setenv("WARRANTY_OUTBOUND_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert main(["check", "--network"]) == 1
        assert "status 407" in rows(capsys)["proxy: CONNECT"]
        shop.setenv("WARRANTY_OUTBOUND_PROXY", proxy.url)
        assert main(["check", "--network"]) == 0
        told = rows(capsys)
        assert "  ok  " in told["proxy: CONNECT"]
        assert "hush" not in str(told)


def signs_in_by(provider: Provider, shop: pytest.MonkeyPatch, folder: Path) -> None:
    """Single sign-on of a sandbox: other environments want the desk's own address to be https."""
    provider.secrets_in(folder)
    shop.setenv("WARRANTY_ENVIRONMENT", "sandbox")
    shop.setenv("WARRANTY_SSO_ROLES", "desk-staff=staff")


@pytest.mark.parametrize(("past", "tunnels"), [("", 1), ("127.0.0.1", 0)], ids=["by it", "past it"])
def test_the_provider_of_single_sign_on_is_tried_by_the_proxy_that_a_sign_in_goes_by(
    *, shop: pytest.MonkeyPatch, capsys: Said, sandbox: SandboxServer, tmp_path: Path, past: str, tunnels: int
) -> None:
    signs_in_by(Provider(sandbox.base_url), shop, tmp_path)
    with ConnectProxy() as proxy:
        for name in ("NO_PROXY", "no_proxy"):
            shop.setenv(name, past)
        shop.setenv("HTTPS_PROXY", proxy.url)
        assert main(["check", "--network"]) == 1
        said = capsys.readouterr().out
        port = proxy.url if tunnels else sandbox.base_url
        called = "provider's proxy" if tunnels else "provider"
        assert f"TCP to 127.0.0.1 port {port.rpartition(':')[2]} ({called})" in said
        assert proxy.tunnels == tunnels
    assert "\nprovider: TLS" in said  # where the sandbox's own authority is not trusted


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


def test_check_asks_the_provider(shop: pytest.MonkeyPatch, provider: Provider, tmp_path: Path, capsys: Said) -> None:
    signs_in_by(provider, shop, tmp_path)
    assert main(["check"]) == 0
    assert f"{provider.url}: desk-staff is staff" in capsys.readouterr().out
    main(["check", "--network"])
    assert f"port {provider.url.rpartition(':')[2]} (provider)" in capsys.readouterr().out
    signs_in_by(Provider(f"{provider.url}/nowhere"), shop, tmp_path)
    assert main(["check"]) == 1
    assert "gives no description of a provider" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["check"], ["check", "--network"]])
def test_a_clock_ten_seconds_from_the_services_fails(shop: pytest.MonkeyPatch, capsys: Said, words: list[str]) -> None:
    shop.setattr(tls, "_ahead", lambda _date: timedelta(seconds=-11))
    assert main(words) == 1
    assert "11 s behind it. Have the clocks of both set" in rows(capsys)["service: clock"]


def test_a_clock_ten_seconds_from_the_databases_fails(shop: pytest.MonkeyPatch, capsys: Said) -> None:
    shop.setattr(network, "now", lambda _connection: datetime.now(UTC) - timedelta(seconds=11))
    assert main(["check", "--network"]) == 1
    assert failed(capsys) == ["journal: clock"]

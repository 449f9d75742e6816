"""In staging: no request leaves the shop but to the service, and no password crosses a network in the open."""

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from benchmarks.streamlit_viewer import Viewer
from components.navigation import SCREENS
from sandbox import SandboxServer
from tests.attacks.conftest import key_of
from tests.attacks.visits import handshake, of_no_screen, said
from tests.builders import may_sign_in
from tests.chain.ordeal import cookie_of
from tests.dashboard import Dashboard
from tests.machine import in_a_loop_of_its_own as done
from warranty.access import Role


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("egress") / "asked.log"


@pytest.fixture(scope="module")
def service() -> Iterator[SandboxServer]:
    with SandboxServer(tokens="account") as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def staging(tmp_path_factory: pytest.TempPathFactory, service: SandboxServer, log: Path) -> Iterator[Dashboard]:
    folder = tmp_path_factory.mktemp("staging")
    for role in Role:
        may_sign_in(folder, role.value, role, name=role.value, password="a-password-of-theirs")
    log.with_suffix(".silent").touch()
    access = {f"WARRANTY_{name.upper()}": value for name, value in service.access().items()}
    environment = {**access, "WARRANTY_ENVIRONMENT": "staging", "EGRESS_LOG": str(log)}
    environment["STREAMLIT_SERVER_ALLOWED_HOSTS"] = "*"
    command = (sys.executable, "-m", "tests.attacks.egress", "run", "app.py")
    with Dashboard(folder, environment=environment, command=command) as running:
        yield running


async def every_screen(staging: Dashboard) -> None:
    for role in Role:
        cookie = cookie_of(role.value, key_of(staging.data_dir), staging.url, environment="staging")
        for screen in SCREENS:
            async with Viewer(staging.url, page=screen.name, cookie=cookie) as tab:
                await tab.open()
                await tab.open()
                await said(tab, *of_no_screen(tab.session))


@pytest.mark.long
@pytest.mark.parametrize("egress", ["silent", "refusing"])
def test_nothing_leaves_but_to_the_service(staging: Dashboard, service: SandboxServer, log: Path, egress: str) -> None:
    if egress == "refusing":
        log.with_suffix(".silent").unlink()
    evil, by_host = {"Origin": "http://evil.example"}, {"Origin": "http://desk.example", "Host": "desk.example"}
    assert [handshake(staging, **each) for each in [evil, by_host, {"Origin": "null"}] * 3] == [403] * 9
    colleague = {"Origin": "https://desk.example", "Host": "desk.example", "X-Forwarded-Proto": "https"}
    assert handshake(staging, **colleague) == 101
    for path in ("", "claims", "nonsense", "_stcore/host-config", "_stcore/health"):
        httpx.get(f"{staging.url}/{path}", headers=evil, timeout=5)
    done(every_screen(staging))
    asked = log.read_text().splitlines()
    to_service = [line for line in asked if line.endswith(f" 127.0.0.1 {httpx.URL(service.base_url).port}")]
    assert to_service
    assert [line for line in asked if line not in to_service] == []


@pytest.mark.long
def test_no_sign_in_is_answered_in_the_open_and_pages_beside_say_that_this_is_for_tests(staging: Dashboard) -> None:
    """Whoever sits at another computer is known by the name that they ask for, or by the proxy that passes it on."""
    port = staging.port
    passed_on = {"X-Forwarded-For": "192.0.2.7"}
    for headers in (passed_on, {**passed_on, "X-Forwarded-Proto": "http"}, {"Host": f"192.0.2.1:{port}"}):
        assert handshake(staging, Origin=f"http://{headers.get('Host', f'127.0.0.1:{port}')}", **headers) == 403
        for path in ("", "till", "cookie", "customer/now"):
            answer = httpx.get(f"{staging.url}/{path}", headers=headers, timeout=5)
            assert (answer.status_code, "https://" in answer.text) == (403, True)
        assert httpx.get(f"{staging.url}/healthz", headers=headers, timeout=5).status_code == 200
    by_https = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
    assert handshake(staging, Origin=staging.url.replace("http:", "https:"), **by_https) == 101
    assert handshake(staging, Origin=staging.url) == 101
    for path in ("till", "customer"):
        page = httpx.get(f"{staging.url}/{path}").text
        assert '<body class="staging">' in page
        assert '"environment_means": "for tests, not for customers"' in page

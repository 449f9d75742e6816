"""What every answer of ours tells a browser (docs/security.md: L8)."""

import re

import httpx
import pytest

from tests.dashboard import Dashboard

PATHS = ["", "claims", "nonsense", "media/none.csv", "_stcore/health", "_stcore/metrics", "cookie", "healthz"]


def directives(answer: httpx.Response) -> dict[str, str]:
    policy = answer.headers["Content-Security-Policy"]
    return dict(each.strip().partition(" ")[::2] for each in policy.split(";"))


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_says_that_scripts_of_ours_alone_run_and_nothing_is_kept(dashboard: Dashboard, path: str) -> None:
    answer = httpx.get(f"{dashboard.url}/{path}")
    told = directives(answer)
    assert "unsafe" not in told["script-src"].replace("'wasm-unsafe-eval'", "")
    nothing = dict.fromkeys(("default-src", "frame-src", "base-uri", "form-action"), "'none'")
    assert told | nothing | {"connect-src": "'self'"} == told
    assert not re.search(r"https?:|wss?:|[*]", answer.headers["Content-Security-Policy"])
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert {"camera=(self)", "microphone=()", "geolocation=()"} <= set(answer.headers["Permissions-Policy"].split(", "))
    assert "Strict-Transport-Security" not in answer.headers


@pytest.mark.parametrize(
    "path", ["customer", "customer/now", "customer/page.js", "till", "till/now", "livez", "readyz", "version"]
)
def test_nothing_of_pages_beside_the_dashboard_is_kept(dashboard: Dashboard, path: str) -> None:
    assert httpx.get(f"{dashboard.url}/{path}").headers["Cache-Control"] == "no-store"


def test_over_https_the_browser_is_told_to_come_by_https_alone(dashboard: Dashboard) -> None:
    answer = httpx.get(dashboard.url, headers={"X-Forwarded-Proto": "https"})
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"

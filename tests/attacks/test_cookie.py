"""The cookie of a sign-in is the server's: no script sees it, no other port uses it (docs/security.md: L7)."""

import re
from http.cookies import Morsel, SimpleCookie

import httpx
import pytest

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.visits import press_sign_in, visited
from tests.dashboard import Dashboard

pytestmark = pytest.mark.long


@pytest.fixture
def ticket(dashboard: Dashboard) -> str:
    """Sign in by the form, and give the ticket that the server has the page hand in."""
    tab = visited(Viewer(dashboard.url), lambda tab: press_sign_in(tab, "ada", "a-password-of-theirs"))
    # The first ticket is for the cookie by which this device is known again.
    tickets: list[str] = [found for told in tab.parts for found in re.findall(r'"ticket": ?"([^"]+)"', told)]
    return tickets[-1]


def hand_in(dashboard: Dashboard, ticket: str, **headers: str) -> httpx.Response:
    sent = {"Origin": dashboard.url, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.post(f"{dashboard.url}/cookie", content=ticket, headers=sent)


def cookie_in(answer: httpx.Response) -> Morsel[str]:
    (cookie,) = SimpleCookie(answer.headers["Set-Cookie"]).values()
    return cookie


def is_taken(dashboard: Dashboard, cookie: str, **headers: str) -> bool:
    """Whether the door takes who sends this for somebody signed in."""
    sent = {"Cookie": cookie, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.get(f"{dashboard.url}/media/{'0' * 56}.csv", headers=sent).status_code == 404


def test_no_script_reads_the_cookie_and_no_page_elsewhere_sends_it(dashboard: Dashboard, ticket: str) -> None:
    answer = hand_in(dashboard, ticket)
    cookie = cookie_in(answer)
    assert (answer.status_code, answer.content, answer.headers["Cache-Control"]) == (204, b"", "no-store")
    assert (cookie["httponly"], cookie["samesite"].lower(), cookie["path"]) == (True, "strict", "/")
    assert is_taken(dashboard, f"{cookie.key}={cookie.value}")


def test_over_https_no_other_host_and_no_plain_line_has_the_cookie(dashboard: Dashboard, ticket: str) -> None:
    secure = dashboard.url.replace("http:", "https:")
    cookie = cookie_in(hand_in(dashboard, ticket, Origin=secure, X_Forwarded_Proto="https"))
    assert (cookie.key[:7], cookie["secure"], cookie["domain"]) == ("__Host-", True, "")
    assert is_taken(dashboard, f"{cookie.key}={cookie.value}", X_Forwarded_Proto="https")
    plain = cookie.key.removeprefix("__Host-")  # a neighbour of the domain may set this one
    assert not is_taken(dashboard, f"{plain}={cookie.value}", X_Forwarded_Proto="https")


def test_a_ticket_is_good_once_and_for_our_own_page_alone(dashboard: Dashboard, ticket: str) -> None:
    for elsewhere in ("http://evil.example", f"http://127.0.0.1:{dashboard.port + 1}"):
        assert hand_in(dashboard, ticket, Origin=elsewhere).status_code == 403
    assert hand_in(dashboard, ticket).status_code == 204
    for bad in (ticket, "", "x" * 43, "x" * 10_000_000):
        answer = hand_in(dashboard, bad)
        assert (answer.status_code, "Set-Cookie" in answer.headers) == (410, False)

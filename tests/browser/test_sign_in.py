"""Signing in and out, in a real browser."""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from components.navigation import SCREENS
from tests.browser.browser_shop import PASSWORDS, Sent, come, settled
from tests.dashboard import Dashboard, leave, person, sign_in

# The page's own messages wait for the next thing that a person does, and leave so many milliseconds after it: the
# worst moment there is for a press, which else comes once in a hundred times.
HELD_BACK: Final = """
(() => {
  const send = WebSocket.prototype.send, held = [];
  let first = true, byHand = false;
  for (const act of ["click", "keydown"])
    addEventListener(act, () => { byHand = true; setTimeout(() => { byHand = false; }, 50); }, true);
  WebSocket.prototype.send = function (message) {
    if (!first && !byHand) { held.push(() => send.call(this, message)); return; }
    first = false;
    send.call(this, message);
    const moment = performance.now() + MILLISECONDS;
    while (performance.now() < moment);  // a timer would come when the page has been drawn, which is too late
    held.splice(0).forEach((leave) => leave());
  };
})();
"""

# Reloads in the very moment in which somebody is signed in, sooner than any hand.
RELOAD_AT_ONCE: Final = """
new MutationObserver(() => {
  const signedIn = document.querySelector(".st-key-who button");
  if (!signedIn || sessionStorage.reloaded) return;
  sessionStorage.reloaded = true;
  location.reload();
}).observe(document, { subtree: true, childList: true });
"""


def sees_the_form_alone(page: Page) -> None:
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    for screen in SCREENS:
        expect(page.get_by_text(screen.title, exact=True)).to_have_count(0)
    expect(person(page)).to_have_count(0)


def test_who_comes_by_a_link_is_told_of_a_wrong_password_and_lands_there(page: Page, dashboard: Dashboard) -> None:
    sent = Sent(page)  # on a screen that asks for nothing by itself
    page.goto(f"{dashboard.url}/shift_report?name=x")  # a word that is named as a field of ours
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    expect(page.get_by_role("heading", level=2)).to_have_text("Café Zoë")
    settled(page)
    assert Axe().run(page).response["violations"] == []
    assert sent.frames == 1  # the visit
    sign_in(page, "manager", "p" * 500)
    expect(page.get_by_text("Name or password is not right")).to_be_visible()
    settled(page)
    sign_in(page, "manager", PASSWORDS["manager"])
    heading = page.get_by_role("heading", name="Shift report", exact=True)
    expect(heading).to_be_visible()
    expect(person(page)).to_contain_text("Maya Office")
    settled(page)
    assert sent.frames == 3  # the two presses
    where_it_stands = heading.bounding_box()
    page.reload()
    expect(heading).to_be_visible()
    settled(page)
    assert heading.bounding_box() == where_it_stands


@pytest.mark.long
@pytest.mark.parametrize("milliseconds", [0, 1, 2, 3])
def test_no_press_is_lost_however_soon_the_form_is_used(page: Page, dashboard: Dashboard, milliseconds: int) -> None:
    page.add_init_script(HELD_BACK.replace("MILLISECONDS", str(milliseconds)))
    page.goto(dashboard.url)
    page.get_by_label("Name", exact=True).wait_for()
    page.wait_for_load_state("networkidle")  # all that the page has to say is held back by now
    sign_in(page, "staff", PASSWORDS["staff"])
    expect(person(page)).to_be_visible(timeout=8_000)


@pytest.mark.long
def test_a_click_on_the_menu_right_after_signing_in_is_not_undone(page: Page, dashboard: Dashboard) -> None:
    page.add_init_script(HELD_BACK.replace("MILLISECONDS", "0"))
    page.goto(dashboard.url)
    sign_in(page, "manager", PASSWORDS["manager"])
    person(page).wait_for()
    page.wait_for_load_state("networkidle")
    page.get_by_role("link", name="Connection", exact=True).click()
    expect(page.get_by_role("heading", name="Connection")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", name="Connection")).to_be_visible()
    expect(page).to_have_url(f"{dashboard.url}/connection")


@pytest.mark.long
def test_a_reload_in_the_moment_of_signing_in_keeps_the_person(page: Page, dashboard: Dashboard) -> None:
    page.add_init_script(RELOAD_AT_ONCE)
    page.goto(dashboard.url)
    sign_in(page, "staff", PASSWORDS["staff"])
    page.wait_for_function("() => sessionStorage.reloaded && document.readyState === 'complete'")
    expect(person(page).or_(page.get_by_label("Password", exact=True))).to_be_visible()
    expect(person(page)).to_be_visible(timeout=2_000)


@pytest.mark.long
def test_who_presses_twice_is_signed_in_and_out_as_if_once(page: Page, dashboard: Dashboard) -> None:
    page.goto(dashboard.url)
    sign_in(page, "staff", PASSWORDS["staff"])
    with suppress(PlaywrightTimeoutError):  # the form may be gone already
        page.get_by_label("Password", exact=True).press("Enter", timeout=500)
    expect(person(page)).to_be_visible()
    page.reload()
    person(page).click()
    page.get_by_role("button", name="Sign out").dblclick()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()


def test_a_reload_keeps_the_person_and_a_sign_out_ends_it_in_every_tab(page: Page, dashboard: Dashboard) -> None:
    page.goto(dashboard.url)
    page.get_by_role("button", name="Staff: staff").click()
    expect(person(page)).to_contain_text("Sam Counter")
    settled(page)
    page.reload()
    expect(person(page)).to_be_visible()
    expect(page.locator("iframe")).to_have_count(0)  # the sign-in library's would cost the visit a run more
    assert "warranty_desk" not in page.evaluate("document.cookie + JSON.stringify({...localStorage})")
    second = page.context.new_page()
    second.goto(f"{dashboard.url}/connection")
    expect(second.get_by_role("heading", name="Connection")).to_be_visible()
    cookies = page.context.cookies()
    leave(page)
    for tab in (page, second):  # nothing is pressed in the second one
        sees_the_form_alone(tab)
    page.context.add_cookies(cast(Any, cookies))  # a copy of the cookie, as a thief would keep it
    page.reload()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()


@pytest.mark.long
def test_what_is_typed_while_a_sign_out_elsewhere_comes_is_no_name(
    page: Page, browser: Browser, dashboard: Dashboard
) -> None:
    with browser.new_context() as elsewhere:
        other = elsewhere.new_page()
        for tab in (other, page):
            tab.goto(dashboard.url)
            tab.get_by_role("button", name="Staff: staff").click()
            settled(tab)
        page.get_by_label("First name").fill("Otto")
        page.get_by_label("E-mail or phone").click()
        leave(other)
        for letter in "otto@example.com" * 2:
            page.keyboard.type(letter, delay=150)
            if page.get_by_label("Password", exact=True).is_visible():
                page.keyboard.type("otto@example.com", delay=150)
                break
            page.keyboard.press("Tab")
            page.keyboard.press("Shift+Tab")
        sees_the_form_alone(page)
        expect(page.get_by_label("Name", exact=True)).to_have_value("")


@pytest.mark.long
def test_no_address_is_answered_in_the_platforms_words(page: Page, dashboard: Dashboard) -> None:
    come(page, dashboard, "staff")
    page.goto(f"{dashboard.url}/claim_trends")
    expect(page.get_by_text("Trends is for managers. Ask one, or sign in as one.")).to_be_visible()
    expect(page.get_by_role("link", name="Trends")).to_have_count(0)
    for address in ("nonsense", "Größe 1"):
        page.goto(f"{dashboard.url}/{address}")
        expect(page.get_by_role("heading", name="No such screen")).to_be_visible()
        expect(page.get_by_text("Running the app's main page")).to_have_count(0)
    page.get_by_test_id("stMain").get_by_role("link", name="Open New order").click()
    expect(page.get_by_role("heading", name="New order")).to_be_visible()


@pytest.mark.long
def test_no_fresh_or_restarted_server_shows_a_screen_to_somebody_signed_out(page: Page, tmp_path: Path) -> None:
    """The trap: with pages/ beside the entry script the first visitor would get the screen itself."""
    with Dashboard(tmp_path) as dashboard:
        page.goto(f"{dashboard.url}/claims")
        sees_the_form_alone(page)
        come(page, dashboard, "manager")
        expect(page.get_by_role("link", name="Trends")).to_have_count(1)
        dashboard.kill()
        page.context.clear_cookies()
        dashboard.start()
        sees_the_form_alone(page)

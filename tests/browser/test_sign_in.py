"""Signing in and out, in a real browser."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from components.cookies.names import name_in_browser
from components.navigation import SCREENS
from tests.browser.browser_shop import PASSWORDS
from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard, leave, person

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


def fill_and_press(page: Page, username: str) -> None:
    """As fast as the page allows."""
    page.get_by_label("Name", exact=True).fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORDS[username])
    page.get_by_label("Password", exact=True).press("Enter")


def test_a_deep_link_survives_the_sign_in(page: Page, dashboard: Dashboard) -> None:
    page.goto(f"{dashboard.url}/connection")
    fill_and_press(page, "manager")
    expect(page.get_by_role("heading", name="Connection")).to_be_visible(timeout=20_000)


def test_who_comes_begins_in_the_name_and_a_training_account_signs_in_at_one_press(
    page: Page, dashboard: Dashboard
) -> None:
    page.goto(dashboard.url)
    expect(page.get_by_label("Name", exact=True)).to_be_focused(timeout=20_000)
    expect(page.get_by_role("heading", level=2)).to_have_text("Our shop")
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Manager: manager").click()
    expect(person(page)).to_contain_text("Maya Office", timeout=20_000)
    expect(page.get_by_role("heading", name="Activity")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("link", name="Activity")).to_have_attribute("aria-current", "page")


def test_signing_in_leaves_every_screen_where_it_stands(page: Page, dashboard: Dashboard) -> None:
    page.goto(dashboard.url)
    places = []
    for come in (lambda: fill_and_press(page, "staff"), page.reload):
        come()
        heading = page.get_by_role("heading", name="New order")
        expect(heading).to_be_visible(timeout=20_000)
        expect(page.get_by_label("Password", exact=True)).to_have_count(0)
        main = page.get_by_role("button", name=re.compile("Send order|Next order"))  # what another test left
        expect(main).to_be_visible(timeout=20_000)
        places.append(heading.bounding_box())
    assert places[0] == places[1]


@pytest.mark.parametrize(
    "milliseconds", [1, *(pytest.param(each, marks=pytest.mark.soak) for each in (0, 2, 3))]
)
def test_no_press_is_lost_however_soon_after_the_form_has_appeared(
    page: Page, dashboard: Dashboard, milliseconds: int
) -> None:
    page.add_init_script(HELD_BACK.replace("MILLISECONDS", str(milliseconds)))
    page.goto(dashboard.url)
    page.get_by_label("Name", exact=True).wait_for()
    page.wait_for_load_state("networkidle")  # all that the page has to say is held back by now
    fill_and_press(page, "staff")
    expect(person(page)).to_be_visible(timeout=8_000)


@pytest.mark.soak
def test_a_click_on_the_menu_right_after_signing_in_is_not_undone(page: Page, dashboard: Dashboard) -> None:
    page.add_init_script(HELD_BACK.replace("MILLISECONDS", "0"))
    page.goto(dashboard.url)
    fill_and_press(page, "manager")
    person(page).wait_for()
    page.wait_for_load_state("networkidle")
    page.get_by_role("link", name="Connection", exact=True).click()
    expect(page.get_by_role("heading", name="Connection")).to_be_visible(timeout=20_000)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", name="Connection")).to_be_visible()
    expect(page).to_have_url(f"{dashboard.url}/connection")


def test_while_somebody_signs_in_the_page_says_nothing_by_itself(page: Page, dashboard: Dashboard) -> None:
    said: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: said.append(text)))  # noqa: PLW0108
    page.goto(dashboard.url, wait_until="networkidle")
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    assert len(said) == 1  # the visit
    fill_and_press(page, "manager")
    expect(person(page)).to_be_visible(timeout=20_000)
    page.wait_for_load_state("networkidle")
    assert len(said) == 2  # the press


def test_a_reload_in_the_moment_of_signing_in_keeps_the_person(page: Page, dashboard: Dashboard) -> None:
    page.add_init_script(RELOAD_AT_ONCE)
    page.goto(dashboard.url)
    fill_and_press(page, "staff")
    page.wait_for_function("() => sessionStorage.reloaded && document.readyState === 'complete'")
    expect(person(page).or_(page.get_by_label("Password", exact=True))).to_be_visible(timeout=20_000)
    expect(person(page)).to_be_visible(timeout=2_000)


@pytest.mark.soak
def test_who_presses_twice_is_signed_in_and_out_as_if_once(page: Page, dashboard: Dashboard) -> None:
    page.goto(dashboard.url)
    fill_and_press(page, "staff")
    with suppress(PlaywrightTimeoutError):  # the form may be gone already
        page.get_by_label("Password", exact=True).press("Enter", timeout=500)
    expect(person(page)).to_be_visible(timeout=20_000)
    page.reload()
    person(page).click(timeout=20_000)
    page.get_by_role("button", name="Sign out").dblclick()
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    page.reload()
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)


def test_a_reload_keeps_the_person_and_a_sign_out_ends_it_in_every_tab(
    page: Page, context: BrowserContext, dashboard: Dashboard, sign_in: SignIn
) -> None:
    sign_in(page, dashboard, "staff")
    page.reload()
    expect(person(page)).to_be_visible(timeout=20_000)
    expect(page.locator("iframe")).to_have_count(0)  # the sign-in library's would cost the visit a run more
    second = context.new_page()
    second.goto(f"{dashboard.url}/connection")
    expect(second.get_by_role("heading", name="Connection")).to_be_visible(timeout=20_000)
    cookies = context.cookies()
    leave(page)
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    for tab in (page, second):  # nothing is pressed in the second one
        expect(tab.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
        for screen in SCREENS:
            expect(tab.get_by_text(screen.title, exact=True)).to_have_count(0)
        expect(person(tab)).to_have_count(0)
    context.add_cookies(cast(Any, cookies))  # a copy of the cookie, as a thief would keep it
    page.reload()
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)


def test_a_wrong_password_is_told_beside_the_form_and_five_of_them_make_wait(
    page: Page, dashboard: Dashboard
) -> None:
    page.goto(dashboard.url)

    def try_with(name: str, answer: str) -> None:
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Password", exact=True).fill("wrong-password")
        page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
        expect(page.get_by_text(answer)).to_be_visible()

    page.get_by_label("Password", exact=True).fill("p" * 500)
    page.get_by_label("Name", exact=True).fill("staff")
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(page.get_by_text("Name or password is not right")).to_be_visible()
    try_with("", "Enter your name and your password")
    for _ in range(5):
        try_with("nobody", "Name or password is not right")
        try_with("", "Enter your name and your password")  # another answer between, so that each is seen
    try_with("nobody", "Too many wrong tries")


@pytest.mark.soak
@pytest.mark.parametrize("cookie", ["eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "rubbish", ""])
def test_a_broken_cookie_is_a_sign_in_form(
    page: Page, context: BrowserContext, dashboard: Dashboard, cookie: str
) -> None:
    name = name_in_browser("warranty_desk_sandbox", dashboard.url)
    context.add_cookies([{"name": name, "value": cookie, "url": dashboard.url}])
    page.goto(dashboard.url)
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)


def test_no_address_is_answered_in_the_platforms_words(
    page: Page, dashboard: Dashboard, sign_in: SignIn
) -> None:
    sign_in(page, dashboard, "staff")
    page.goto(f"{dashboard.url}/claim_trends")
    expect(page.get_by_text("Trends is for managers. Ask one, or sign in as one.")).to_be_visible(
        timeout=20_000
    )
    expect(page.get_by_role("link", name="Trends")).to_have_count(0)
    for address in ("nonsense", "Größe 1"):
        page.goto(f"{dashboard.url}/{address}")
        expect(page.get_by_role("heading", name="No such screen")).to_be_visible(timeout=20_000)
        expect(page.get_by_text("Running the app's main page")).to_have_count(0)
    page.get_by_test_id("stMain").get_by_role("link", name="Open New order").click()
    expect(page.get_by_role("heading", name="New order")).to_be_visible(timeout=20_000)


def test_neither_a_fresh_server_nor_one_that_was_restarted_shows_a_screen_to_somebody_signed_out(
    page: Page, tmp_path: Path, sign_in: SignIn
) -> None:
    """The trap: with pages/ beside the entry script the first visitor would get the screen itself."""

    def sees_the_form_alone() -> None:
        expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
        for screen in SCREENS:
            expect(page.get_by_text(screen.title, exact=True)).to_have_count(0)
        expect(person(page)).to_have_count(0)

    with Dashboard(tmp_path) as dashboard:
        page.goto(f"{dashboard.url}/claims")
        sees_the_form_alone()
        sign_in(page, dashboard, "manager")
        expect(page.get_by_role("link", name="Trends")).to_have_count(1)
        dashboard.kill()
        page.context.clear_cookies()
        dashboard.start()
        sees_the_form_alone()

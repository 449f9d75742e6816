"""A registered till in a browser: people switch by five keys or a badge, each sees their own draft, it locks itself."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from components.platform.cookies.names import TILL_COOKIE, name_in_browser
from tests.browser.browser_sale import fill_customer, new_order, scan
from tests.browser.browser_shop import SIZES, Shop, a_new_cookie, come, holds, opened, resize, settled
from tests.dashboard import person
from tests.journals import journal_in
from warranty.people.tills.switching import new_badge_code, pin_of
from warranty.people.tills.tills import Tills

NAMES: Final = {"manager": "Maya Office", "staff": "Sam Counter"}
PINS: Final = {"manager": "8250", "staff": "4716"}
PLACES: Final = {"manager": "1", "staff": "2"}
"""On the pad people stand by their names."""


@dataclass(frozen=True)
class Till:
    page: Page
    badges: dict[str, str]

    def begins_at_the_pad(self) -> None:
        person(self.page).click()
        self.page.get_by_role("button", name="Switch person").click()
        self.asks_who_is_there()

    def asks_who_is_there(self) -> None:
        expect(self.page.get_by_role("heading", name="Who is at this till?")).to_be_visible()
        expect(self.page.get_by_text("Sandbox: for training, nothing is real")).to_be_visible()

    def is_of(self, username: str) -> None:
        expect(person(self.page)).to_contain_text(NAMES[username])

    def by_pin(self, username: str) -> None:
        self.presses("pin", username)
        self.is_of(username)

    def by_badge(self, username: str, *, stalls: float = 0) -> None:
        """As a scanner does, with Shift, from wherever the till is; one may stall for so many milliseconds."""
        self.presses("badge", username, stalls=stalls)
        self.is_of(username)

    def refuses(self, pin: str, *, left: int) -> None:
        self.page.keyboard.type(pin)
        expect(self.page.get_by_text(f"Wrong PIN. Tries left: {left}.", exact=True)).to_be_visible()
        expect(self.page.get_by_role("heading", name="PIN of Sam Counter")).to_be_visible()
        expect(self.page.locator(".dots")).to_have_text("○○○○")

    def presses(self, how: str, username: str, *, stalls: float = 0) -> None:
        """The keys of a switch, to the server's answer; the screen that follows is not there yet."""
        with self.page.expect_response("**/till/switch"):
            if how == "pin":
                for key in PLACES[username] + PINS[username]:
                    self.page.keyboard.press(key)
            else:
                badge = self.badges[username]
                for part in (badge[:2], badge[2:8]):  # before it is known for a badge, and after
                    for letter in part[:-1]:
                        self.page.keyboard.press(f"Shift+{letter}" if letter.isalpha() else letter)
                    self.page.keyboard.press(part[-1], delay=stalls)
                self.page.keyboard.type(badge[8:])
                self.page.keyboard.press("Enter")


@contextmanager
def tills_of(shop: Shop) -> Iterator[Tills]:
    with journal_in(shop.dashboard.data_dir) as journal:
        yield Tills(journal.database, "sandbox")


@pytest.fixture
def till(page: Page, shop: Shop) -> Till:
    badges = {username: new_badge_code() for username in NAMES}
    with tills_of(shop) as tills:
        _, key = tills.register("Front", "manager")
        for username, badge in badges.items():
            tills.set_pin(username, pin_of(PINS[username]))
            tills.issue_badge(username, badge, by="manager")
    url = shop.dashboard.url
    page.context.add_cookies([{"name": name_in_browser(TILL_COOKIE, url), "value": key, "url": url}])
    page.goto(shop.dashboard.url)
    made = Till(page, badges)
    made.asks_who_is_there()
    return made


def pass_time(page: Page, seconds: float) -> None:
    page.clock.fast_forward(round(seconds * 1000))


def test_people_switch_by_pin_or_badge_each_to_their_own_draft_and_a_till_locks_itself(page: Page, till: Till) -> None:
    for size in reversed(SIZES):
        resize(page, size)
        for name in NAMES.values():
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    page.clock.install()
    page.keyboard.press(PLACES["staff"])
    till.refuses("9999", left=4)
    page.keyboard.type(PINS["staff"])
    till.is_of("staff")
    new_order(page)
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("First name").press("Tab")
    settled(page)
    page.get_by_label("E-mail").click()
    till.by_badge("manager")
    settled(page)
    page.get_by_role("link", name="New order").click()
    holds(page, "First name", "")
    page.get_by_label("E-mail").click()
    till.by_badge("staff", stalls=900)
    holds(page, "First name", "Ada")
    holds(page, "E-mail or phone", "")  # no letter of a badge went where it was scanned
    pass_time(page, 41)
    till.asks_who_is_there()
    page.keyboard.press(PLACES["staff"])
    for left in (4, 3, 2, 1):
        till.refuses("9999", left=left)
    page.keyboard.type("9999")
    locked = "This pad is locked after five wrong tries. A sign-in with a password opens it again."
    expect(page.get_by_role("heading", name=locked)).to_be_visible()
    expect(page.get_by_text(re.compile("Wrong PIN|wrong tries"))).to_have_count(1)


@pytest.mark.long
def test_a_till_is_registered_by_the_screen_and_locks_sooner_after_a_sale(page: Page, shop: Shop) -> None:
    page.clock.install()
    come(page, shop.dashboard, "manager", "connection")
    page.get_by_text("Tills and badges").click()
    page.get_by_label("Name of this till").fill("Back")
    with a_new_cookie(page):
        page.get_by_role("button", name="Register this computer as a till").click()
    expect(page.get_by_text("This computer is the till Back from the next time")).to_be_visible()
    settled(page)
    page.get_by_role("combobox", name="Badge for").click()
    page.get_by_role("option", name=NAMES["staff"]).click()
    settled(page)
    page.get_by_role("button", name="Issue a new badge").click()
    expect(page.get_by_text(f"Print this code for {NAMES['staff']} now")).to_be_visible()
    code = page.get_by_role("group").filter(has_text="Tills and badges").get_by_test_id("stCode")
    till = Till(page, {"staff": code.inner_text().strip()})
    settled(page)
    page.get_by_role("button", name="I have printed it").click()
    expect(code).to_have_count(0)
    person(page).click()
    page.get_by_role("button", name="My PIN").click()
    dialog = opened(page)
    own, guessed = PINS["manager"], ("1234", "1234", "Others would guess this PIN")
    for pin, once_more, said in (guessed, (own, "9999", "The two are not the same"), (own, own, "")):
        settled(page)
        dialog.get_by_label("New PIN", exact=True).fill(pin)
        dialog.get_by_label("Repeat new PIN").fill(once_more)
        dialog.get_by_role("button", name="Set PIN").click()
        if said:
            expect(dialog.get_by_text(said)).to_be_visible()
    expect(page.get_by_text("Your PIN is set.")).to_be_visible()
    page.goto(shop.dashboard.url)
    till.begins_at_the_pad()
    till.by_badge("staff")
    # After a sale the screen locks, sooner than where nothing was sent, and by nobody's touch.
    new_order(page)
    scan(page, "LAMP-ARC")
    fill_customer(page)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_role("button", name="Next order")).to_be_visible()
    settled(page)
    pass_time(page, 16)
    till.asks_who_is_there()

"""Ten jobs of staff and managers, done by one hand: by keys and mouse, or on a phone with a thumb.

A key takes 150 ms and a click one second (the way to it and the press), the scanner types as fast as it can and counts
for nothing. A list that is opened and chosen from are two clicks, keys that are pressed together are one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_sale import ADDRESS
from tests.browser.browser_shop import Shop, come, settled
from tests.browser.claims_shop import open_cell
from tests.dashboard import ROOT

_KEY: Final = 150
_CLICK: Final = 1_000
_SLOW: Final = 60_000
_EXPORT: Final = ROOT / "tests" / "warranty" / "files" / "data" / "shop_orders_export.csv"


@dataclass
class Hand:
    """Who does a job, as fast as a person does it; counts what it does."""

    page: Page
    slip: str
    """The id of an order that the service has, as a customer brings it."""
    clicks: int = 0
    keys: int = 0

    def begins(self, job: "Job", shop: Shop) -> None:
        """At the job's screen, with nothing on it."""
        come(self.page, shop.dashboard, job.person, job.screen)
        _sees(self.page.get_by_role("heading", level=1))
        settled(self.page)
        finished = self.page.get_by_role("button", name=re.compile("^(Next order|Next sale|New import|Put aside)"))
        if finished.count():
            finished.first.click()
            settled(self.page)

    def scan(self, code: str) -> None:
        """Into the field that the screen begins in."""
        expect(self.page.locator("input:focus")).to_have_count(1, timeout=_SLOW)
        self.page.keyboard.type(code)
        self.page.keyboard.press("Enter")

    def type(self, text: str) -> None:
        self.page.keyboard.type(text, delay=_KEY)
        self.keys += len(text)

    def press(self, key: str) -> None:
        self.page.wait_for_timeout(_KEY)
        self.page.keyboard.press(key)
        self.keys += 1

    def click(self, what: Locator) -> None:
        self.page.wait_for_timeout(_CLICK)
        what.click(timeout=_SLOW)
        self.clicks += 1

    def cell(self, row: int) -> None:
        """Of a table that takes texts."""
        open_cell(self.page, row)
        self.clicks, self.keys = self.clicks + 1, self.keys + 1

    def choose(self, menu: str, option: str) -> None:
        self.click(self.page.get_by_role("combobox", name=menu, exact=True))
        self.click(self.page.get_by_role("option", name=option, exact=True))

    def last_of_a_list(self, text: str) -> None:
        """The last thing to enter: what sends takes it."""
        self.type(text)

    def send(self) -> None:
        """What the main button does."""
        self.press("Control+Enter")

    def pick(self, choices: Locator) -> None:
        """The first of a row of buttons."""
        while not choices.first.evaluate("radio => radio === document.activeElement"):
            self.press("Tab")
        self.press("ArrowRight")
        self.press("Space")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)


class Thumb(Hand):
    """On a phone, which has no mouse and no Tab, and takes no time: what it does is not timed."""

    def scan(self, code: str) -> None:
        settled(self.page)
        if not self.page.locator("input:focus").count():
            self.page.locator("[data-testid=stMain] input[type=text] >> visible=true").first.tap()
        super().scan(code)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        assert key == "Enter", f"a phone has no {key}"
        super().press(key)

    def click(self, what: Locator) -> None:
        settled(self.page)  # a run that comes late closes a list
        what.tap(timeout=_SLOW)
        settled(self.page)
        self.clicks += 1

    def cell(self, row: int) -> None:
        for _tap in range(2):  # the second one opens it, and brings the keys
            self.page.get_by_test_id("stDataFrame").first.tap(position={"x": 200, "y": 52 + 35 * row})
            settled(self.page)
        expect(self.page.locator("textarea:focus")).to_have_count(1)

    def last_of_a_list(self, text: str) -> None:
        super().last_of_a_list(text)
        self.press("Enter")  # a tap elsewhere would leave the list as it was

    def send(self) -> None:
        self.click(self.page.locator(".st-key-main-action button"))

    def pick(self, choices: Locator) -> None:
        self.click(choices.first)


def _sees(what: Locator) -> None:
    expect(what.first).to_be_visible(timeout=_SLOW)


def two_scanned_items_to_a_link(hand: Hand) -> None:
    expect(hand.page.get_by_label("Scan or type a SKU")).to_be_visible(timeout=_SLOW)
    for code in ("TV-55-OLED", "HEAD-NC"):
        hand.scan(code)
    _from_the_basket_to_the_link(hand)


def two_typed_items_to_a_link(hand: Hand) -> None:
    expect(hand.page.get_by_label("Scan or type a SKU")).to_be_focused(timeout=_SLOW)
    for code in ("TV-55-OLED", "HEAD-NC"):
        hand.type(code)
        hand.press("Enter")
    _from_the_basket_to_the_link(hand)


def _from_the_basket_to_the_link(hand: Hand) -> None:
    field = hand.page.get_by_label("Scan or type a SKU")
    expect(field).to_be_focused(timeout=_SLOW)
    expect(field).to_have_value("", timeout=_SLOW)  # Enter in a field that holds a code adds it
    for typed, leads_to in (("", "First name"), ("Zoë", "E-mail or phone")):
        hand.type(typed)
        hand.press("Enter")
        expect(hand.page.get_by_label(leads_to)).to_be_focused(timeout=_SLOW)
    hand.type("zoe@example.com")
    state = hand.page.get_by_label("State")
    if not state.input_value():  # a store may have said its own
        hand.press("Enter")
        expect(state).to_be_focused(timeout=_SLOW)
        hand.last_of_a_list("NY")
    hand.send()
    _sees(hand.button("Copy link"))


def an_old_slip_to_a_recorded_plan(hand: Hand) -> None:
    hand.scan(hand.slip)
    plans = hand.page.get_by_role("radiogroup", name="Term").first.get_by_role("radio")
    _sees(plans)
    hand.pick(plans)
    _sees(hand.page.get_by_role("button", name=re.compile(r"Record sale, [0-9.]+ USD")))
    hand.send()
    _sees(hand.page.get_by_text("Recorded. Warranty order"))


def the_link_of_an_order_of_before_on_the_clipboard(hand: Hand) -> None:
    hand.click(hand.page.get_by_text("Recent orders"))
    hand.click(hand.button("Open order: ").first)
    hand.click(hand.button("Copy link"))
    _sees(hand.page.get_by_text("Copied", exact=True))


def a_checkout_told_for_an_order_of_before(hand: Hand) -> None:
    hand.click(hand.page.get_by_label("Order number", exact=True))
    hand.scan(hand.slip)
    plans = hand.page.get_by_role("radiogroup", name="Term").first.get_by_role("radio")
    _sees(plans)
    hand.pick(plans)
    for label, text in ADDRESS.items():
        hand.click(hand.page.get_by_label(label, exact=True))
        hand.type(text)
    hand.click(hand.page.get_by_role("combobox", name="State"))
    hand.type("NY")
    hand.press("Enter")
    hand.send()
    _sees(hand.page.get_by_text("The checkout went through"))


def sixty_orders_of_a_file_sent(hand: Hand) -> None:
    hand.page.locator("input[type=file]").set_input_files(_EXPORT)
    hand.clicks += 2  # the button, and the file in the system's own window
    _sees(hand.page.get_by_text("40 ready, 16 to correct, 4 left out"))
    hand.click(hand.page.get_by_role("combobox", name=re.compile("State for orders to France")))
    hand.type("Île-de")
    hand.press("Enter")
    _sees(hand.page.get_by_text("55 ready, 1 to correct"))
    hand.cell(0)
    hand.type("ada@example.com")
    hand.press("Enter")
    _sees(hand.page.get_by_text("56 ready, 0 to correct"))
    hand.click(hand.button("Send 56 orders"))
    _sees(hand.page.get_by_text("orders are stored."))


def how_many_claims_last_month_which_product_and_is_it_more(hand: Hand) -> None:
    _sees(hand.page.get_by_text("Claims last month"))
    _sees(hand.page.get_by_role("figure", name=re.compile("^Products with the most claims")))


def the_claims_that_are_open_longest(hand: Hand) -> None:
    hand.click(hand.button("List them, oldest first"))
    _sees(hand.page.get_by_role("heading", name="Claims", exact=True))


def everything_of_one_customer(hand: Hand) -> None:
    expect(hand.page.get_by_label("Customer's e-mail")).to_be_attached(timeout=_SLOW)
    folded = hand.page.locator(".st-key-claims-fold label")  # on a phone
    if folded.is_visible():
        hand.click(folded)
    hand.click(hand.page.get_by_label("Customer's e-mail"))
    hand.type("ada.byron@example.com")
    hand.press("Enter")
    _sees(hand.page.get_by_text("complete: "))
    settled(hand.page)


def the_claims_of_the_last_quarter_as_a_file(hand: Hand) -> None:
    hand.choose("Claim date", "Last quarter")
    _sees(hand.page.get_by_text("complete: "))
    hand.click(hand.button("Export"))
    with hand.page.expect_download():
        hand.click(hand.page.get_by_role("button", name="Download CSV", exact=True))


@dataclass(frozen=True)
class Job:
    """A job, who does it where, and what it cost before: clicks, keys, seconds."""

    do: Callable[[Hand], None]
    person: str
    screen: str
    before: tuple[int, int, float]
    goal: tuple[int, float] | None = None
    """The keys and the seconds that were asked for."""


JOBS: Final = (
    Job(two_scanned_items_to_a_link, "staff", "submit_order", (0, 33, 10.5), (22, 5.0)),
    Job(two_typed_items_to_a_link, "staff", "submit_order", (0, 52, 11.7), (40, 7.5)),
    Job(an_old_slip_to_a_recorded_plan, "staff", "record_sale", (0, 5, 3.3), (4, 3.0)),
    Job(the_link_of_an_order_of_before_on_the_clipboard, "staff", "submit_order", (3, 0, 3.9), (0, 2.0)),
    Job(a_checkout_told_for_an_order_of_before, "staff", "notify_checkout", (9, 60, 24.3)),
    Job(sixty_orders_of_a_file_sent, "staff", "import_orders", (5, 23, 18.8)),
    Job(how_many_claims_last_month_which_product_and_is_it_more, "manager", "overview", (1, 0, 3.7)),
    Job(the_claims_that_are_open_longest, "manager", "overview", (2, 0, 4.8)),
    Job(everything_of_one_customer, "manager", "claims", (1, 22, 5.2), (22, 8.0)),
    Job(the_claims_of_the_last_quarter_as_a_file, "manager", "claims", (2, 0, 6.2)),
)

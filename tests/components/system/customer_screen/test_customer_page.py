"""The customer's page as a browser asks for it, from any desk of the journal, and what is shown on it."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
import streamlit as st
from starlette.applications import Starlette

from components.system.customer_screen.page import customer_routes
from components.system.customer_screen.shown import (
    MOST_LINES,
    ShownItem,
    ShownPlan,
    basket,
    link,
    offered_plans,
    plans,
    tell,
)
from tests.builders import STAFF
from tests.components.platform.serving.asked import answers
from tests.journals import empty_journal
from tests.warranty.conftest import Clock
from warranty.access import Role
from warranty.client.resources.purchase_warranties import Offer, PurchasableLineItem, PurchaseWarranties
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.errors import JournalUnavailable
from warranty.people.accounts.people import Account, Accounts
from warranty.people.tills.customer_screens import CustomerScreens
from warranty.people.tills.tills import Tills
from warranty.settings import Settings

ADA, BOB = (Account(name, name.title(), Role.STAFF, "") for name in ("ada", "bob"))
TV = basket([ShownItem("55in OLED TV", 1, Decimal("899.00"))], currency="USD")
LAMP = basket([ShownItem("Arc floor lamp", 2, Decimal("89.50"))], currency="USD")


SETTINGS = cast(Settings, SimpleNamespace(shop_name="Café Zoë", environment="production"))


class Browser:
    def __init__(self, at: CustomerScreens, cookies: dict[str, str]) -> None:
        self._page = Starlette(routes=customer_routes(lambda: at, SETTINGS))
        self.cookies = cookies

    def get(self, path: str, method: str = "GET", **headers: str) -> httpx.Response:
        (answer,) = answers(self._page, path, method=method, headers=headers, cookies=self.cookies)
        self.cookies |= dict(answer.cookies)
        return answer


class Shop:
    def __init__(self, url: str) -> None:
        self.url = url
        self.clock = Clock()
        self.signed_out: dict[str, datetime] = {}
        self.journals: list[Journal] = []
        self.desk = self.another_desk()

    def another_desk(self) -> CustomerScreens:
        self.journals.append(open_journal(self.url))
        accounts = lambda: Accounts({"ada": ADA, "bob": BOB}, "", self.signed_out)  # noqa: E731
        desk = CustomerScreens(self.journals[-1].database, "sandbox", accounts=accounts)
        desk._now = lambda connection: self.clock()  # type: ignore[method-assign]
        return desk

    def browser(self, **cookies: str) -> Browser:
        return Browser(self.desk, cookies)

    def screen_of(self, username: str) -> Browser:
        browser = self.browser()
        assert self.desk.pair(told(browser)["code"], username)
        return browser


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(empty_journal(tmp_path / "journal.sqlite"))
    yield made
    for journal in made.journals:
        journal.close()


def told(browser: Browser) -> Any:
    return browser.get("/customer/now").raise_for_status().json()


def test_a_screen_shows_a_code_and_once_that_is_typed_at_the_counter_the_basket(shop: Shop) -> None:
    browser = shop.browser()
    code = told(browser)["code"]
    assert len(code) == 6
    assert shop.desk.pair(f" {code[:3].lower()} {code[3:].lower()} ", "ada")
    assert told(browser) | {"version": ""} == {"shop": "Café Zoë", "code": "", "shown": None, "version": ""}
    shop.desk.show("ada", TV)
    assert told(browser)["shown"] == TV
    assert browser.get(f"/customer/now?seen={told(browser)['version']}").status_code == 204
    shop.desk.show("ada", None)
    assert told(browser)["shown"] is None


def test_two_screens_see_what_their_own_person_sells_also_by_another_desk_when_the_first_has_gone(shop: Shop) -> None:
    first, second, third = shop.screen_of("ada"), shop.screen_of("bob"), shop.browser()
    assert told(third)["code"] != told(shop.browser())["code"]
    shop.desk.show("ada", TV)
    shop.desk.show("bob", LAMP)
    assert (told(first)["shown"], told(second)["shown"], told(third)["shown"]) == (TV, LAMP, None)
    browser = shop.screen_of("ada")
    shop.desk.show("ada", TV)
    shop.journals[0].close()
    shop.desk = shop.another_desk()
    assert told(shop.browser(**browser.cookies))["shown"] == TV


def test_a_screen_that_is_taken_away_shows_a_code_again_and_nothing_else(shop: Shop) -> None:
    browser = shop.browser()
    before = told(browser)["code"]
    shop.desk.pair(before, "ada")
    shop.desk.show("ada", TV)
    shop.desk.disconnect("ada")
    after = told(browser)
    assert (len(after["code"]), after["shown"]) == (6, None)
    assert after["code"] != before
    shop.desk.show("ada", TV)
    assert told(browser)["shown"] is None
    shop.desk.pair(after["code"], "bob")
    assert browser.get("/customer/leave", "POST").status_code == 204  # at the screen itself
    assert told(browser)["code"]
    assert shop.desk.count("ada") == 0


@pytest.mark.parametrize("ends", ["locked", "switched", "the same person again", "withdrawn"])
def test_a_screen_at_a_till_ends_with_the_till_and_shows_what_is_sold_there_alone(shop: Shop, ends: str) -> None:
    tills = Tills(shop.journals[0].database, "sandbox")
    front, back = (tills.register(name, "mo")[0].till_id for name in ("Front", "Back"))
    screens = {}
    for till in (front, back):
        tills.switch(till, "ada", "pin")
        screens[till] = shop.browser()
        assert shop.desk.pair(told(screens[till])["code"], "ada", till)
    shop.desk.show("ada", TV, front)
    shop.desk.show("ada", LAMP, back)
    assert [told(screens[till])["shown"] for till in (front, back)] == [TV, LAMP]
    if ends == "locked":
        tills.lock(front)
    elif ends == "withdrawn":
        tills.revoke(front)
    else:
        tills.switch(front, "bob" if ends == "switched" else "ada", "pin")
    shop.desk.show("ada", TV, front)
    assert (told(screens[front])["code"] != "", told(screens[front])["shown"]) == (True, None)
    assert told(screens[back])["shown"] == LAMP


def test_whoever_signs_out_anywhere_or_goes_home_leaves_no_screen_behind(shop: Shop) -> None:
    browser = shop.screen_of("ada")
    shop.desk.show("ada", TV)
    shop.clock.advance(timedelta(hours=1))
    shop.signed_out["ada"] = shop.clock()
    assert (told(browser)["code"] != "", told(browser)["shown"]) == (True, None)
    shop.desk.pair(told(browser)["code"], "bob")
    shop.clock.advance(timedelta(hours=13))
    assert told(browser)["code"]


def test_what_nobody_works_at_ends_by_itself_and_so_does_a_code(shop: Shop) -> None:
    browser = shop.browser()
    old = told(browser)["code"]
    shop.clock.advance(timedelta(minutes=6))
    assert not shop.desk.pair(old, "ada")
    new = told(browser)["code"]
    assert new != old
    assert shop.desk.pair(new, "ada")
    assert not shop.desk.pair(new, "bob")  # it is used up
    shop.desk.show("ada", TV)
    shop.clock.advance(timedelta(minutes=11))
    assert told(browser) == told(browser) | {"code": "", "shown": None}


def test_an_empty_code_or_one_of_another_environment_pairs_nothing(shop: Shop) -> None:
    code = told(shop.browser())["code"]
    assert [shop.desk.pair(wrong, "ada") for wrong in ("", " ", "-", "%", code[:5])] == [False] * 5
    with closing(open_journal(shop.url)) as journal:
        elsewhere = CustomerScreens(journal.database, "production", accounts=lambda: Accounts({"ada": ADA}, ""))
        assert not elsewhere.pair(code, "ada")
    assert shop.desk.pair(code, "ada")


def test_a_browser_that_keeps_no_cookie_cannot_fill_the_journal(shop: Shop) -> None:
    assert [shop.browser().get("/customer/now").status_code for _ in range(22)] == [200] * 20 + [429] * 2


def test_the_link_comes_as_a_picture_and_the_secret_as_a_cookie_that_no_script_reads(shop: Shop) -> None:
    browser = shop.browser()
    by_tls = {"X-Forwarded-Proto": "https"}
    first = browser.get("/customer/now", **by_tls)
    cookie = first.headers["set-cookie"]
    assert all(word in cookie for word in ("__Host-", "HttpOnly", "Secure", "SameSite=strict", "Path=/;", "Max-Age="))
    (secret,) = browser.cookies.values()
    assert secret not in first.text
    shop.desk.pair(first.json()["code"], "ada")
    url = "https://landing.example/carts/r/checkout/o-1"
    shop.desk.show("ada", link(url, [], [], currency="USD", works_later=False))
    answer = browser.get("/customer/now", **by_tls)
    assert answer.json()["shown"]["picture"].startswith("data:image/svg+xml")
    assert url not in answer.text


@pytest.mark.parametrize("path", ["/customer", "/customer/page.css", "/customer/page.js"])
def test_the_page_runs_its_own_script_and_no_other(shop: Shop, path: str) -> None:
    answer = shop.browser().get(path).raise_for_status()
    assert "script-src 'self'; style-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert not answer.cookies


TVS, LAMPS = ShownItem("TV", 2, Decimal("899.00")), ShownItem("Lamp", 3, Decimal("89.50"))
CARE = ShownPlan("TV", 24, "Accident", Decimal("79.99"), units=2)


def made(shown: Any) -> dict[str, Any]:
    assert shown is not None
    return dict(shown)


def test_a_sum_is_of_all_units_none_while_a_price_is_unknown_and_of_a_long_basket_the_newest_lines_are_shown() -> None:
    both = made(basket([TVS, LAMPS], currency="USD"))
    assert (both["count"], both["total"]) == (5, "2066.50")
    unknown = made(basket([TVS, ShownItem("Cable", 1, None)], currency="USD"))
    assert (unknown["count"], unknown["total"], unknown["items"][1]["price"]) == (3, None, None)
    assert made(plans([CARE, CARE], currency="USD", sold=False))["total"] == "319.96"
    assert [made(plans([CARE], currency="USD", sold=sold))["kind"] for sold in (True, False)] == ["sold", "plans"]
    assert basket([], currency="USD") is None
    assert plans([], currency="USD", sold=True) is None
    many = [ShownItem(f"Item {place}", 1, Decimal(1)) for place in range(MOST_LINES + 2)]
    shown = made(basket(many, currency="USD"))
    assert [item["name"] for item in shown["items"]] == [item.name for item in many[2:]]
    assert (shown["count"], shown["total"]) == (MOST_LINES + 2, f"{MOST_LINES + 2}.00")


def test_plans_that_were_bought_are_offered_no_more() -> None:
    prices = ("39.99", "79.99", "9.99")
    bought, still, other = (
        Offer(warranty_offer_id=name, warranty_duration=months, warranty_price=Decimal(price), status=status)
        for name, months, price, status in zip("abc", (12, 24, 36), prices, ("bought", "unsold", None), strict=True)
    )
    tv = PurchasableLineItem(line_item_id=1, product_title="TV", offers=(bought, still))
    lamp = PurchasableLineItem(line_item_id=2, product_id="LAMP", offers=(other,))
    offered = offered_plans(PurchaseWarranties(order_id="o-1", line_items=(tv, lamp)))
    assert [(plan.name, plan.months) for plan in offered] == [("TV", 24), ("LAMP", 36)]
    shown = link("https://landing.example/o-1", [TVS], offered, currency="USD", works_later=True)
    assert [plan["price"] for plan in made(shown)["plans"]] == ["79.99", "9.99"]
    assert shown["later"] is True
    assert offered_plans(None) == []


class Screens:
    def __init__(self) -> None:
        self.connected, self.away = 1, False
        self.told: list[Any] = []

    def count(self, _username: str, _till_id: str) -> int:
        if self.away:
            raise JournalUnavailable("away")
        return self.connected

    def show(self, _username: str, shown: Any, _till_id: str) -> None:
        self.told.append(shown)


def test_a_tab_tells_what_is_new_once_and_ends_only_what_it_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    screens: Any = Screens()
    tell(screens, STAFF, None)
    assert screens.told == [], "another tab of the person may be at a basket"
    first, second = basket([TVS], currency="USD"), basket([TVS, LAMPS], currency="USD")
    screens.connected = 0
    tell(screens, STAFF, first)
    screens.connected, screens.away = 1, True
    tell(screens, STAFF, first)
    assert screens.told == []
    screens.away = False
    for shown in (first, first, second):
        tell(screens, STAFF, shown)
    assert screens.told == [first, second]
    tell(screens, STAFF, None, ends=("link",))
    assert screens.told == [first, second]
    tell(screens, STAFF, None, ends=("link", "basket"))
    assert screens.told == [first, second, None]

"""Secrets and a customer are planted, every screen is driven by every role, and all that left or stayed is searched.

What may be found where: the customer in what the person gets who typed it, in the service's answers to who may read
claims, and nowhere else once all is settled; a token, a password or a key of the settings nowhere at all.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect
from sqlalchemy import insert

from components.navigation import SCREENS
from components.platform.cookies.names import TILL_COOKIE, name_in_browser
from tests.browser.browser_sale import choose_state, fill_address, scan
from tests.browser.browser_shop import Shop, come, running_shop, settled, type_into
from tests.builders import ADMINISTRATOR, MANAGER, STAFF, TV, may_sign_in, order_of, seen_by
from tests.dashboard import ROOT
from tests.journals import journal_in
from warranty.access import Operator
from warranty.database.preferences import hash_of_secret
from warranty.people.accounts.people import People
from warranty.people.accounts.tables import RECOVERY_CODES, SECOND_FACTORS
from warranty.people.tills.switching import new_badge_code, pin_of
from warranty.people.tills.tills import Tills

pytestmark = pytest.mark.long
AUDIT_SECRET: Final = "planted-secret-of-the-audit-trail-0123456789"
OTHERS_PASSWORD: Final = "planted-password-of-eve"
PIN: Final = "835092"
RECOVERY_CODE: Final = "planted-recovery-code"
TOTP_SECRET: Final = "PLANTEDSECRET234567PLANTEDSECRET"
EMAIL: Final = "planted.mail@example.com"
PHONE: Final = "+1 212 555 0147"
ADDRESS: Final = {
    "First name": "Plantedfirst", "Last name": "Plantedlast", "E-mail": EMAIL, "Street and number": "77 Planted Street",
    "ZIP or postal code": "10001", "City": "Plantedtown",
}  # fmt: skip
CUSTOMER: Final = (
    re.compile(rb"Plantedfirst"), re.compile(rb"Plantedlast"), re.compile(rb"planted\.mail", re.IGNORECASE),
    re.compile(rb"555.{0,3}0147"), re.compile(rb"77 Planted Street"), re.compile(rb"Plantedtown"),
)  # fmt: skip
CLAIMANT: Final = re.compile(rb"planted\.claim|555.{0,3}0188")
"""What a customer wrote into a claim, which is the service's word to who may read claims."""
EXPORT: Final = ROOT / "tests" / "warranty" / "files" / "data" / "shop_orders_export.csv"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    may_sign_in(tmp_path, "eve", name="Eve", password=OTHERS_PASSWORD)
    with running_shop(tmp_path, WARRANTY_AUDIT_SECRET=AUDIT_SECRET) as running:
        written = "Write to planted.claim@example.com or call +1 212 555 0188."
        claim = {"customer_email": EMAIL, "description": written, "claim_date": "2026-11-20T12:00:00.000000"}
        running.sandbox.add_claims([{"order_id": "0" * 32, **claim}])
        yield running


class Tab:
    def __init__(self, browser: Browser, shop: Shop, operator: Operator) -> None:
        self.operator, self.got, self._shop = operator, [b""], shop
        self.page = browser.new_context(locale="en-GB").new_page()
        self.page.on("websocket", self._listen)
        self.page.on("request", lambda asked: self.got.append(asked.url.encode()))
        come(self.page, shop.dashboard, operator.username)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda told: self.got.append(told if isinstance(told, bytes) else told.encode()))

    def open(self, screen: str, query: str = "") -> Page:
        self.page.goto(f"{self._shop.dashboard.url}/{screen}?{query}")
        expect(self.page.get_by_role("heading", level=1).first).to_be_visible()
        settled(self.page)
        return self.page

    def looks_everywhere(self) -> None:
        for screen in filter(seen_by(self.operator), SCREENS):
            page = self.open(screen.name, "period=all" if "claim" in screen.name else "")
            for _ in range(2):  # and what is folded away in that
                folded = page.locator("details:not([open]) > summary >> visible=true")
                folded.evaluate_all("(all) => all.forEach((each) => each.click())")
                settled(page)
            if "claim" in screen.name:
                expect(page.get_by_text("complete: ").first).to_be_visible()

    def takes(self, button: str) -> None:
        with self.page.expect_download() as waiting:
            self.page.get_by_role("button", name=button, exact=True).click()
        self.got.append(Path(waiting.value.path()).read_bytes())

    @property
    def everything(self) -> bytes:
        return b"\n".join(self.got)


def switches_at_a_till(shop: Shop, folder: Path) -> dict[str, str]:
    """Eve's PIN, her badge and the key of a till, each used there by a program; what they are, by their names."""
    with journal_in(folder) as journal:
        tills = Tills(journal.database, "sandbox")
        badge, (_, key) = new_badge_code(), tills.register("Front", "manager")
        tills.set_pin("eve", pin_of(PIN))
        tills.issue_badge("eve", badge, by="manager")
        with journal.database.write() as connection:
            factor = {"secret": TOTP_SECRET, "last_step": 0, "set_up_at": journal.database.clock()}
            connection.execute(insert(SECOND_FACTORS), {"username": "eve", **factor})
            code = {"username": "eve", "code_hash": hash_of_secret(RECOVERY_CODE)}
            connection.execute(insert(RECOVERY_CODES), code)
    url = shop.dashboard.url
    headers = {"Origin": url, "Cookie": f"{name_in_browser(TILL_COOKIE, url)}={key}"}
    for said in ({"person": "eve", "pin": PIN}, {"badge": badge}):
        assert httpx.post(f"{url}/till/switch", json=said, headers=headers, timeout=60).status_code == 200
    return {"PIN": PIN, "badge": badge, "key of a till": key, "recovery code": RECOVERY_CODE}


def sells_all_day(tab: Tab, shop: Shop) -> None:
    page = tab.open("submit_order")
    page.get_by_label("Scan or type a SKU").click()
    scan(page, "TV-55-OLED")
    type_into(page, "First name", "Plantedfirst")
    type_into(page, "E-mail or phone", EMAIL)
    page.get_by_text("More", exact=True).first.click()
    type_into(page, "Phone", PHONE)
    choose_state(page)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_role("button", name="Next order")).to_be_visible()
    page = tab.open("import_orders")
    page.locator("input[type=file]").set_input_files(
        files={"name": "orders.csv", "mimeType": "text/csv", "buffer": planted_export()}
    )
    page.get_by_role("button", name="Send 1 order").click()
    expect(page.get_by_text("1 of 1 order is stored.")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="New import").click()
    page.get_by_role("button", name="Yes, begin a new import").click()
    expect(page.get_by_role("button", name="Template with examples")).to_be_visible()
    page = tab.open("claims", "period=all")
    type_into(page, "Customer's e-mail", EMAIL)
    expect(page.get_by_text("complete: 1 of 1").first).to_be_visible()
    order = order_of(TV)
    shop.client.submit_order(order)
    page = tab.open("notify_checkout")
    type_into(page, "Order number", order.order_id)
    page.get_by_role("radio", name="24 months").click()
    fill_address(page, ADDRESS)
    shop.sandbox.add_fault(operation="notify_checkout", kind="drop_after_write")
    page.get_by_role("button", name="Send checkout").click()
    expect(page.get_by_text("We don't know yet if this checkout went through")).to_be_visible()


def planted_export() -> bytes:
    heading, first = EXPORT.read_text("utf-8").splitlines()[:2]
    for theirs, ours in {
        "customer0@example.com": EMAIL, "Dana Whitfield": "Plantedfirst Plantedlast",
        "1 Main St": "77 Planted Street", "Brooklyn": "Plantedtown", "+1 212-555-0100": PHONE,
    }.items():  # fmt: skip
        assert theirs in first
        first = first.replace(theirs, ours)
    return f"{heading}\n{first}\n".encode()


def settles(tab: Tab) -> None:
    page = tab.open("notify_checkout")
    page.get_by_role("button", name="The e-mail came: it went through").click()
    page.get_by_role("button", name="Yes, the e-mail came: it went through").click()
    expect(page.get_by_text("The checkout went through")).to_be_visible()
    settled(page)


def kept(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*"), reverse=True) if path.is_file())


def found(content: bytes, *patterns: re.Pattern[bytes]) -> set[bytes]:
    return {match for pattern in patterns for match in pattern.findall(content)}


@pytest.mark.timeout(600)
def test_no_secret_is_found_and_customers_where_a_role_may_see(browser: Browser, shop: Shop, tmp_path: Path) -> None:
    staff, manager, administrator = (Tab(browser, shop, who) for who in (STAFF, MANAGER, ADMINISTRATOR))
    of_the_till = switches_at_a_till(shop, tmp_path)
    sells_all_day(staff, shop)
    assert found(kept(tmp_path), *CUSTOMER)  # what could still have to be sent again is kept
    for tab in (staff, manager, administrator):
        tab.looks_everywhere()
    settles(staff)
    for tab, screen, press in ((manager, "claims", "Export"), (manager, "activity", ""), (administrator, "audit", "")):
        page = tab.open(screen, "period=all" if screen == "claims" else "")
        if press:
            page.get_by_role("button", name=press).click()
        tab.takes("Download CSV")
    with journal_in(tmp_path) as journal:
        accounts = People(journal.database).accounts()
    secrets = {
        "private token": shop.sandbox.private_token, "public token": shop.sandbox.public_token,
        "key of the audit trail": AUDIT_SECRET, "password": OTHERS_PASSWORD, **of_the_till,
    }  # fmt: skip
    of_the_journal = {"key of the cookies": accounts.cookie_key, "secret of an app for codes": TOTP_SECRET}
    of_the_journal["hash of a password"] = accounts.by_username["eve"].password_hash
    log, files = shop.dashboard.log.encode(), kept(tmp_path)
    of_tabs = {tab.operator.username: tab.everything for tab in (staff, manager, administrator)}
    places = {"log": log, "files": files, **of_tabs}
    for place, content in places.items():
        known = secrets if place == "files" else {**secrets, **of_the_journal}
        assert [name for name, secret in known.items() if secret.encode() in content] == [], place
    # The customer: in the tab of who served them, and in the claims of who may read those.
    assert len(found(staff.everything, *CUSTOMER)) >= len(CUSTOMER)
    assert found(manager.everything, CLAIMANT)
    assert found(staff.everything, CLAIMANT)
    # Only the sandbox's own outbox, on Connection, tells a manager whom it would have written to.
    assert found(manager.everything, *CUSTOMER) == {b"planted.mail"}
    for content in (administrator.everything, log, files):
        assert found(content, *CUSTOMER, CLAIMANT) == set()
    assert b'"event": "audit"' in log
    assert b"claims looked up" in files

"""A shop in a browser: a dashboard on a sandbox that the test holds in its hands, with people signed in."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FloatRect, Locator, Page, expect

from components.navigation import SCREENS
from components.people.sign_in.training import TRAINING_ACCOUNTS
from sandbox import SandboxServer
from sandbox.service.service import Seed
from tests.builders import may_sign_in, order_of
from tests.dashboard import Dashboard, person
from tests.journals import journal_in
from tests.waiting import until
from warranty.access import Role
from warranty.client import WarrantyClient
from warranty.client.resources import Order
from warranty.client.resources.landing import landing_page_url
from warranty.desk import Desk
from warranty.desk.journal.batches import BatchState

PASSWORDS: Final = {each.username: each.password for each in TRAINING_ACCOUNTS}
OWN_PASSWORD: Final = "a-password-of-theirs"
"""Of everybody who does not train."""


Size = tuple[int, int]
PC: Final = (1280, 900)
TABLET: Final = (820, 1180)
PHONE: Final = (390, 844)
SIZES: Final = (PC, TABLET, PHONE)


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def place(of: Locator) -> FloatRect:
    box = of.bounding_box()
    assert box is not None
    return box


class Shop:
    def __init__(self, sandbox: SandboxServer, dashboard: Dashboard) -> None:
        self.sandbox = sandbox
        self.dashboard = dashboard
        self.claimed = ""
        """The order that a claim was made of, where there is one."""
        self.client = WarrantyClient(
            sandbox.base_url, private_token=sandbox.private_token, public_token=sandbox.public_token,
            verify=sandbox.ca_file, purchase_warranties_path="/api/purchase-warranties",
        )  # fmt: skip

    def order(self, *items: dict[str, Any]) -> Order:
        order = order_of(*items)
        self.client.submit_order(order)
        return order

    def link(self, order_id: str) -> str:
        return landing_page_url(self.sandbox.landing_url, self.sandbox.retailer_uuid, order_id)

    def sales(self, order: Order) -> int:
        return len(self.calls("record_sale", order.order_id))

    def let_in(self, username: str, page: Page) -> None:
        """Give a browser the cookie of a person, who signs in for it the first time, and after a sign-out."""
        if not is_in(self.dashboard, username):
            with page.context.new_page() as signing_in:
                come(signing_in, self.dashboard, username)
        page.context.add_cookies(self.dashboard.cookies[username])

    def calls(self, operation: str, order_id: str) -> list[dict[str, Any]]:
        return [
            call for call in self.sandbox.calls() if (call["operation"], call.get("order_id")) == (operation, order_id)
        ]

    def clear_counter(self) -> None:
        """No screen opens with what was begun, sent, imported or chosen there before."""
        with closing(sqlite3.connect(self.dashboard.data_dir / "journal.sqlite3", timeout=30)) as journal, journal:
            # What waits would take the next test's refusal; who signed out stays so.
            for emptied in ("DELETE FROM drafts", "DELETE FROM came_back", "DELETE FROM unsettled"):
                journal.execute(emptied)
            journal.execute("DELETE FROM preferences WHERE username != '' AND name != 'signed-out-at'")
            journal.execute("UPDATE order_batches SET state = ?", (BatchState.CLOSED,))

    def open(self, page: Page, screen: str, query: str = "", *, by: str = "") -> None:
        if by:
            self.let_in(by, page)
        page.goto(f"{self.dashboard.url}/{screen}?{query}")
        (title,) = (each.title for each in SCREENS if each.name == screen)
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible(timeout=30_000)
        settled(page)


READS: Final = {
    "WARRANTY_PURCHASE_WARRANTIES_PATH": "/api/purchase-warranties",
    "WARRANTY_OFFERS_PATH": "/api/warranty-offers",
}
"""The two reads that the interface names and does not show."""


@contextmanager
def running_shop(
    folder: Path, *, reads: Mapping[str, str] = READS, named: str = "sandbox", seed: Seed = "empty", **settings: str
) -> Iterator[Shop]:
    """A shop whose dashboard is started as people start it, with settings that name it so, and more of them."""
    if named != "sandbox":  # only there the training accounts are made
        for username, role in (("staff", Role.STAFF), ("manager", Role.MANAGER)):
            may_sign_in(folder, username, role, name=username, password=OWN_PASSWORD)
    with SandboxServer(seed=seed, tokens="account") as sandbox:
        access = {f"WARRANTY_{name.upper()}": value for name, value in sandbox.access().items()}
        environment = {**access, "WARRANTY_ENVIRONMENT": named, **reads, **settings}
        with Dashboard(folder, environment=environment) as dashboard:
            if named != "sandbox":
                dashboard.passwords = dict.fromkeys(PASSWORDS, OWN_PASSWORD)
            yield Shop(sandbox, dashboard)


@contextmanager
def desk_of(shop: Shop) -> Iterator[Desk]:
    page_of = partial(landing_page_url, shop.sandbox.landing_url, shop.sandbox.retailer_uuid)
    with journal_in(shop.dashboard.data_dir) as journal:
        yield Desk(client=shop.client, journal=journal, environment="sandbox", landing_page=page_of)


def is_in(dashboard: Dashboard, username: str) -> bool:
    """Whether the cookies that this person got still open the door: to files, say, of which this one is none."""
    cookies = {one["name"]: one["value"] for one in dashboard.cookies.get(username, [])}
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    return bool(cookies) and httpx.get(f"{dashboard.url}/media/none", headers=headers).status_code == 404


def come(page: Page, dashboard: Dashboard, username: str, address: str = "") -> None:
    """Open an address as a person who has signed in before: by the form only if there was no time or a sign-out."""
    page.context.clear_cookies()
    page.context.add_cookies(dashboard.cookies.get(username, []))
    page.goto(f"{dashboard.url}/{address}")
    password = page.get_by_label("Password", exact=True)
    expect(password.or_(person(page))).to_be_visible(timeout=30_000)
    if not password.is_visible():
        return
    settled(page)
    name = page.get_by_label("Name", exact=True)
    name.fill(username)
    own = dashboard.passwords.get(username, PASSWORDS[username])
    password.fill(own)
    # On a busy machine the sign-in may be drawn once more: not before both stand there is anything sent.
    expect(name).to_have_value(username)
    expect(password).to_have_value(own)
    with a_new_cookie(page):
        password.press("Enter")
        expect(person(page)).to_be_visible(timeout=30_000)
    settled(page)  # a sign-in draws the screen twice
    dashboard.cookies[username] = page.context.cookies()


@contextmanager
def a_new_cookie(page: Page) -> Iterator[None]:
    """Wait for the cookie that comes of what is done: of a request that outlives its page the answer is seldom told."""

    def ours() -> dict[str, str]:
        return {one["name"]: one["value"] for one in page.context.cookies() if "warranty_desk" in one["name"]}

    before = ours()
    yield
    until(lambda: ours() != before)


class Sent:
    """How often the page asked the server for a run of the script."""

    def __init__(self, page: Page) -> None:
        self.frames = 0
        page.on("websocket", lambda socket: socket.on("framesent", self._count))

    def _count(self, frame: str | bytes) -> None:
        self.frames += len(frame) > 50  # less is a sign of life


def settled(page: Page) -> None:
    """Wait until nothing that the page sent is unanswered, no run of the script is on its way, what unfolds lies still,
    and nothing was done for a moment: a click takes one to become a message."""
    page.wait_for_function(_QUIET, timeout=30_000)


def opened(page: Page, name: str | None = None) -> Locator:
    """A dialog that is open and has the focus: before it has, a key goes elsewhere."""
    dialog = page.get_by_role("dialog", name=name) if name else page.get_by_role("dialog")
    expect(dialog).to_be_visible(timeout=20_000)
    page.wait_for_function(_IN_A_DIALOG)
    return dialog


def close(page: Page) -> None:
    opened(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=20_000)


def holds(page: Page, label: str, text: str) -> None:
    """The one field of this label has this value, once the screen is drawn: until then there may be two."""
    settled(page)
    fields = page.get_by_label(label, exact=True)
    until(lambda: fields.evaluate_all("all => all.map((each) => each.value)") == [text])


def type_into(page: Page, label: str, text: str, place: int = 0) -> None:
    settled(page)
    field = page.get_by_label(label, exact=True).nth(place)
    field.fill(text)
    field.press("Enter")
    settled(page)


def translate(page: Page) -> None:
    """Do as a browser that translates: each text that the page lets it translate is another one, now and later."""
    page.evaluate(_TRANSLATED)


def copied(page: Page, told: str = "Copied") -> str:
    """What a press has just put on the clipboard, once the page says so; a test that presses has allowed it."""
    expect(page.get_by_role("status").get_by_text(told, exact=True)).to_be_visible()
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


Look = Callable[[str], None]
"""At a state of the screen, by its name: the fixture `look`."""
FOR_EVERY_EYE: Final = pytest.mark.parametrize(
    "look", ["by hand", pytest.param("for every eye", marks=pytest.mark.long)], indirect=True
)
Scheme = Literal["dark", "light"]


FOUND_ALONE: Final = {"resultTypes": ["violations"]}
"""Else axe tells of each thing that is well, too, which takes it longer than finding out."""


def violations(page: Page, schemes: Sequence[Scheme] = ("dark", "light")) -> list[str]:
    """What axe finds: in the dark what differs there, and all in the light, where it leaves the page."""
    found: list[str] = []
    page.evaluate(_NEVER_PALE)
    of_dark = {"runOnly": ["color-contrast", "link-in-text-block"]}
    options: dict[Scheme, dict[str, Any]] = {"dark": of_dark, "light": {}}
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(_THEMED, arg=scheme == "dark")
        if page.get_by_test_id("stApp").count():  # another scheme is a run of its own; a page of our own has none
            settled(page)
        found += [
            f"{violation['id']}, {scheme}: {node['html']}: {node['any'][:1]}"
            for violation in Axe().run(page, options=options[scheme] | FOUND_ALONE).response["violations"]
            for node in violation["nodes"]
        ]
    return found


# What a page has sent and the server has not answered: a run that is late on a busy machine has not begun yet. One that
# ends for the sake of another (field 6 of its message is 2), as after a press that leads elsewhere, is no answer.
NOTE_WHAT_IS_SENT: Final = """
window.WebSocket = class extends WebSocket {
  constructor(...way) {
    super(...way);
    this.addEventListener("message", ({data}) => {
      const [field, how] = data instanceof ArrayBuffer ? new Uint8Array(data.slice(-2)) : [];
      window.sentSince = field === 48 && how === 2 ? performance.now() : undefined;
      window.quietSince = performance.now();
    });
  }
  send(message) {
    super.send(message);
    const isAsked = (message.byteLength ?? message.size ?? message.length) > 50;  // less is a sign of life
    if (isAsked) window.sentSince = performance.now();
  }
};
"""
_QUIET = """() => {
    const stirred = () => { window.quietSince = performance.now() };
    if (window.quietSince === undefined) {
        for (const act of ['mousedown', 'click', 'keydown', 'input', 'focusin', 'focusout', 'resize', 'popstate'])
            addEventListener(act, stirred, true);
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', stirred);
        const runs = {subtree: true, attributeFilter: ['data-test-script-state']};
        new MutationObserver(stirred).observe(document, runs);
        stirred();
    }
    const isUnanswered = performance.now() - window.sentSince < 10000;  // a line that is gone answers nothing
    const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
    const goesOn = (each) => each.playState === 'running' && each.effect.getComputedTiming().endTime !== Infinity;
    const isFetched = !document.querySelector('[data-testid=stSkeleton]');  // what draws a part may come after its run
    if (isUnanswered || state !== 'notRunning' || !isFetched || document.getAnimations().some(goesOn)) stirred();
    return performance.now() - window.quietSince > 120;
}"""

_IN_A_DIALOG = """() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused?.closest('[role=dialog], dialog');
}"""

_TRANSLATED: Final = """() => {
    const translated = () => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
        while (texts.nextNode()) found.push(texts.currentNode);
        for (const text of found) {
            const {parentElement: parent} = text;
            if (!parent.translate || !text.data.trim() || parent.closest('font, script, style')) continue;
            const [outer, inner] = ['font', 'font'].map((name) => document.createElement(name));
            inner.textContent = [...text.data].reverse().join('');
            outer.append(inner);
            text.replaceWith(outer);
        }
    };
    translated();
    new MutationObserver(translated).observe(document.body, {childList: true, subtree: true});
}"""

# While a part of the screen runs once more, what it shows is pale for that moment.
_NEVER_PALE: Final = """() => {
    const style = new CSSStyleSheet();  // a tag would be against the page's policy
    style.replaceSync('[data-stale="true"] { opacity: 1 !important; transition: none !important; }');
    document.adoptedStyleSheets.push(style);
}"""
_THEMED = """dark => {
    const page = document.querySelector('[data-testid=stApp]') ?? document.body;
    const [red] = getComputedStyle(page).backgroundColor.match(/[0-9]+/g);
    const moving = document.getAnimations().some(animation => animation.playState === 'running');
    return (Number(red) < 128) === dark && !moving;
}"""

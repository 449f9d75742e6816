"""Every screen on a PC, a tablet, a phone and twice as large: where it begins, what moves, what thumb and key meet.

What becomes of a press is looked at (`look`) where it is pressed.
"""

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from components.navigation import SCREENS, Screen
from tests.browser.browser_shop import (
    PC,
    PHONE,
    TABLET,
    Look,
    Shop,
    Size,
    close,
    come,
    opened,
    place,
    resize,
    settled,
    violations,
)
from tests.browser.claims_shop import click_claim, drawn, listed, open_all, open_first_row
from tests.builders import MANAGER, seen_by
from tests.dashboard import Dashboard, person

FIRST_LINE: Final = 96  # pixels from the top, at most
LOWEST: Final = {"row": 360, "twelfth row": 900, "chart": 900}  # where the first row begins, and the others end
MOST_WORDS: Final = {"submit_order": 50, "record_sale": 28, "notify_checkout": 66, "claims": 36, "overview": 145}
"""Before anything is typed: half of what they were once; a manager's New order has the shop's files, and of what was
sold today Overview says by whom and what: 127 where nothing was."""
SHIFTED: Final = 0.1  # at most: all that moved in the worst five seconds of a screen, as browsers sum it up
TWICE_AS_LARGE: Final = (640, 450)
WATCH_SHIFTS: Final = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const nodes = entry.sources.map(({ node, previousRect, currentRect }) => {
      const part = (node?.nodeType === 1 ? node : node?.parentElement)?.closest('[class*="st-key-"], [data-testid]');
      const named = part?.className.match?.(/st-key-\\S+/)?.[0] ?? part?.dataset.testid;
      const at = ({ x, y }) => `${Math.round(x)},${Math.round(y)}`;
      return `${named}: ${at(previousRect)} to ${at(currentRect)}`;
    });
    window.shifts.push([entry.value, entry.startTime, nodes]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
_ALL: Final = """
() => {
  const all = [], visit = (root) => {
    all.push(...root.querySelectorAll("button, a[href], input, select, textarea, summary, [role=tab]"));
    root.querySelectorAll("*").forEach((node) => node.shadowRoot && visit(node.shadowRoot));
  };
  visit(document);
  const called = (each) => (each.getAttribute("aria-label") ?? each.innerText).trim() || each.outerHTML.slice(0, 120);
"""
# What can be pressed is as large as the label or the frame that takes its press; a link in a sentence is a word of it.
TARGETS: Final = (
    _ALL
    + """
  return all.flatMap((each) => {
    if (!each.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const frame = each.closest("label") ?? (each.matches("input, textarea") ? each.parentElement : each);
    const boxes = [each, frame].map((one) => one.getBoundingClientRect());
    if (boxes[0].width <= 1 || boxes[0].height <= 1) return [];  // for who hears the screen
    const [width, height] = ["width", "height"].map((side) => Math.max(...boxes.map((box) => box[side])));
    const isOfASentence = each.matches("p a") && each.closest("p").innerText.trim() !== each.innerText.trim();
    if (isOfASentence || (width >= 43.5 && height >= 43.5)) return [];
    return [`${called(each)}: ${Math.round(width)} x ${Math.round(height)}`];
  });
}
"""
)
# What goes past the screen's edge, or is cut within its own: words, and what stands in an empty field.
CUT: Final = """
() => {
  const found = [], pen = document.createElement("canvas").getContext("2d");
  for (const part of [document.documentElement, document.querySelector('[data-testid="stMain"]')])
    if (part.scrollWidth > part.clientWidth + 1) found.push(`sideways: ${part.scrollWidth} in ${part.clientWidth}`);
  for (const each of document.querySelectorAll("h1, h2, h3, p, button, label, a, input, [data-testid=stText]")) {
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    if (!each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || box.width <= 1) continue;
    if (each.matches("input")) {
      pen.font = style.font;
      const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const isSeen = getComputedStyle(each, "::placeholder").color !== "rgba(0, 0, 0, 0)";
      const isCut = pen.measureText(each.placeholder).width > room + 1;
      if (isSeen && isCut && !each.value) found.push(`cut: ${each.placeholder}`);
    } else if (each.scrollWidth > each.clientWidth + 1 && !["visible", "auto"].includes(style.overflowX))
      found.push(`cut: ${each.innerText}`);
    else if (box.right > innerWidth + 1 && !each.closest(".dvn-scroller, .js-plotly-plot, [style*=overflow]"))
      found.push(`outside: ${each.innerText || each.placeholder}`);
  }
  return found;
}
"""
Shift = tuple[float, float, list[str]]
"""How much moved, when, and what."""
STILL_MOVING: Final = """() => document.getAnimations().filter((each) => each.playState === "running")
  .map((each) => each.animationName ?? each.transitionProperty)"""
# What has the focus is told from what has not, by itself or by the frame that it stands in.
UNSEEN_FOCUS: Final = (
    _ALL.replace("() =>", "async () =>", 1)
    + """
  const look = (each) => {
    const styles = [];
    for (let node = each; node && styles.length < 4; node = node.parentElement) {
      const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(node);
      styles.push([outline, boxShadow, borderColor, backgroundColor].join());
    }
    return styles.join("|");
  };
  const drawn = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  const unseen = [];
  document.activeElement?.blur();
  await drawn();
  for (const each of all) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.disabled || each.tabIndex < 0) continue;
    const before = look(each);
    each.focus({ preventScroll: true });
    for (let waited = 0; look(each) === before && waited < 300; waited++) await drawn();  // by its script
    if (look(each) === before) unseen.push(called(each));
  }
  return unseen;
}
"""
)


EACH_SCREEN: Final = pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)


def comes(page: Page, shop: Shop, screen: Screen) -> None:
    shop.let_in("manager" if seen_by(MANAGER)(screen) else "administrator", page)
    page.goto(f"{shop.dashboard.url}/{screen.name}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stDialog")).to_have_count(0)  # "Page not found" is one
    page.wait_for_load_state("networkidle")
    settled(page)
    if screen.name == "overview":
        drawn(page)
        settled(page)


def dialogs(page: Page) -> Iterator[str]:
    for name in ("a claim", "one field"):
        if name == "a claim":
            click_claim(page, 0)
        else:
            page.keyboard.press("Control+k")
        opened(page)
        settled(page)
        yield name
        close(page)


def too_low(page: Page) -> dict[str, float]:
    """Twelve rows of claims, or the first chart where there is no table, as far as it takes a scroll to see them."""
    rows = listed(page).locator("tbody tr")
    if not rows.count():
        chart = place(page.locator(".js-plotly-plot").first)
        ends = {"chart": chart["y"] + chart["height"]}
    else:
        first, twelfth, table = map(place, (rows.first, rows.nth(11), listed(page).locator("..")))
        end = twelfth["y"] + twelfth["height"]
        ends = {"row": first["y"], "twelfth row": end if end <= table["y"] + table["height"] else math.inf}
    return {what: end for what, end in ends.items() if end > LOWEST[what]}


def first_line(page: Page) -> float | None:
    begins = place(page.get_by_role("heading", level=1))["y"]
    return begins if begins > FIRST_LINE else None


def words_before_a_key(page: Page, screen: Screen) -> int:
    main = page.get_by_test_id("stMain")
    signs = main.get_by_test_id("stIconMaterial").all_inner_texts()
    count = len(re.findall(r"[^\W\d_][\w'’.-]*", main.inner_text())) - len(signs)
    return count if count > MOST_WORDS.get(screen.name, count) else 0


def worst_of_the_shifts(shifts: list[Shift]) -> list[Shift]:
    """The session window whose sum is the browser's Cumulative Layout Shift: gaps below a second, five in all."""
    windows: list[list[Shift]] = []
    for shift in shifts:
        if windows and shift[1] - windows[-1][-1][1] < 1_000 and shift[1] - windows[-1][0][1] < 5_000:
            windows[-1].append(shift)
        else:
            windows.append([shift])
    return max(windows, key=lambda window: sum(value for value, *_ in window), default=[])


def at_last(page: Page, script: str) -> list[str]:
    """What is wrong still when the screen has come to rest: a chart, or a table, takes its new width late."""
    with suppress(PlaywrightTimeoutError):
        page.wait_for_function(f"() => !({script})().length", timeout=3_000)
    found: list[str] = page.evaluate(script)
    return found


def speaks(page: Page, language: str) -> None:
    agent = page.evaluate("navigator.userAgent")
    page.context.new_cdp_session(page).send(
        "Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language}
    )


def touched(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    assert page.evaluate("matchMedia('(pointer: coarse)').matches")


@EACH_SCREEN
def test_a_screen_begins_high_and_is_whole_twice_as_large(page: Page, shop: Shop, screen: Screen) -> None:
    comes(page, shop, screen)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    found: dict[str, Any] = {"first line": first_line(page)}
    if screen.name in {"claims", "overview"}:
        found["low"] = too_low(page)
    found["words"] = words_before_a_key(page, screen)
    found["moving"] = at_last(page, STILL_MOVING)
    page.keyboard.press("Tab")  # a keyboard is at work: what has the focus says so
    found["focus"] = page.evaluate(UNSEEN_FOCUS)
    resize(page, TWICE_AS_LARGE)
    settled(page)
    found["at 200 %"] = at_last(page, CUT)
    resize(page, PC)
    found["axe"] = violations(page, ["light"])
    assert {what: told for what, told in found.items() if told} == {}


@pytest.mark.long
@EACH_SCREEN
def test_on_a_phone_a_spanish_screen_begins_high_and_is_for_a_thumb(page: Page, shop: Shop, screen: Screen) -> None:
    resize(page, PHONE)
    touched(page)
    speaks(page, "es")
    comes(page, shop, screen)
    expect(page.locator("html")).to_have_attribute("lang", "es")
    found: dict[str, Any] = {"first line": first_line(page)}
    found["cut"] = at_last(page, CUT)
    found["small"] = at_last(page, TARGETS)
    resize(page, TABLET)
    settled(page)
    found["small on a tablet"] = at_last(page, TARGETS)
    resize(page, PHONE)
    settled(page)
    found["axe"] = violations(page)
    for dialog in dialogs(page) if screen.name == "claims" else ():
        found[dialog] = [*at_last(page, CUT), *at_last(page, TARGETS)]
    assert {what: told for what, told in found.items() if told} == {}


@pytest.mark.alone
@pytest.mark.parametrize("size", [PC, pytest.param(PHONE, marks=pytest.mark.long)], ids=["pc", "phone in Spanish"])
def test_no_screen_moves_under_the_eye_while_it_comes(page: Page, shop: Shop, size: Size) -> None:
    resize(page, size)
    if size == PHONE:
        touched(page)
        speaks(page, "es")
    page.add_init_script(WATCH_SHIFTS)
    moved = {}
    for screen in SCREENS:
        comes(page, shop, screen)
        moved[screen.name] = worst_of_the_shifts(page.evaluate("window.shifts"))
    assert {name: shifts for name, shifts in moved.items() if sum(value for value, *_ in shifts) > SHIFTED} == {}


@pytest.mark.long
def test_a_manager_sees_all_screens_in_groups_and_nothing_from_elsewhere(page: Page, dashboard: Dashboard) -> None:
    come(page, dashboard, "manager")
    icons = page.locator("link[rel~=icon]").evaluate_all("(links) => links.map((link) => link.href)")
    assert [address for address in icons if not address.startswith((dashboard.url, "data:"))] == []
    for screen in filter(seen_by(MANAGER), SCREENS):
        expect(page.get_by_role("link", name=screen.title, exact=True)).to_be_in_viewport()
    lines = "(all) => all.filter((one) => getComputedStyle(one).borderLeftWidth === '1px').map((one) => one.innerText)"
    begun = page.locator(".rc-overflow-item:has(a)").evaluate_all(lines)
    assert [words.splitlines()[0] for words in begun] == ["Overview", "Activity", "Connection"]


@pytest.mark.long
def test_what_opens_behind_the_name_is_for_every_eye(page: Page, shop: Shop, look: Look) -> None:
    shop.open(page, "activity", by="manager")
    person(page).click()
    look("the menu behind the name")
    page.keyboard.press("Escape")
    for name in ("Change my password", "Customer's screen", "My PIN", "Keys", "Find"):
        settled(page)
        person(page).click()
        page.get_by_role("button", name=name, exact=True).click()
        expect(person(page)).to_have_attribute("aria-expanded", "false")  # the menu does not cover it
        opened(page)
        look(name)
        close(page)
    person(page).click()
    page.get_by_role("button", name="Take the tour").click()
    expect(page.get_by_text("step 1 of")).to_be_visible()
    look("the tour")
    page.locator(".st-key-tour").get_by_role("button", name="End the tour").click()
    page.goto(f"{shop.dashboard.url}/customer")
    expect(page.locator(".code")).to_be_visible()
    look("the customer's screen")


@pytest.mark.long
def test_what_opens_on_claims_and_trends_is_for_every_eye(page: Page, shop: Shop, look: Look) -> None:
    open_all(page, shop, "manager")
    open_first_row(page)
    look("a claim")
    close(page)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible()
    resize(page, TABLET)
    look("the filters of Claims")
    open_all(page, shop, "manager", "overview")
    page.get_by_text("Table", exact=True).first.click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    look("a chart's data")
    come(page, shop.dashboard, "manager", "claim_trends")
    told = ("Claims against plans sold", "No night is on record", "Claims to come")
    for tab, there in zip(("Ageing", "Resolution", "Outlook"), told, strict=True):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_text(there).first).to_be_visible()
        look(tab)
    shop.sandbox.add_fault(operation="claims", kind="delay", seconds=8.0, times=10_000)
    come(page, shop.dashboard, "manager", "claims?period=all&started-from=1994-01-01&started-to=2197-12-31")
    reading = page.get_by_text(re.compile("^Reading claims: "))
    expect(reading).to_be_visible()
    look("claims that are read")
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible()
    look("the filters while claims are read")
    stop = place(page.get_by_role("button", name="Stop reading"))  # the open filters do not cover it
    page.mouse.click(stop["x"] + stop["width"] / 2, stop["y"] + stop["height"] / 2)
    expect(reading).to_have_count(0)

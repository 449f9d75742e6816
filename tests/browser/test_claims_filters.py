"""Filters of Claims in a real browser: what is picked stays picked, what is named stays named, Back goes back."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.browser_shop import Shop, come, settled
from tests.browser.claims_shop import (
    chip,
    claim_dates,
    click_first_bar,
    click_heading,
    drawn,
    open_all,
    read,
    unfold_chart,
)
from tests.waiting import until


def an_email_that_is_none_moves_no_field_of_the_bar(page: Page) -> None:
    mail = page.get_by_label("Customer's e-mail")
    bar = [claim_dates(page), mail, page.get_by_role("button", name="More filters")]
    bar.append(page.get_by_label("Search these claims"))
    before = [field.bounding_box() for field in bar]
    mail.fill("not-an-email")
    mail.press("Enter")
    told = page.get_by_role("link", name="This e-mail address is not complete")
    expect(told).to_be_visible()
    settled(page)
    assert [field.bounding_box() for field in bar] == before
    expect(mail).to_have_attribute("aria-invalid", "true")
    told.click()
    expect(mail).to_be_focused()
    mail.fill("")
    mail.press("Enter")
    expect(told).to_have_count(0)
    settled(page)


@pytest.mark.long
def test_a_second_and_a_third_status_are_kept_and_more_filters_stays_open(page: Page, shop: Shop) -> None:
    open_all(page, shop, "staff")
    an_email_that_is_none_moves_no_field_of_the_bar(page)
    page.get_by_role("button", name="More filters").click()
    for kind, choices in (("Status", 3), ("Product", 3)):
        field = page.get_by_label(kind, exact=True)
        for _ in range(choices):
            field.click()
            option = page.get_by_role("option", name=re.compile(r"\(\d+\)$")).first
            name = re.sub(r" \([\d,]+\)$", "", option.inner_text())
            option.click()
            settled(page)
            expect(chip(page, f"{kind.lower()} {name}")).to_be_visible()
            expect(field).to_be_visible()
            field.press("Tab")  # the list of choices closes
    expect(chip(page, re.compile(" "))).to_have_count(6)


@pytest.mark.long
@pytest.mark.parametrize("field", ["Selectbox", "TextInput"])
def test_a_view_of_a_link_stays_whole_where_a_fields_script_comes_late(page: Page, shop: Shop, field: str) -> None:
    """The screen is drawn more than once before the field is: only the first of these runs fills it."""
    come(page, shop.dashboard, "manager")
    fresh = page.context.browser
    assert fresh is not None
    context = fresh.new_context(storage_state=page.context.storage_state())
    try:
        late = context.new_page()
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        late.route(re.compile(rf"/static/js/{field}\."), hold)
        late.goto(f"{shop.dashboard.url}/claims?period=30-days&words=a")
        expect(late.get_by_text("complete:").first).to_be_visible()
        late.locator(".st-key-claims-chart summary").click()
        drawn(late)
        assert held
        for route in held:
            route.continue_()
        expect(late.get_by_label("Search these claims")).to_have_value("a")
        click_heading(late)
        expect(late).to_have_url(re.compile("sort=product"))
        settled(late)
        late.get_by_role("button", name="More filters").click()
        expect(late.get_by_label("Status", exact=True)).to_be_visible()
        settled(late)
        expect(late).to_have_url(re.compile(r"period=30-days.*words=a"))
        expect(claim_dates(late)).to_have_value("30 days")
    finally:
        context.close()


@pytest.mark.long
def test_a_bar_opens_claims_at_its_top_and_one_of_claims_narrows_in_sight(page: Page, shop: Shop) -> None:
    open_all(page, shop, "manager", "overview")
    click_first_bar(page.get_by_role("figure", name=re.compile("^Products with the most claims")))
    picked = chip(page, re.compile("product "))
    expect(picked).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Claims", exact=True)).to_be_in_viewport()
    page.get_by_role("button", name=re.compile("^Show all")).click()
    expect(picked).to_have_count(0)
    settled(page)
    unfold_chart(page)
    chart = page.get_by_role("figure", name=re.compile("^Claims by status"))
    click_first_bar(chart)
    expect(chip(page, re.compile("dated "))).to_be_in_viewport()
    settled(page)
    are_faint = "bars => bars.filter(bar => getComputedStyle(bar).opacity < 1).length === bars.length - 1"
    until(lambda: bool(chart.locator(".bars .point path").evaluate_all(are_faint)))


@pytest.mark.long
def test_words_at_the_axes_can_be_read_in_light_and_dark(page: Page, shop: Shop) -> None:
    open_all(page, shop, "staff")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.reload()
        read(page)
        unfold_chart(page)
        colours = page.evaluate(
            """() => [
                getComputedStyle(document.querySelector('.js-plotly-plot .xtick text')).fill,
                getComputedStyle(document.querySelector('.js-plotly-plot .ytick text')).fill,
                getComputedStyle(document.querySelector('.stApp')).color,
            ]"""
        )
        assert len(set(colours)) == 1, scheme  # those of all text, which axe measures

"""The way in by a real OpenID provider and out again, and what stands at the platform's addresses for it."""

import re
import time

import httpx
import jwt
import pytest
from playwright.sync_api import Page, expect

from tests.dashboard import Dashboard, leave, person, sign_in
from tests.journals import journal_in
from tests.provider import COOKIE_SECRET, Provider
from warranty.access import Role
from warranty.people.accounts.people import People
from warranty.people.audit import AuditFilter, AuditTrail


def comes_as(page: Page, subject: str) -> None:
    page.get_by_role("button", name="Sign in with Example ID").click()
    page.get_by_placeholder("sub").fill(subject)
    page.get_by_role("button", name="Authorize").click()


def people_of(guarded: Dashboard) -> tuple[dict[str, tuple[Role, str]], list[tuple[str, str]]]:
    with journal_in(guarded.data_dir) as journal:
        accounts = People(journal.database).accounts().by_username.values()
        rows = AuditTrail(journal.database, "sandbox", None).rows(AuditFilter())
    return (
        {one.username: (one.role, one.home_store) for one in accounts if one.issuer},
        [(row.kind, row.username) for row in rows if row.kind in {"sign-in", "sign-out", "wrong try"}],
    )


@pytest.mark.long
def test_a_person_of_a_group_comes_and_goes_by_the_provider(page: Page, guarded: Dashboard, provider: Provider) -> None:
    provider.knows("s-1", groups=["shop-north", "desk-staff"], preferred_username="Ada", name="Ada Byron")
    page.goto(guarded.url)
    comes_as(page, "s-1")
    expect(person(page)).to_contain_text("Ada Byron")
    known, trail = people_of(guarded)
    assert (known["ada"], trail[0]) == ((Role.STAFF, "north"), ("sign-in", "ada"))
    proofs = [one for one in page.context.cookies() if one["name"].startswith("_streamlit_user")]
    assert all(one["httpOnly"] and one["expires"] < time.time() + 12 * 3600 + 60 for one in proofs)
    page.reload()
    expect(person(page)).to_be_visible()
    person(page).click()
    expect(page.get_by_role("button", name="My PIN")).to_be_visible()
    expect(page.get_by_role("button", name="Change my password")).to_have_count(0)
    person(page).click()
    before = provider.asked.count("/oauth2/end_session")
    leave(page)
    page.get_by_role("button", name="End session").click()
    assert provider.asked.count("/oauth2/end_session") == before + 1
    expect(page.get_by_role("button", name="Sign in with Example ID")).to_be_visible()
    assert {one["name"] for one in page.context.cookies()} == {"_streamlit_xsrf"}
    # As who kept a copy: it was good once.
    page.context.add_cookies([{"name": one["name"], "value": one["value"], "url": guarded.url} for one in proofs])
    page.reload()
    expect(page.get_by_role("button", name="Sign in with Example ID")).to_be_visible()
    expect(person(page)).to_have_count(0)
    provider.knows("s-1", groups=["shop-north"], preferred_username="Ada", name="Ada Byron")
    comes_as(page, "s-1")
    refusal = page.get_by_text("By Example ID you are ada, and in no group that may work here.")
    expect(refusal).to_be_visible()
    reference = re.search(r"Reference: (\w+)", refusal.inner_text())
    assert reference
    assert f"no group ({reference[1]})" in guarded.log
    assert people_of(guarded)[1][0] == ("wrong try", "ada")
    page.get_by_role("button", name="Sign out of Example ID").click()
    page.get_by_role("button", name="End session").click()
    sign_in(page, "staff", "counter-training")  # the form stands beside it
    expect(person(page)).to_contain_text("Sam Counter")


def token(**more: object) -> str:
    """What the platform gives a page of ours to begin with."""
    return jwt.encode({"provider": "default", "exp": int(time.time()) + 60} | more, COOKIE_SECRET)


@pytest.mark.parametrize(("path", "headers", "status"), [
    ("/auth/login?provider=x.y.z", {}, 302),  # to the form
    ("/oauth2callback?code=1&state=forged", {}, 302),
    ("/oauth2callback", {}, 302),
    ("/auth/logout", {}, 302),
    ("/auth/login?provider={token}", {"Sec-Fetch-Site": "cross-site"}, 403),
    ("/auth/logout", {"Origin": "http://evil.example"}, 403),
    ("/oauth2callback?code=1&state=forged", {"Host": "evil.example"}, 403),
])  # fmt: skip
def test_what_comes_from_elsewhere_or_was_never_begun_goes_nowhere(
    guarded: Dashboard, provider: Provider, path: str, headers: dict[str, str], status: int
) -> None:
    before = len(provider.asked)
    answer = httpx.get(guarded.url + path.format(token=token()), headers=headers)
    assert answer.status_code == status
    assert answer.headers.get("location", "/") == "/"
    assert "_streamlit_user=" not in "".join(answer.headers.get_list("set-cookie")).replace('_streamlit_user=""', "")
    assert len(provider.asked) == before


def test_a_sign_in_that_one_browser_began_no_other_ends(guarded: Dashboard, provider: Provider) -> None:
    provider.knows("s-2", groups=["desk-managers"])
    with httpx.Client(base_url=guarded.url) as mine, httpx.Client(base_url=guarded.url) as anothers:
        begun = mine.get(f"/auth/login?provider={token()}")
        came_back = httpx.post(begun.headers["location"], data={"sub": "s-2"}).headers["location"]
        before = provider.asked.count("/oauth2/token")
        assert "_streamlit_user" not in str(anothers.get(came_back).headers)
        assert provider.asked.count("/oauth2/token") == before
        assert "_streamlit_user" in str(mine.get(came_back).headers)
        assert "_streamlit_user" not in str(mine.get(came_back).headers)  # nor twice


def test_over_https_the_platforms_cookies_are_for_https_alone(guarded: Dashboard) -> None:
    answer = httpx.get(f"{guarded.url}/auth/login?provider={token()}", headers={"X-Forwarded-Proto": "https"})
    cookies = answer.headers.get_list("set-cookie")
    assert cookies
    assert all("; Secure" in one and "httponly" in one.lower() for one in cookies)


def test_an_address_asks_for_the_provider_so_often_and_no_more(guarded: Dashboard) -> None:
    def ask(address: str) -> int:
        return client.get("/oauth2callback", headers={"X-Forwarded-For": address}).status_code

    with httpx.Client(base_url=guarded.url) as client:
        answers = [ask("192.0.2.7") for _ in range(245)]
        assert (answers[0], answers[-1]) == (302, 429)
        assert ask("192.0.2.8") == 302

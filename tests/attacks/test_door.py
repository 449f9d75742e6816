"""What a stranger's page or program sends never reaches the platform (docs/security.md: H1, H5, M2, M3, L5, L10)."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

from benchmarks.streamlit_viewer import Viewer
from components.platform.serving import door
from components.platform.serving.crowds import MOST_FILES, MOST_GUESTS, MOST_HANDSHAKES
from tests.attacks.visits import cookie_at_a_till, handshake, knock, of_no_screen, press_sign_in, said, visited
from tests.chain.ordeal import cookie_of
from tests.dashboard import Dashboard
from tests.journals import journal_in
from tests.machine import in_a_loop_of_its_own as done
from warranty.people.accounts.people import People

OURS, BY_TLS = "http://127.0.0.1:{port}", {"X-Forwarded-Proto": "https"}


@pytest.mark.parametrize(("origin", "more", "status"), [
    (OURS, {}, 101), (None, {}, 403), ("http://evil.example", {}, 403),
    ("http://127.0.0.1", {}, 403), ("http://127.0.0.1:1", {}, 403),  # another port of this machine
    ("http://localhost:{port}", {}, 403), ("ftp://127.0.0.1:{port}", {}, 403),
    ("http://127.0.0.1:{port}.evil.example", {}, 403), ("null", {}, 403),
    (OURS, BY_TLS, 403),  # a proxy says that the page came by TLS
    (OURS.replace("http:", "https:"), BY_TLS, 101),
])  # fmt: skip
def test_a_page_from_elsewhere_gets_no_handshake(
    dashboard: Dashboard, origin: str | None, more: dict[str, str], status: int
) -> None:
    headers = {} if origin is None else {"Origin": origin.format(port=dashboard.port)}
    assert handshake(dashboard, **headers, **more) == status


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://evil.example"}]
)
@pytest.mark.parametrize(("method", "path"), [
    ("PUT", "_stcore/upload_file/some/file"), ("POST", "till/switch"), ("POST", "till/lock"),
    ("GET", "customer/now"), ("GET", "till/now"),  # a picture in their page
])  # fmt: skip
def test_a_page_from_elsewhere_changes_nothing_by_a_request_and_takes_no_place_of_its_address(
    *, dashboard: Dashboard, ada: str, till: str, method: str, path: str, headers: dict[str, str]
) -> None:
    answer = httpx.request(method, f"{dashboard.url}/{path}", headers={"Cookie": f"{ada}; {till}", **headers})
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)


def test_a_file_is_taken_from_nobody_who_is_not_signed_in(dashboard: Dashboard, cookie_key: str, ada: str) -> None:
    def upload(cookie: str) -> str:
        return httpx.put(
            f"{dashboard.url}/_stcore/upload_file/no-such-session/file", files={"file": b"x" * 45_000_000},
            headers={"Cookie": cookie} if cookie else {}, timeout=60,
        ).text  # fmt: skip

    forged = cookie_of("ada", "a-key-of-their-own-of-thirty-two-bytes", dashboard.url)
    assert [upload(cookie) for cookie in ("", forged, cookie_of("nobody", cookie_key, dashboard.url))] == [
        "Sign in first."
    ] * 3
    assert "XSRF" in upload(ada)  # the platform's own question, behind the door


def test_an_address_puts_in_so_many_files_in_a_minute_and_no_more(dashboard: Dashboard, ada: str) -> None:
    """Also who is signed in: the platform bounds each file, and not how many there are."""
    with httpx.Client(base_url=dashboard.url, headers={"Cookie": ada}) as browser:
        answers = [browser.put("/_stcore/upload_file/no-session/file").text for _ in range(MOST_FILES + 1)]
    assert ["Too many at once" in answer for answer in (answers[0], answers[-1])] == [False, True]


def test_a_file_goes_to_who_is_wholly_in_and_is_kept_nowhere(dashboard: Dashboard, cookie_key: str, ada: str) -> None:
    name = f"{dashboard.url}/media/{'0' * 56}.csv"
    assert httpx.get(name).status_code == 401
    answer = httpx.get(name, headers={"Cookie": ada})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")
    # Who gave a password and still owes the code of the second factor.
    assert httpx.get(name, headers={"Cookie": cookie_of("olga", cookie_key, dashboard.url)}).status_code == 401


@pytest.mark.parametrize("path", [
    "_stcore/metrics", "_stcore/script-health-check", "_stcore/allowed-message-origins",
    "_stcore/agent", "_stcore/agent/interact", "_stcore/agent/mcp", "_stcore/agent/openapi.json",
    "_stcore/message", "_stcore/bidi-components/copy_button/any.js",
    "component/extra_streamlit_components.CookieManager.cookie_manager/index.html",
    "component/streamlit_authenticator/index.html",
    "auth/login", "auth/logout", "oauth2callback", "oauth2callback/",  # no identity provider is set
])  # fmt: skip
def test_what_no_screen_needs_is_not_there(dashboard: Dashboard, path: str, ada: str) -> None:
    for method in ("GET", "POST"):
        answer = httpx.request(method, f"{dashboard.url}/{path}", headers={"Cookie": ada})
        assert (answer.status_code, answer.text) == (404, "Not found.")


def test_an_address_without_end_is_not_read(dashboard: Dashboard) -> None:
    assert httpx.get(f"{dashboard.url}/activity?find={'a' * door.LONGEST_QUERY}").status_code == 414


@pytest.mark.parametrize("path", ["x.y", "a/b", "claims/x", "index.html", "claims/", "static.html"])
def test_an_address_of_no_screen_and_no_file_does_not_open_the_platforms_page(dashboard: Dashboard, path: str) -> None:
    assert httpx.get(f"{dashboard.url}/{path}").status_code == 404
    bundle = re.findall(r'src="./(static/js/[^"]{1,99})"', httpx.get(f"{dashboard.url}/claims").text)
    found = [httpx.get(f"{dashboard.url}/{name}").status_code for name in (*bundle, "favicon.png")]
    assert found == [200] * (len(bundle) + 1)
    assert bundle


def too_much() -> dict[str, BackMsg]:
    messages = {name: BackMsg() for name in ("fields", "query", "names", "a name")}
    for number in range(door.MOST_FIELDS + 1):
        messages["fields"].rerun_script.widget_states.widgets.add(id=str(number))
    messages["query"].rerun_script.query_string = "a" * (door.LONGEST_QUERY + 1)
    messages["names"].file_urls_request.file_names.extend([""] * (door.MOST_NAMES + 1))
    messages["a name"].file_urls_request.file_names.append("a" * (door.LONGEST_NAME + 1))
    return messages


@pytest.mark.parametrize("who", ["a stranger", "ada"])
@pytest.mark.parametrize("what", ["bytes", "no message", *too_much()])
def test_a_message_without_end_ends_the_connection(dashboard: Dashboard, ada: str, who: str, what: str) -> None:
    largest, cookie = (door.LARGEST, ada) if who == "ada" else (door.LARGEST_OF_GUESTS, "")
    sent = {"bytes": b"\0" * (largest + 1), "no message": b"\xff"}
    sent |= {name: message.SerializeToString() for name, message in too_much().items()}

    async def flood(tab: Viewer) -> None:
        assert tab._socket is not None
        await tab._socket.send(sent[what])
        while True:
            await tab._socket.recv()

    with pytest.raises(ConnectionClosed):
        visited(Viewer(dashboard.url, cookie=cookie), flood)


@pytest.mark.long
def test_a_stranger_is_given_no_place_for_a_file_and_so_many_messages_a_minute(dashboard: Dashboard, ada: str) -> None:
    files = BackMsg()
    files.file_urls_request.file_names.extend(["orders.csv", "more.csv"])

    async def said_again_and_again(tab: Viewer) -> None:
        for _ in range(door.MOST_OF_GUESTS + 1):
            await said(tab)

    async def talk() -> None:
        async with Viewer(dashboard.url) as stranger, Viewer(dashboard.url, cookie=ada) as clerk:
            for tab in (stranger, clerk):
                await tab.open()
                await said(tab)  # what is still on its way from the run
            assert await said(clerk, files) == ["file_urls_response", "heartbeat_ack"]
            assert await said(stranger, files) == ["heartbeat_ack"]
            with pytest.raises(ConnectionClosed):
                await said_again_and_again(stranger)
            assert await said(clerk, files) == ["file_urls_response", "heartbeat_ack"]

    done(talk())


def test_refused_handshakes_are_one_line_of_the_log_a_minute(dashboard: Dashboard) -> None:
    before = len(dashboard.log)
    assert {handshake(dashboard, Origin="http://evil.example") for _ in range(30)} == {403}
    lines = [line for line in dashboard.log[before:].splitlines() if "refused" in line or "handshake" in line]
    assert len(lines) <= 1, lines
    assert all(re.match(r"20\d\d-[0-9T:.-]{15,21}[+]00:00 refused", line) for line in lines), lines


@pytest.mark.long
@pytest.mark.parametrize("signs_in", [False, True])
def test_what_no_screen_says_is_not_heard(dashboard: Dashboard, *, signs_in: bool) -> None:
    """Of what is heard, one empties the caches of all and what this very tab remembers: who is signed in here, too."""

    async def say(tab: Viewer) -> None:
        if signs_in:
            await sign_in(tab, "eve", "a-password-of-theirs")
            tab.widgets = {}
        await said(tab)  # what is still on its way from the run
        assert await said(tab, *of_no_screen(tab.session)) == ["heartbeat_ack"]
        await tab.open()
        assert (("button", "Sign out") in tab.widgets) is signs_in

    visited(Viewer(dashboard.url), say)


async def sign_in(tab: Viewer, name: str, password: str) -> None:
    await press_sign_in(tab, name, password)
    await tab.open()
    assert ("button", "Sign out") in tab.widgets


@pytest.mark.long
def test_an_address_opens_so_many_pages_without_a_sign_in_and_no_more(dashboard: Dashboard, ada: str) -> None:
    async def crowd() -> None:
        async with AsyncExitStack() as open_:
            tabs = [await open_.enter_async_context(Viewer(dashboard.url)) for _ in range(MOST_GUESTS)]
            assert await knock(dashboard, Origin=dashboard.url) == 429
            assert await knock(dashboard, Origin=dashboard.url, Cookie=ada) == 101
            await tabs[0].open()
            await sign_in(tabs[0], "eve", "a-password-of-theirs")
            assert await knock(dashboard, Origin=dashboard.url) == 101

    done(crowd())
    assert handshake(dashboard, Origin=dashboard.url) == 101


def test_strangers_who_come_and_go_from_an_address_are_so_many_in_a_minute(dashboard: Dashboard, ada: str) -> None:
    """From another address of this machine than all other tests."""

    async def crowd() -> None:
        async def come_and_go(**headers: str) -> int:
            return await knock(dashboard, address="127.0.0.2", Origin=dashboard.url, **headers)

        assert [await come_and_go() for _ in range(MOST_HANDSHAKES + 5)] == [101] * MOST_HANDSHAKES + [429] * 5
        assert await come_and_go(Cookie=ada) == 101

    done(crowd())
    assert handshake(dashboard, Origin=dashboard.url) == 101


def test_who_claims_another_address_each_time_is_counted_as_one(dashboard: Dashboard) -> None:
    """Screens that wait for their code are counted by address, as tries to sign in are: 20 of one, no more."""
    claimed = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(25)]
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.3")  # no other test comes from there
    strangers = [httpx.Client(transport=elsewhere, headers=headers) for headers in claimed]
    assert [stranger.get(f"{dashboard.url}/customer/now").status_code for stranger in strangers].count(429) == 5
    elsewhere.close()


def of_a_tab(dashboard: Dashboard, cookie: str, then: Callable[[Viewer], Awaitable[object]]) -> Viewer:
    async def signed_in(tab: Viewer) -> None:
        assert ("button", "Sign out") in tab.widgets
        await then(tab)

    return visited(Viewer(dashboard.url, page="activity", cookie=cookie), signed_in)


async def come_back(tab: Viewer, cookie: str) -> str:
    """Lose the line, come back with this cookie, and draw the screen; the name of the session from then on."""
    tab.drop()
    tab.cookie, tab.widgets = cookie, {}
    await tab.come_back()
    await tab.open()
    return tab.session


def test_the_name_of_a_session_opens_it_for_its_person_alone(dashboard: Dashboard, ada: str, cookie_key: str) -> None:
    async def lose_the_line(tab: Viewer) -> None:
        theirs = tab.session
        assert await come_back(tab, cookie=ada) == theirs
        assert ("button", "Sign out") in tab.widgets
        assert await come_back(tab, cookie="") != theirs
        assert ("button", "Sign out") not in tab.widgets

    async def steal(tab: Viewer) -> None:
        await come_back(tab, cookie=cookie_of("eve", cookie_key, dashboard.url))
        assert ("button", "Sign out") not in tab.widgets

    of_a_tab(dashboard, ada, lose_the_line)
    of_a_tab(dashboard, ada, steal)


@pytest.mark.parametrize("whose", ["ada", "eve", "a till"])
def test_a_session_in_use_is_entered_by_nobody_who_has_its_name_and_not_what_opens_it(
    dashboard: Dashboard, data_dir: Path, ada: str, cookie_key: str, whose: str
) -> None:
    """By a cookie under which nobody has worked for too long, and by the key of a till at which somebody else is in."""
    theirs = cookie_of(whose, cookie_key, dashboard.url, ago=timedelta(minutes=40))
    if whose == "a till":
        theirs = cookie_at_a_till(dashboard, "bob", ago=timedelta(minutes=1))
        of_a_tab(dashboard, theirs, said)  # so that the door has heard of it

    async def press_in(tab: Viewer) -> None:
        session = tab.session
        tab.prepare("button", "Sign out", trigger_value=True)
        tab.cookie, tab.widgets = theirs, {}
        await tab.come_back()
        await tab.open()
        assert tab.session == session
        assert ("button", "Sign out") not in tab.widgets

    of_a_tab(dashboard, ada, press_in)
    of_a_tab(dashboard, ada, said)  # whose sign-in nobody has ended


def test_an_ended_cookie_reaches_no_session(dashboard: Dashboard, data_dir: Path, ada: str, cookie_key: str) -> None:
    bob = cookie_of("bob", cookie_key, dashboard.url, ago=timedelta(minutes=1))

    async def sign_out(tab: Viewer) -> None:
        with journal_in(data_dir) as journal:
            People(journal.database).sign_out("bob")
        async with asyncio.timeout(20):
            while ("button", "Sign out") in tab.widgets:
                tab.widgets.clear()
                await tab.open()

    async def take_over(tab: Viewer) -> None:
        await said(tab)
        async with Viewer(dashboard.url, cookie=bob, session=tab.session) as other:
            await other.open()
            assert other.session != tab.session
        assert await said(tab) == ["heartbeat_ack"]  # it has not noticed anything

    of_a_tab(dashboard, bob, sign_out)
    of_a_tab(dashboard, ada, take_over)

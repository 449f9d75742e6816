"""Three replicas behind the proxy on a PostgreSQL of two servers, with tills at work, while one after another fails.

What is judged is what the service was asked and what the journal says, not what the tills hoped.
"""

import asyncio
import ssl
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final

import httpx
import jwt

from components.platform.cookies.names import name_in_browser
from deploy.up.chain import Chain
from deploy.up.machine import ROOT
from tests.chain.till import Till
from tests.chain.two_servers import TwoServers
from warranty.access import Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Attempt, AttemptFilter
from warranty.people.accounts import account
from warranty.people.accounts.people import People

_CUT: Final = timedelta(seconds=3)
"""How long before the end of a desk a call may have begun that it did not bring to its end."""


@dataclass
class Judgement:
    """What became of an ordeal; seconds are those of the tills."""

    orders: int = 0
    sales: int = 0
    lost: list[str] = field(default_factory=list)
    """Orders and sales that a screen had confirmed, and neither the service has nor the journal sends by itself."""
    twice: list[str] = field(default_factory=list)
    """Orders on which more than one sale was recorded."""
    unexplained: list[str] = field(default_factory=list)
    """What is not known, although the desk that sent it was not killed over it."""
    unknown: int = 0
    given_up: list[str] = field(default_factory=list)
    """Orders that a person left for later, although no desk was killed over anything of theirs."""
    typed_anew: list[str] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    """Seconds from each loss of the line to a screen that can be used."""


class Ordeal:
    """A chain with tills; every way to break it is a method."""

    def __init__(self, *, tills: int, pause: float, upgraded_from: Path = ROOT) -> None:
        """The replicas begin as the program in the folder `upgraded_from`."""
        self.servers = TwoServers()
        self._root = upgraded_from
        self._killed: list[tuple[datetime, int]] = []
        self._tills = tills
        self._pause = pause

    @contextmanager
    def running(self) -> Iterator["Ordeal"]:
        """Start everything, and end it."""
        people = [f"till{number:02}" for number in range(self._tills)]
        more = {"WARRANTY_PURCHASE_WARRANTIES_PATH": "/api/purchase-warranties", "WARRANTY_DRAIN_SECONDS": "2"}
        self.chain = Chain(replicas=3, environment=more, database=self.servers, root=self._root)
        with self.chain:
            key = self._signed_up(people)
            tls = ssl.create_default_context(cafile=self.chain.proxy.ca_file)
            self.tills = [
                Till(name, self.chain.proxy.url, cookie_of(name, key, self.chain.proxy.url), tls, self._pause)
                for name in people
            ]
            yield self

    async def until(self, seconds: float, *, breaking: Sequence[tuple[float, Callable[[], None]]]) -> None:
        """Let the tills work for so long, and do each of these at its second."""
        began = monotonic()
        work = [asyncio.create_task(till.work(began + seconds)) for till in self.tills]
        for second, break_something in sorted(breaking, key=lambda one: one[0]):
            await asyncio.sleep(max(0.0, began + second - monotonic()))
            await asyncio.to_thread(break_something)
        await asyncio.wait_for(asyncio.gather(*work), timeout=seconds + 180)

    def one_after_another(self, *, every: float = 12.0, rounds: int = 1) -> list[tuple[float, Callable[[], None]]]:
        """What breaks and at which second: each replica is killed in turn, `rounds` times, half of them before the
        database fails over; then the desk is upgraded, one replica at a time.
        """
        kills = [partial(self.kill, number % 3) for number in range(2 * rounds)]
        upgrade = [partial(self.upgrade, number) for number in range(3)]
        steps: list[Callable[[], None]] = [*kills[:rounds], self.lose_the_primary, *kills[rounds:], *upgrade]
        return [(every * number, step) for number, step in enumerate(steps, start=1)]

    def kill(self, number: int) -> None:
        """End a replica as a machine that loses its power does, and start it again."""
        self._killed.append((datetime.now(UTC), number))
        self.chain.replicas[number].kill()
        self.chain.replicas[number].start()

    def upgrade(self, number: int) -> None:
        """End a replica in order, and start the program of now in its place: one step of a rolling upgrade."""
        replica = self.chain.replicas[number]
        replica.stop()
        replica.root = ROOT
        replica.start()

    def versions(self) -> set[str]:
        """The versions of the journal that the replicas' programs were made for."""
        said = [httpx.get(f"{replica.url}/version", timeout=30).json() for replica in self.chain.replicas]
        return {each["journal"] for each in said}

    def lose_the_primary(self) -> None:
        """Crash the first database server and promote the second."""
        self.servers.fail_over()

    def judged(self) -> Judgement:
        """Compare what the tills saw with the service's own record and with the journal."""
        written = [call for call in self._calls() if call["written"]]
        stored = {call["order_id"] for call in written if call["operation"] == "submit_order"}
        sold = Counter(call["order_id"] for call in written if call["operation"] == "record_sale")
        journal = open_journal(self.servers.url)
        attempts = journal.attempts("sandbox", AttemptFilter(limit=None))
        journal.close()
        unknown = [one for one in attempts if one.state.is_open]
        on_their_way = {one.order_id for one in attempts if one.waits}
        killed_over = {one.order_id for one in attempts if self._killed_over(one)}
        return Judgement(
            orders=sum(len(till.orders) for till in self.tills),
            sales=sum(len(till.sales) for till in self.tills),
            lost=[order for till in self.tills for order in till.orders if order not in stored | on_their_way]
            + [order for till in self.tills for order in till.sales if order not in sold],
            twice=[order for order, sales in sold.items() if sales > 1],
            unexplained=[self._story(one) for one in unknown if not self._was_cut(one)],
            unknown=len(unknown),
            given_up=[
                f"{order}: {seen}"
                for till in self.tills
                for order, seen in till.left.items()
                if order not in killed_over
            ],
            typed_anew=[f"{till.name}: {label}" for till in self.tills for label in till.typed_anew],
            back=[seconds for till in self.tills for seconds in till.away],
        )

    def _was_cut(self, attempt: Attempt) -> bool:
        """Whether its desk was killed over it: the one that told of its call, or any if none did."""
        told_by = self._told_by(attempt)
        return any(number in told_by or not told_by for number in self._killed_over(attempt))

    def _told_by(self, attempt: Attempt) -> list[int]:
        line = f'"attempt_id": "{attempt.attempt_id}"'
        return [number for number, replica in enumerate(self.chain.replicas) if line in replica.log]

    def _killed_over(self, attempt: Attempt) -> list[int]:
        """The desks that were killed while it may have been on its way."""
        return [number for end, number in self._killed if timedelta(0) <= end - attempt.started_at < _CUT]

    def _story(self, attempt: Attempt) -> str:
        """What a person needs to know to find out why it is not known."""
        kills = [f"{number} after {(end - attempt.started_at).total_seconds():.1f} s" for end, number in self._killed]
        return f"{attempt.operation} of {attempt.order_id}: told by {self._told_by(attempt)}, killed {kills}"

    def _signed_up(self, people: Sequence[str]) -> str:
        """The key of the cookies, once that program has made accounts: the journal is still its own."""
        told = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from tests.chain.ordeal import sign_up; print(sign_up(sys.argv[1], sys.argv[2:]))",
                self.servers.url,
                *people,
            ],
            cwd=self._root,
            check=True,
            capture_output=True,
            text=True,
        )
        return told.stdout.split()[-1]

    def _calls(self) -> list[dict[str, Any]]:
        tls = ssl.create_default_context(cafile=self.chain.service["ca_file"])
        answer = httpx.get(f"{self.chain.service['base_url']}/_sandbox/calls", verify=tls)
        calls: list[dict[str, Any]] = answer.raise_for_status().json()
        return calls


def sign_up(journal_url: str, names: Sequence[str], *, role: Role = Role.STAFF) -> str:
    """Make accounts; the key that the cookies of all people are signed with."""
    journal = open_journal(journal_url)
    for name in names:
        People(journal.database).put(account(name, name=name, role=role, password="counter-training", rounds=4))
    key = People(journal.database).accounts().cookie_key
    journal.close()
    return key


def cookie_of(name: str, key: str, url: str, *, environment: str = "sandbox", ago: timedelta = timedelta(0)) -> str:
    """The cookie, as the browser sends it to a desk at this address, of a person who signed in so long `ago`."""
    expires = (datetime.now(UTC) - ago + timedelta(hours=12)).timestamp()
    content = {"username": name, "exp_date": expires}
    return f"{name_in_browser(f'warranty_desk_{environment}', url)}={jwt.encode(content, key, algorithm='HS256')}"

"""Who may sign in, without a journal."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import uuid4

from components.people.sign_in.limits import Limits
from components.people.sign_in.sign_in import SignIn
from components.platform.cookies.tickets import Tickets
from warranty.access import Operator, Permission, Role
from warranty.people.accounts import Account, Accounts
from warranty.people.tills import TillDesk
from warranty.people.tills.tills import Till

ADA, EVE = (Account(name, name.title(), Role.MANAGER, "-") for name in ("ada", "eve"))


@dataclass
class People:
    accounts: dict[str, Account] = field(default_factory=dict)
    signed_out: dict[str, datetime] = field(default_factory=dict)
    refused_rights: list[tuple[str, Permission]] = field(default_factory=list)

    def __call__(self) -> Accounts:
        return Accounts(by_username=self.accounts, cookie_key="k" * 32, signed_out=self.signed_out)

    fresh = last = __call__

    def sign_out(self, username: str) -> None:
        self.signed_out[username] = datetime.now(UTC)

    def noted(self, *_: object, **__: object) -> None:
        """Nothing keeps it."""

    worked = came = refused = went = noted

    def denied(self, operator: Operator, permission: Permission) -> None:
        self.refused_rights.append((operator.username, permission))


class TicketsHere:
    def __init__(self) -> None:
        self.open: dict[str, str] = {}

    def give(self, content: str) -> str:
        ticket = f"ticket-{uuid4().hex}"
        self.open[ticket] = content
        return ticket

    def take(self, ticket: str) -> str | None:
        return self.open.pop(ticket, None)

    def was_taken(self, ticket: str) -> bool:
        return ticket not in self.open


class AnyNumber:
    def begin(self, name: str, address: str, device: str = "") -> timedelta:
        return timedelta(0)

    def succeeded(self, name: str, address: str, device: str = "") -> None:
        pass


class OneTill(TillDesk):
    """A till as a test wants it, at the browser that keeps "its-key", if any; notes what is done there."""

    def __init__(self, till: Till | None = None, left: datetime | None = None) -> None:
        self.till, self.left = till, left
        self.done: list[str] = []

    def at(self, key: str, *, fresh: bool = False) -> Till | None:
        return self.till if key == "its-key" else None

    def left_since(self, key: str, *, fresh: bool = False) -> datetime | None:
        return self.left if key == "its-key" else None

    def last_at(self, key: str) -> Till | None:
        return self.at(key)

    def lock(self, key: str, *, address: str = "") -> bool:
        self.done.append(f"locked {key}")
        return self.till is not None

    def signed_in_with_password(self, till: object, username: str) -> None:
        self.done.append(f"{username} came with a password")


NoTills = OneTill
"""A computer that is no till."""


def till_with(username: str = "", since: datetime | None = None) -> Till:
    return Till(
        till_id="till-1", name="Front", store_id="harbour", key_hash="", registered_by="maya",
        registered_at=datetime(2026, 1, 1, tzinfo=UTC), username=username,
        switched_by="badge" if username else "", since=since,
    )  # fmt: skip


def sign_in_of(people: Any = None, **parts: Any) -> SignIn:
    """The parts of signing in; of what a test does not name there is nothing: no till, no count of tries, no code."""
    nothing = {
        "cookie_name": "desk", "tickets": Tickets(cast(Any, TicketsHere()), patience=0), "tries": AnyNumber(),
        "tills": NoTills(), "limits": Limits(), "owes": lambda *_: False,
    }  # fmt: skip
    known: Any = people or People()
    return SignIn(people=known, **{**nothing, **parts})

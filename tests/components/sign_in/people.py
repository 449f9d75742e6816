"""Who may sign in, without a journal."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import uuid4

from warranty.access import Station
from warranty.accounts import Account, Accounts


@dataclass
class People:
    """Accounts and sign-outs as a test wants them."""

    accounts: dict[str, Account] = field(default_factory=dict)
    signed_out: dict[str, datetime] = field(default_factory=dict)

    def __call__(self) -> Accounts:
        return Accounts(by_username=self.accounts, cookie_key="k" * 32, signed_out=self.signed_out)

    def fresh(self) -> Accounts:
        return self()

    def last(self) -> Accounts:
        return self()

    def sign_out(self, username: str, moment: datetime) -> None:
        self.signed_out[username] = moment

    def worked(self, username: str, since: datetime) -> None:
        pass

    def came(self, username: str, address: str, at: Station | None = None) -> None:
        pass

    def refused(self, name: str, address: str, at: Station | None = None) -> None:
        pass

    def went(self, username: str, address: str, at: Station | None = None) -> None:
        pass


class TicketsHere:
    """Tickets for cookies without a journal, good until they are taken."""

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
    """Tries to sign in that nobody counts."""

    def begin(self, name: str, address: str, device: str = "") -> timedelta:
        return timedelta(0)

    def succeeded(self, name: str, address: str, device: str = "") -> None:
        pass


class NoTills:
    """A computer that is no till."""

    def at(self, key: str, *, fresh: bool = False) -> None:
        return None

    def left_since(self, key: str, *, fresh: bool = False) -> None:
        return None

    def last_at(self, key: str) -> None:
        return None

    def lock(self, key: str) -> bool:
        return False

    def signed_in_with_password(self, till: object, username: str) -> None:
        pass

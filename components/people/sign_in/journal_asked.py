"""What signing in asks of the journal."""

from datetime import datetime, timedelta
from typing import Protocol

from warranty.access import Operator, Permission, Station
from warranty.people.accounts import Accounts


class People(Protocol):
    """Who may sign in and who has signed out, at every desk of the shop."""

    def __call__(self) -> Accounts:
        """As they were seconds ago at most."""

    def fresh(self) -> Accounts:
        """As they are now."""

    def last(self) -> Accounts:
        """As they were seen last."""

    def sign_out(self, username: str, moment: datetime) -> None:
        """Have a person signed out, at every desk."""

    def worked(self, username: str, since: datetime) -> None:
        """Keep that somebody works under a sign-in."""

    def came(self, username: str, address: str, at: Station | None = None) -> None:
        """Write down that a person signed in."""

    def refused(self, name: str, address: str, at: Station | None = None) -> None:
        """Write down a wrong try."""

    def went(self, username: str, address: str, at: Station | None = None) -> None:
        """Write down that a person signed out."""

    def denied(self, operator: Operator, permission: Permission) -> None:
        """Write down that a person asked for what they may not."""


class Tries(Protocol):
    """The tries to sign in at every desk of the shop."""

    def begin(self, name: str, address: str, device: str = "") -> timedelta:
        """Count a try; gives how long it has to wait instead: then it must not be judged."""

    def succeeded(self, name: str, address: str, device: str = "") -> None:
        """Forget the tries of this name."""

"""The interface of the store: everything is read and written inside a transaction, whole or not at all."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from sandbox.store.model import Claim, Message, Order, Sale, SubscribedItem


class SandboxDataProblem(Exception):
    """The data file cannot be used; the sentence says why and what to do."""


class UnitTaken(Exception):
    """A unit of a line item carries a warranty already; the transaction must be given up."""


class Records(Protocol):
    """What can be read and written in one transaction."""

    def setting(self, name: str) -> str | None:
        """A value that outlives resets and restarts, such as a token."""

    def keep_setting(self, name: str, value: str) -> None:
        """Write or replace a setting."""

    def add_order(self, order: Order) -> bool:
        """Store an order with its line items and offers; False, and nothing changed, when its id is known."""

    def order(self, order_id: str) -> Order | None:
        """An order with everything it carries by now."""

    def order_ids(self) -> list[str]:
        """The ids of all orders, in the order in which they came."""

    def add_sale(self, sale: Sale) -> None:
        """Attach the warranties of a sale; `UnitTaken` when a unit carries one."""

    def add_message(self, message: Message) -> None:
        """Put a mail or text message into the outbox."""

    def messages(self) -> list[Message]:
        """The outbox, oldest first."""

    def subscribe(self, email: str) -> None:
        """Give a customer an active subscription; a second time changes nothing."""

    def subscribers(self) -> list[str]:
        """The addresses with an active subscription, in lower case."""

    def add_to_subscription(self, items: Iterable[SubscribedItem]) -> list[SubscribedItem]:
        """Take items into a subscription and return those that it did not hold yet."""

    def subscribed_items(self) -> list[SubscribedItem]:
        """What the subscriptions took in, oldest first."""

    def add_claims(self, claims: Sequence[Claim]) -> None:
        """Store claims."""

    def claims(self) -> list[Claim]:
        """All claims, by claim date."""

    def clear(self) -> None:
        """Remove everything but the settings."""


class Store(Protocol):
    """Opens transactions; one writes at a time, also when two processes share a file."""

    def transaction(self) -> AbstractContextManager[Records]:
        """Commits at the end of the block, rolls back when it raises."""

    def close(self) -> None:
        """Let go of the database."""

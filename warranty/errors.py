"""What can go wrong: `WarrantyError` at the service or on the way to it, `DeskError` on our side.

`nothing_written` is what decides whether a repeat is safe: never the HTTP verb. An error keeps what the
service said, word for word, and never a request body, a token, or anything about a customer of ours;
`repr` and `str` show the trace only (support's voice). The words for the person at the counter are made from
`Failure` in `warranty.guidance`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar

from warranty.language import Sentence


@dataclass(frozen=True, slots=True)
class Trace:
    """Where an error came from: the operation's name, our attempt id, and the HTTP status if one came.

    `wanted_pause` is what the service asked to be left alone for, where it did.
    """

    operation: str
    attempt_id: str
    status: int | None = None
    wanted_pause: timedelta | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AvailablePlan:
    """A plan that a refusal listed: its term in months and its type, as the service named them."""

    months: int
    type: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as plain data: it survives a pickle, a database row and a reload of the page.

    `kind` is the name of the error class, `service_words` the sentences of the service, unchanged.
    """

    kind: str
    operation: str
    attempt_id: str
    status: int | None
    nothing_written: bool
    service_words: tuple[str, ...] = field(default=(), repr=False)
    plans: tuple[AvailablePlan, ...] = ()


class WarrantyError(Exception):
    """A call to the warranty service that did not end as asked."""

    nothing_written: ClassVar[bool] = False

    def __init__(self, *, trace: Trace, service_words: Sequence[str] = (), plans: Sequence[AvailablePlan] = ()) -> None:
        super().__init__(trace.operation, trace.attempt_id, trace.status)
        self.trace = trace
        self.service_words = tuple(service_words)
        self.plans = tuple(plans)

    def __str__(self) -> str:
        status = "no status" if self.trace.status is None else f"status {self.trace.status}"
        attempt = f"attempt {self.trace.attempt_id}, " if self.trace.attempt_id else ""
        return f"{type(self).__name__}: {self.trace.operation}, {attempt}{status}"

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def failure(self) -> Failure:
        """The same as plain data, for the journal and for the words at the counter."""
        return Failure(
            kind=type(self).__name__,
            operation=self.trace.operation,
            attempt_id=self.trace.attempt_id,
            status=self.trace.status,
            nothing_written=self.nothing_written,
            service_words=self.service_words,
            plans=self.plans,
        )


class NotSent(WarrantyError):
    """Nothing left this machine (no connection, no name, no handshake)."""

    nothing_written = True


class OutcomeUnknown(WarrantyError):
    """Something was sent and no usable answer came: the service may or may not have acted."""


class Answered(WarrantyError):
    """The service answered, and not with success."""


class CredentialRefused(Answered):
    """401: the token is not recognised (Errors). Nothing written is our assumption."""

    nothing_written = True


class RequestRefused(Answered):
    """400: the request breaks a rule; nothing is written (Errors)."""

    nothing_written = True


class BillingAddressMissing(Answered):
    """The bare 404 of POST /api/carts: no billing_address was sent."""

    nothing_written = True


class OrderNotFound(Answered):
    """404 of POST /api/post-purchase-checkout: no such order under this account."""

    nothing_written = True


class ServiceFailed(Answered):
    """5xx: the service failed; whether it wrote is not said."""


class UnexpectedAnswer(Answered):
    """A status or a body that the written interface does not show."""


class DeskError(Exception):
    """Something on our side of the wire; the service was not asked."""


class SettingsProblem(DeskError, ValueError):
    """The configuration cannot be used; the text names the setting and what to do, never its value."""


class PermissionDenied(DeskError):
    """This role may not do that."""

    def __init__(self, *, permission: str, role: str) -> None:
        super().__init__(Sentence("The role {role} may not {permission}.", role=role, permission=permission))
        self.permission = permission
        self.role = role


class SignedOut(DeskError):
    """Whoever asks is signed in no more: signed out anywhere, removed, or with another password since."""

    def __init__(self) -> None:
        super().__init__(Sentence("Nobody is signed in."))


class JournalUnavailable(DeskError):
    """The journal could not be written, so nothing was sent."""


class LeaseHeld(DeskError):
    """Another program is doing what one at a time may do; `holder` names machine and process, `until` is in UTC."""

    def __init__(self, name: str, holder: str, until: datetime) -> None:
        until_words = f"{until:%Y-%m-%d %H:%M:%S} UTC"
        super().__init__(
            Sentence(
                "{holder} holds the lease {name}, until {until} or longer.", holder=holder, name=name, until=until_words
            )
        )
        self.name = name
        self.holder = holder
        self.until = until


class LeaseLost(DeskError):
    """Another program took over what this one was doing, so this one must not go on."""

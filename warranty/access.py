"""Who may do what: operators, their roles, and what each role is granted.

The menu hides what a role may not open, but the menu is not the authorisation: every screen opens
with its gate, and the desk asks again before it sends anything.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Self

from warranty.errors import PermissionDenied, SignedOut


class Permission(StrEnum):
    """One thing that an operator may do."""

    SUBMIT_ORDERS = "submit orders"
    IMPORT_ORDERS = "import orders"
    RECORD_SALES = "record sales"
    NOTIFY_CHECKOUTS = "notify checkouts"
    READ_CLAIMS = "read claims"
    EXPORT_CLAIMS = "export claims"
    SEE_OVERVIEW = "see the overview"
    SEE_TRENDS = "see trends"
    WRITE_NOTES = "write notes"
    IMPORT_PLANS_SOLD = "import plans sold"
    SEE_OWN_ACTIVITY = "see own activity"
    SEE_ALL_ACTIVITY = "see all activity"
    EXPORT_ACTIVITY = "export activity"
    SETTLE_OTHERS = "settle others' entries"
    SEE_SHIFT_REPORT = "see the shift report"
    MANAGE_CATALOGUE = "manage the catalogue"
    SEE_SERVICE_DRIFT = "see the service's drift"
    CHECK_CONNECTION = "check the connection"
    CONTROL_SANDBOX = "control the sandbox"
    ADMINISTER_ACCOUNTS = "administer accounts"
    SEE_AUDIT = "see the audit trail"
    SEE_TO_PRIVACY = "see to what is held about a customer"
    REGISTER_TILLS = "register tills"
    SET_OWN_PIN = "set one's own PIN"


class Role(StrEnum):
    """What an operator is in the shop."""

    STAFF = "staff"
    MANAGER = "manager"
    ADMINISTRATOR = "administrator"


_STAFF: Final = frozenset(
    {
        Permission.SUBMIT_ORDERS,
        Permission.IMPORT_ORDERS,
        Permission.RECORD_SALES,
        Permission.NOTIFY_CHECKOUTS,
        Permission.READ_CLAIMS,
        Permission.SEE_OWN_ACTIVITY,
        Permission.CHECK_CONNECTION,
        Permission.SET_OWN_PIN,
    }
)

_ADMINISTRATOR: Final = frozenset(
    {
        Permission.ADMINISTER_ACCOUNTS,
        Permission.SEE_AUDIT,
        Permission.SEE_TO_PRIVACY,
        Permission.CHECK_CONNECTION,
        Permission.SEE_SERVICE_DRIFT,
        Permission.REGISTER_TILLS,
        Permission.SET_OWN_PIN,
    }
)
_OF_ADMINISTRATORS_ALONE: Final = frozenset(
    {Permission.ADMINISTER_ACCOUNTS, Permission.SEE_AUDIT, Permission.SEE_TO_PRIVACY}
)

GRANTS: Final[Mapping[Role, frozenset[Permission]]] = MappingProxyType(
    {
        Role.STAFF: _STAFF,
        Role.MANAGER: frozenset(Permission) - _OF_ADMINISTRATORS_ALONE,
        Role.ADMINISTRATOR: _ADMINISTRATOR,
    }
)
"""Who runs the shop does not decide who may sign in, and who decides that neither sells nor sees a customer
(docs/decisions/gate.md).
"""

BY_PIN: Final = _STAFF - {Permission.SET_OWN_PIN}
"""What a PIN or a badge opens at a till, of what the role is granted: nothing that staff may not, and no new PIN."""
FIRST_STORE: Final = "main"
"""The id of the store that every journal has."""


def roles_with(permission: Permission) -> tuple[Role, ...]:
    """The roles that are granted it, in the order of `Role`."""
    return tuple(role for role in Role if permission in GRANTS[role])


@dataclass(frozen=True, slots=True)
class Station:
    """Where a person works: the id of the store, and of the registered till, "" away from any.

    `switched_by` is "pin" or "badge" where that alone let the person in, at the till; else "". `sold_by` and
    `sold_by_name` are the login name and the name of the colleague who sold what they enter; "" for themselves.
    """

    store_id: str = FIRST_STORE
    till_id: str = ""
    switched_by: str = ""
    sold_by: str = ""
    sold_by_name: str = ""


AWAY: Final = Station()
"""At no registered till, in the first store."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A signed-in person: the login name, the name colleagues read, and the role.

    `as_of_now` looks up who that is by now, None for nobody: what acts asks it, since a tab may be older than its
    person's sign-out, removal or other role. Who came with a one-time password may nothing but change it, who owes the
    second factor nothing but give it.
    `address` is that of the browser; empty where it is not known. `at` says where: who was switched in at a till may
    less than their role. `by_provider` is who has no password here, but signs in at the shop's identity provider.
    `on_refusal` is called with what they asked for and may not.
    """

    username: str
    name: str
    role: Role
    must_change_password: bool = False
    owes_second_factor: bool = False
    by_provider: bool = False
    as_of_now: "Callable[[], Operator | None] | None" = field(default=None, compare=False, repr=False)
    on_refusal: "Callable[[Operator, Permission], None] | None" = field(default=None, compare=False, repr=False)
    address: str = field(default="", compare=False, repr=False)
    at: Station = AWAY

    def may(self, permission: Permission) -> bool:
        """Tell whether this person's role is granted `permission`, and the way in which they came in opens it."""
        is_whole = not (self.must_change_password or self.owes_second_factor)
        if not is_whole or (self.at.switched_by and permission not in BY_PIN):
            return False
        return permission in GRANTS[self.role]

    def require(self, permission: Permission) -> None:
        """Raise `PermissionDenied` unless this person may do it."""
        if not self.may(permission):
            if self.on_refusal is not None:
                self.on_refusal(self, permission)
            raise PermissionDenied(permission=permission.value, role=self.role.value)

    def acts(self, permission: Permission) -> None:
        """As `require`, by what holds at this moment at every desk; for what sends, settles, changes or gives out.

        Raises `SignedOut`, `PermissionDenied`, and `JournalUnavailable`.
        """
        now = self._now()
        if now is None:
            raise SignedOut
        replace(now, address=self.address, on_refusal=self.on_refusal).require(permission)

    def is_still_in(self) -> bool:
        """Whether this person is signed in at this moment. Raises `JournalUnavailable`."""
        return self._now() is not None

    def _now(self) -> "Operator | None":
        return self.as_of_now() if self.as_of_now else self

    def for_long_work(self) -> Self:
        """The person as they were when they began it: it goes on after their shift has ended."""
        return replace(self, as_of_now=None)

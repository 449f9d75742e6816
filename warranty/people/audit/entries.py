"""What a row of the audit trail holds, as plain frozen values: no customer, no password, no address of a browser."""

import getpass
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from warranty.access import Operator


class AuditKind(StrEnum):
    """What was done. A row of another version of the program may be of a kind that this one does not know."""

    SIGN_IN = "sign-in"
    WRONG_TRY = "wrong try"
    SIGN_OUT = "sign-out"
    REFUSED = "refused right"
    SWITCH = "switch"
    EXPORT = "export"
    LOOKED_UP = "claims looked up"
    SETTLEMENT = "settlement"
    IMPORT = "import"
    ACCOUNT = "account"
    SHOP_FILE = "shop file"
    SETTINGS = "settings"
    PRIVACY = "privacy"
    PURGE = "purge"


@dataclass(frozen=True, slots=True)
class By:
    """Who did it: the login name (of the machine's, for a command), the role, and from where.

    `address` is the browser's; it is kept as a keyed hash alone. `till` and `store` are empty where there are none.
    """

    username: str = ""
    role: str = ""
    address: str = ""
    till: str = ""
    store: str = ""

    @classmethod
    def operator(cls, operator: Operator) -> Self:
        """A person who is signed in; one without a name is whoever runs a command on this machine."""
        if not operator.username:
            return cls.command()
        at = operator.at
        return cls(operator.username, operator.role.value, operator.address, till=at.till_id, store=at.store_id)

    @classmethod
    def command(cls) -> Self:
        """Whoever runs a command on this machine."""
        try:
            name = getpass.getuser()
        except (OSError, KeyError):  # a container's user may have no name
            name = ""
        return cls(name, "command")

    @classmethod
    def program(cls) -> Self:
        """Nobody: what the program does by itself."""
        return cls("", "program")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One row: `number` counts from 1 without gaps, `recorded_at` is aware, in UTC, `details` are short and in English.

    `before` is the `seal` of the row before it, `sealed_with` names its secret.
    """

    number: int
    recorded_at: datetime
    environment: str
    kind: str
    username: str
    role: str
    address: str
    till: str
    store: str
    details: Mapping[str, str | int]
    sealed_with: str
    before: str
    seal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Which rows are asked for; what is None does not narrow. `start` and `end` are aware moments, `end` not in it."""

    start: datetime | None = None
    end: datetime | None = None
    username: str | None = None
    kind: str | None = None
    limit: int | None = None
    offset: int = 0

"""What an operator is in the shop, in a word."""

from collections.abc import Mapping
from typing import Final

from warranty.access import Role
from warranty.language import N_, _

_ROLES: Final[Mapping[Role, str]] = {
    Role.STAFF: N_("staff"),
    Role.MANAGER: N_("manager"),
    Role.ADMINISTRATOR: N_("administrator"),
}


def role_words(role: Role) -> str:
    """The role as it stands in a sentence: `manager`."""
    return _(_ROLES[role])

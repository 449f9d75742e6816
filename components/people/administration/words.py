"""What roles and the state of an account are called."""

from collections.abc import Mapping
from typing import Final

from warranty.access import Role
from warranty.language import N_, _
from warranty.people.accounts import Account

ROLES: Final[Mapping[Role, str]] = {
    Role.STAFF: N_("Staff: sells"),
    Role.MANAGER: N_("Manager: runs the shop"),
    Role.ADMINISTRATOR: N_("Administrator: looks after accounts"),
}


def role_words(role: Role) -> str:
    """The role and what it is for."""
    return _(ROLES[role])


def state_words(account: Account, *, is_trainee: bool) -> str:
    """How an account stands."""
    if is_trainee:
        return _("For training")
    if account.locked:
        return _("Locked")
    if account.issuer:
        return _("Active, by the provider")
    if account.one_time_until is not None:
        return _("Invited, not here yet")
    return _("Active")

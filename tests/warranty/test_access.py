"""What each role may, as a table."""

from warranty.access import GRANTS, Operator, Permission, Role, roles_with


def test_who_decides_who_signs_in_neither_sells_nor_sees_a_customer() -> None:
    administrator = Operator("alex", "Alex", Role.ADMINISTRATOR)
    assert administrator.may(Permission.ADMINISTER_ACCOUNTS)
    for right in (
        Permission.SUBMIT_ORDERS,
        Permission.READ_CLAIMS,
        Permission.SEE_OWN_ACTIVITY,
        Permission.SEE_ALL_ACTIVITY,
        Permission.SETTLE_OTHERS,
        Permission.EXPORT_CLAIMS,
        Permission.EXPORT_ACTIVITY,
    ):
        assert not administrator.may(right)


def test_a_manager_may_all_that_staff_may_and_administers_no_accounts() -> None:
    assert GRANTS[Role.STAFF] < GRANTS[Role.MANAGER]
    assert roles_with(Permission.ADMINISTER_ACCOUNTS) == (Role.ADMINISTRATOR,)
    assert roles_with(Permission.SETTLE_OTHERS) == (Role.MANAGER,)


def test_nothing_may_be_done_by_nobody() -> None:
    assert [permission for permission in Permission if not roles_with(permission)] == []

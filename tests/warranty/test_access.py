"""What each role may, as a table."""

from warranty.access import GRANTS, Permission, Role, roles_with


def test_who_decides_who_signs_in_neither_sells_nor_sees_a_customer() -> None:
    assert Permission.ADMINISTER_ACCOUNTS in GRANTS[Role.ADMINISTRATOR]
    assert not GRANTS[Role.ADMINISTRATOR] & {
        Permission.SUBMIT_ORDERS, Permission.READ_CLAIMS, Permission.SEE_OWN_ACTIVITY, Permission.SEE_ALL_ACTIVITY,
        Permission.SETTLE_OTHERS, Permission.EXPORT_CLAIMS, Permission.EXPORT_ACTIVITY,
    }  # fmt: skip


def test_staff_take_nothing_away_see_their_own_alone_and_run_nothing() -> None:
    assert Permission.SUBMIT_ORDERS in GRANTS[Role.STAFF]
    of_managers = {
        Permission.EXPORT_CLAIMS, Permission.EXPORT_ACTIVITY, Permission.SEE_ALL_ACTIVITY, Permission.SETTLE_OTHERS,
        Permission.MANAGE_CATALOGUE, Permission.REGISTER_TILLS, Permission.IMPORT_PLANS_SOLD,
    }  # fmt: skip
    assert of_managers <= GRANTS[Role.MANAGER] - GRANTS[Role.STAFF]


def test_a_manager_may_all_that_staff_may_and_nothing_may_be_done_by_nobody() -> None:
    assert GRANTS[Role.STAFF] < GRANTS[Role.MANAGER]
    assert roles_with(Permission.ADMINISTER_ACCOUNTS) == (Role.ADMINISTRATOR,)
    assert roles_with(Permission.SETTLE_OTHERS) == (Role.MANAGER,)
    assert [permission for permission in Permission if not roles_with(permission)] == []

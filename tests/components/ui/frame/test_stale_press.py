"""A press in a tab whose person is out by now does nothing: callbacks run before the shell that would say so."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from components.platform import session
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission, Role
from warranty.errors import PermissionDenied, SignedOut

ADA = Operator(username="ada", name="Ada", role=Role.MANAGER)


@pytest.mark.parametrize(("by_now", "done"), [(lambda: ADA, ["pressed"]), (lambda: None, [])], ids=["in", "out"])
def test_only_who_is_still_signed_in_presses_anything(
    by_now: Callable[[], Operator | None], done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "current_operator", lambda: replace(ADA, as_of_now=by_now))
    did: list[str] = []
    reporting_outage(did.append)("pressed")
    assert did == done


@pytest.mark.parametrize("refusal", [SignedOut(), PermissionDenied(permission=Permission.WRITE_NOTES, role=Role.STAFF)])
def test_what_the_desk_refuses_by_then_is_left_to_the_screen_that_follows(refusal: Exception) -> None:
    def act() -> None:
        raise refusal

    reporting_outage(act)()

"""What a person can do from any screen: the menu behind the name has it, and one field finds it (components/keys)."""

from collections.abc import Callable
from dataclasses import dataclass

from warranty.access import Operator, Permission
from warranty.language import _


@dataclass(frozen=True, slots=True)
class Action:
    """One of them: its name, by which the page knows it, what it says, and its sign.

    `act` does it, for callbacks; None where the page itself does (page_keys.js, page_till.js).
    """

    name: str
    words: str
    icon: str = ""
    act: Callable[[], None] | None = None
    about: str = ""


def own_actions(
    operator: Operator,
    *,
    customer_screen: Callable[[], None],
    change_password: Callable[[], None],
    tour: Callable[[], None] | None,
    choose_pin: Callable[[], None],
    sign_out: Callable[[], None],
) -> list[Action]:
    """Those of this person; `tour` begins one, where there is a sandbox to take it in."""
    actions = [
        Action("open-find", _("Find"), "search"),
        Action("open-keys", _("Keys"), "keyboard", about=_("Help: which keys there are on this screen")),
        Action("customer-screen", _("Customer's screen"), "connected_tv", customer_screen),
    ]
    if tour:
        actions.append(Action("take-the-tour", _("Take the tour"), "tour", tour))
    if not (operator.at.switched_by or operator.by_provider):
        actions.append(Action("change-password", _("Change my password"), "key", change_password))
    if operator.may(Permission.SET_OWN_PIN):
        actions.append(Action("own-pin", _("My PIN"), "dialpad", choose_pin))
    if operator.at.till_id:
        actions.append(Action("switch-person", _("Switch person"), "lock"))
    leaves = "" if operator.at.switched_by else _("At every desk and device")
    return [*actions, Action("sign-out", _("Sign out"), "logout", sign_out, about=leaves)]

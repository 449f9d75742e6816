"""The registry of screens, and the menu that a role sees of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from components import session
from warranty.access import Operator, Permission

_WANTED = "wanted-screen"


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen: its file under pages/, what the menu calls it, and what one must be allowed to open it."""

    name: str
    title: str
    permission: Permission

    @property
    def path(self) -> str:
        """The file, as seen from the shell's folder."""
        return f"../pages/{self.name}.py"


SCREENS: Final[Sequence[Screen]] = (
    Screen("submit_order", "New order", Permission.SUBMIT_ORDERS),
    Screen("import_orders", "Import", Permission.IMPORT_ORDERS),
    Screen("record_sale", "Record sale", Permission.RECORD_SALES),
    Screen("notify_checkout", "Checkout", Permission.NOTIFY_CHECKOUTS),
    Screen("claims", "Claims", Permission.READ_CLAIMS),
    Screen("claim_trends", "Trends", Permission.SEE_TRENDS),
    Screen("activity", "Activity", Permission.SEE_OWN_ACTIVITY),
    Screen("shift_report", "Shift report", Permission.SEE_SHIFT_REPORT),
    Screen("connection", "Connection", Permission.CHECK_CONNECTION),
)


def menu_for(operator: Operator) -> list[st.Page]:
    """The screens that this person may open, in the order of a day's work; the first is the start."""
    allowed = [screen for screen in SCREENS if operator.may(screen.permission)]
    return [
        st.Page(
            screen.path,
            title=screen.title,
            url_path=screen.name,
            default=screen is allowed[0],
        )
        for screen in allowed
    ]


def remember_wanted() -> None:
    """Before sign-in: keep which screen the address asks for, since Streamlit forgets it at the first click."""
    path = urlsplit(st.context.url or "").path.strip("/")
    session.remember(_WANTED, (path.rsplit("/", 1)[-1], st.query_params.to_dict()))


def continue_to_wanted(operator: Operator, page: st.Page) -> None:
    """After sign-in: open the screen that the address asked for, where this person may; once."""
    nothing: tuple[str, dict[str, str]] = ("", {})
    wanted, query = session.recall(_WANTED, nothing)
    session.forget(_WANTED)
    if page.url_path != wanted and any(
        screen.name == wanted and operator.may(screen.permission) for screen in SCREENS
    ):
        go_to(wanted, **query)


def go_to(name: str, **query: str) -> None:
    """Open another screen, as a click on the menu would."""
    st.switch_page(f"../pages/{name}.py", query_params=query)

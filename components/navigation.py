"""The registry of screens, and the menu that a role sees of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

import streamlit as st

from components import session
from warranty.access import Operator, Permission
from warranty.language import N_, _

_WANTED = "wanted-screen"
_PRESSED = "went-to"
_LONGEST_PARAMETER: Final = 5_000


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen: its file under pages/, what the menu calls it and says of it (`_` says both where they are drawn), what one
    must be allowed to open it, its sign, and the key that opens it from any other, if there is one.
    """

    name: str
    title: str
    said: str
    permission: Permission
    icon: str
    key: str = ""

    @property
    def path(self) -> str:
        """The file, as seen from the shell's folder."""
        return f"../pages/{self.name}.py"


SCREENS: Final[Sequence[Screen]] = (
    Screen(
        "submit_order",
        N_("New order"),
        N_("send an order, hand over its link"),
        Permission.SUBMIT_ORDERS,
        ":material/add_shopping_cart:",
        "F2",
    ),
    Screen(
        "record_sale",
        N_("Record sale"),
        N_("a plan sold after the order"),
        Permission.RECORD_SALES,
        ":material/verified_user:",
        "F4",
    ),
    Screen(
        "notify_checkout",
        N_("Checkout"),
        N_("a sale that includes its warranties"),
        Permission.NOTIFY_CHECKOUTS,
        ":material/shopping_bag:",
        "F8",
    ),
    Screen(
        "import_orders",
        N_("Import"),
        N_("many orders from a file"),
        Permission.IMPORT_ORDERS,
        ":material/upload_file:",
        "F9",
    ),
    Screen(
        "claims",
        N_("Claims"),
        N_("what customers claimed"),
        Permission.READ_CLAIMS,
        ":material/assignment:",
    ),
    Screen(
        "claim_trends",
        N_("Trends"),
        N_("claims as figures and charts"),
        Permission.SEE_TRENDS,
        ":material/monitoring:",
    ),
    Screen(
        "activity",
        N_("Activity"),
        N_("what was sent, what is open"),
        Permission.SEE_OWN_ACTIVITY,
        ":material/history:",
    ),
    Screen(
        "shift_report",
        N_("Shift report"),
        N_("orders, sales and revenue of a day"),
        Permission.SEE_SHIFT_REPORT,
        ":material/summarize:",
    ),
    Screen(
        "people",
        N_("People"),
        N_("who may sign in"),
        Permission.ADMINISTER_ACCOUNTS,
        ":material/group:",
    ),
    Screen(
        "audit",
        N_("Audit"),
        N_("who did what; what is held about a customer"),
        Permission.SEE_AUDIT,
        ":material/policy:",
    ),
    Screen(
        "connection",
        N_("Connection"),
        N_("environment, tokens, last calls"),
        Permission.CHECK_CONNECTION,
        ":material/cable:",
    ),
)


def first_screen(operator: Operator | None) -> Screen:
    """The screen that a person begins with: the first of a day's work that they may open."""
    mine = (screen for screen in SCREENS if operator is not None and operator.may(screen.permission))
    return next(mine, SCREENS[0])


def menu(operator: Operator | None) -> st.Page:
    """Draw the screens that this person may open, in the order of a day's work, and give the one that is asked for.

    Nobody signed in: no menu. The platform is told of every screen, and of the address that is none: for what it does
    not know it opens the first screen, and for who is told no menu it leaves the last person's.
    """
    first = first_screen(operator)
    pages = [
        st.Page(
            screen.path,
            title=_(screen.title),
            icon=screen.icon,
            url_path=screen.name,
            default=screen is first,
            visibility="visible" if operator and operator.may(screen.permission) else "hidden",
        )
        for screen in SCREENS
    ]
    asked = {_asked_for(), unquote(_asked_for())} - {"", *(screen.name for screen in SCREENS)}
    pages += [
        st.Page(_no_such_screen, title=_("No such screen"), url_path=name, visibility="hidden")
        for name in asked
        if "/" not in name
    ]
    return st.navigation(pages, position="top" if operator else "hidden")


def _asked_for() -> str:
    return urlsplit(st.context.url or "").path.strip("/").rsplit("/", 1)[-1]


def _no_such_screen() -> None:
    st.title(_("No such screen"))
    st.write(
        _("There is no screen at this address. It may have been typed wrongly, or cut off in a message.")
    )
    first = first_screen(session.current_operator())
    st.page_link(first.path, label=_("Open {screen}", screen=_(first.title)))


def remember_wanted() -> None:
    """Before sign-in: keep which screen the address asks for, since Streamlit forgets it at the first click."""
    session.remember(_WANTED, (_asked_for(), st.query_params.to_dict()))


def bound_address() -> None:
    """Drop what no link of ours is as long as, before a screen reads it."""
    for name, value in st.query_params.to_dict().items():
        if len(value) > _LONGEST_PARAMETER:
            del st.query_params[name]


def continue_to_wanted(operator: Operator, page: st.Page) -> None:
    """After sign-in: open the screen that the address asked for, where this person may, their first for none; once."""
    nothing: tuple[str, dict[str, str]] = ("", {})
    wanted, query = session.recall(_WANTED, nothing)
    if session.recall(_WANTED, None) is not None and not wanted:
        wanted = first_screen(operator).name
    session.forget(_WANTED)
    if page.url_path != wanted and any(
        screen.name == wanted and operator.may(screen.permission) for screen in SCREENS
    ):
        _open(wanted, query)


def go_to(name: str, /, **query: str) -> None:
    """Open another screen, as a click on the menu would; whatever the query's words are called."""
    session.remember(_PRESSED, query)
    _open(name, query)


def was_pressed(**query: str) -> bool:
    """Whether a press of ours led here with these words of the address, and no link that somebody sent."""
    pressed: dict[str, str] = session.recall(_PRESSED, {})
    return pressed == query


def _open(name: str, query: dict[str, str]) -> None:
    st.switch_page(f"../pages/{name}.py", query_params=query)

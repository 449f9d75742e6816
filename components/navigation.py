"""The registry of screens, and the menu that a role sees of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

import streamlit as st

from components.platform import session
from warranty.access import Operator, Permission
from warranty.language import N_, _

_WANTED = "wanted-screen"
_PRESSED = "went-to"
_LONGEST_PARAMETER: Final = 5_000
_HOME: Final = "home."
"""The name of no address: a screen's has no dot (platform/page.py)."""

Group = Literal["sell", "follow up", "shop", "system"]
"""What a screen is for; the bar has a line between two of them (platform/page.py)."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen: its file under pages/, what it is for, what the menu calls it and says of it (`_` says both where they
    are drawn), what one must be allowed to open it, its sign, and the key that opens it from any other, "" for none.
    """

    name: str
    group: Group
    title: str
    summary: str
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
        "sell",
        N_("New order"),
        N_("An order sold without a warranty: send it, hand over its link"),
        Permission.SUBMIT_ORDERS,
        ":material/add_shopping_cart:",
        "F2",
    ),
    Screen(
        "record_sale",
        "sell",
        N_("Record sale"),
        N_("A warranty sold at the counter, after its order"),
        Permission.RECORD_SALES,
        ":material/verified_user:",
        "F4",
    ),
    Screen(
        "notify_checkout",
        "sell",
        N_("Checkout"),
        N_("An order sold together with its warranties"),
        Permission.NOTIFY_CHECKOUTS,
        ":material/shopping_bag:",
        "F8",
    ),
    Screen(
        "import_orders",
        "sell",
        N_("Import"),
        N_("Many orders from a file"),
        Permission.IMPORT_ORDERS,
        ":material/upload_file:",
        "F9",
    ),
    Screen(
        "overview",
        "follow up",
        N_("Overview"),
        N_("What is open, came, was sold and needs a person"),
        Permission.SEE_OVERVIEW,
        ":material/home:",
    ),
    Screen(
        "claims",
        "follow up",
        N_("Claims"),
        N_("What customers claimed"),
        Permission.READ_CLAIMS,
        ":material/assignment:",
    ),
    Screen(
        "claim_trends",
        "follow up",
        N_("Trends"),
        N_("How soon claims come, how long they take, what is to come"),
        Permission.SEE_TRENDS,
        ":material/monitoring:",
    ),
    Screen(
        "activity",
        "shop",
        N_("Activity"),
        N_("What was sent, what is open"),
        Permission.SEE_OWN_ACTIVITY,
        ":material/history:",
    ),
    Screen(
        "shift_report",
        "shop",
        N_("Shift report"),
        N_("Orders, sales and revenue of a day"),
        Permission.SEE_SHIFT_REPORT,
        ":material/summarize:",
    ),
    Screen("people", "system", N_("People"), N_("Who may sign in"), Permission.ADMINISTER_ACCOUNTS, ":material/group:"),
    Screen(
        "audit",
        "system",
        N_("Audit"),
        N_("Who did what; what is held about a customer"),
        Permission.SEE_AUDIT,
        ":material/policy:",
    ),
    Screen(
        "connection",
        "system",
        N_("Connection"),
        N_("Environment, tokens, last calls"),
        Permission.CHECK_CONNECTION,
        ":material/cable:",
    ),
)


def first_screen(operator: Operator | None) -> Screen:
    """The screen that a person begins with: Overview, for who sees it, else the first that they may open."""
    if operator is not None and operator.may(Permission.SEE_OVERVIEW):
        return next(screen for screen in SCREENS if screen.name == "overview")
    mine = (screen for screen in SCREENS if operator is not None and operator.may(screen.permission))
    return next(mine, SCREENS[0])


def menu(operator: Operator | None) -> st.Page:
    """Draw the screens that this person may open, in the order of a day's work, and give the one that is asked for.

    Nobody signed in: no menu. The platform is told of every screen, and of the address that is none: for what it does
    not know it opens the first screen, and for who is told no menu it leaves the last person's. The bare address is no
    screen, since it would be another one for each role; `continue_to_wanted` goes on from it.
    """
    pages = [
        st.Page(
            screen.path,
            title=_(screen.title),
            icon=screen.icon,
            help=_(screen.summary),
            url_path=screen.name,
            visibility="visible" if operator and operator.may(screen.permission) else "hidden",
        )
        for screen in SCREENS
    ]
    pages.append(st.Page(_no_such_screen, title="Warranty Desk", url_path=_HOME, default=True, visibility="hidden"))
    requested = {_requested_name(), unquote(_requested_name())} - {"", _HOME, *(screen.name for screen in SCREENS)}
    pages += [
        st.Page(_no_such_screen, title=_("No such screen"), url_path=name, visibility="hidden")
        for name in requested
        if "/" not in name
    ]
    return st.navigation(pages, position="top" if operator else "hidden")


def _requested_name() -> str:
    return urlsplit(st.context.url or "").path.strip("/").rsplit("/", 1)[-1]


def _no_such_screen() -> None:
    st.title(_("No such screen"))
    st.write(_("There is no screen at this address. It may have been typed wrongly, or cut off in a message."))
    first = first_screen(session.current_operator())
    st.page_link(first.path, label=_("Open {screen}", screen=_(first.title)))


def remember_wanted() -> None:
    """Before sign-in: keep which screen the address asks for, since Streamlit forgets it at the first click."""
    session.remember(_WANTED, (_requested_name(), st.query_params.to_dict()))


def bound_address() -> None:
    """Drop what no link of ours is as long as, before a screen reads it."""
    for name, value in st.query_params.to_dict().items():
        if len(value) > _LONGEST_PARAMETER:
            del st.query_params[name]


def continue_to_wanted(operator: Operator, page: st.Page) -> None:
    """Open the screen that the address asked for before the sign-in, where this person may; once.

    The bare address, then or now, asks for their first.
    """
    here = (page.url_path, st.query_params.to_dict())
    wanted, query = session.recall(_WANTED, here)
    session.forget(_WANTED)
    wanted = wanted or first_screen(operator).name
    if page.url_path != wanted and any(screen.name == wanted and operator.may(screen.permission) for screen in SCREENS):
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

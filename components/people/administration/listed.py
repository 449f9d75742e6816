"""The list of people; a press on a row picks one."""

from collections.abc import Sequence

import pandas as pd

from components.people.administration.words import role_words, state_words
from components.ui.frame.table_view import table_view
from warranty.language import _
from warranty.people.accounts import Account, Administration


def people_listed(listed: Sequence[Account], accounts: Administration) -> Account | None:
    """Draw the list and give the one whose row was pressed."""
    columns = {
        _("Name"): [each.name for each in listed],
        _("State"): [state_words(each, is_trainee=accounts.is_trainee(each.username)) for each in listed],
        _("Role"): [role_words(each.role) for each in listed],
        _("Login name"): [each.username for each in listed],
        _("Home store"): [each.home_store for each in listed],
    }
    picked = table_view(
        pd.DataFrame(columns, dtype="str"),
        _("Who may sign in, by login name"),
        key="people",
        on_select="rerun",
        selection_mode="single-cell",  # a click on any word of a row; rows can be picked by a tick box alone
    )
    cells: list[tuple[int, str]] = picked["selection"]["cells"]
    return listed[cells[0][0]] if cells and cells[0][0] < len(listed) else None

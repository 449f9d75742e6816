"""A page of the claims table as one of words: the table itself is a picture, of which a screen reader gets little."""

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.claims.screen.columns import drawn_rows
from components.platform import session
from warranty.language import _
from warranty.language.written import number

_SWITCH: Final = "claims-plain"
_WANTED: Final = "claims-plain.wanted"


def wants_plain_table() -> bool:
    """Whether this tab wants the page of claims as words."""
    return session.value_of(_SWITCH, session.recall(_WANTED, False))


def plain_table_switch() -> None:
    """Draw the switch."""
    st.toggle(
        _("Plain table"),
        value=session.recall(_WANTED, False),
        key=_SWITCH,
        on_change=lambda: session.remember(_WANTED, session.value_of(_SWITCH, False)),
        help=_("The same rows as words, for a screen reader and for the keyboard."),
    )


def plain_rows(claims: pd.DataFrame, columns: Sequence[str], *, first: int) -> list[list[str]]:
    """The claims in words, each behind its place in the list, which for the first of them is `first`."""
    words = drawn_rows(claims, whole_names=True)
    rows = words[list(columns)].itertuples(index=False, name=None)
    return [[str(place), *map(_written, row)] for place, row in enumerate(rows, start=first)]


def _written(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return str(value) if isinstance(value, str) else "" if pd.isna(value) else number(value)

"""The columns of a file whose layout we do not know: chosen once, remembered for the next file of that layout."""

from typing import Final

import streamlit as st

from components.forms.faults import problem_summary
from warranty.access import Operator
from warranty.files.order_files import FIELDS, Layout, fingerprint, guess, mapped
from warranty.files.table_files import Table
from warranty.journal import Journal

_NONE: Final = -1
_WANTED_TOGETHER: Final = (
    (("first_name", "full_name"), "Choose a column for the first name or for the full name"),
    (("email", "phone"), "Choose a column for the e-mail or for the phone"),
)


def remembered_layout(journal: Journal, operator: Operator, table: Table) -> Layout | None:
    """The layout that this person chose for such a file before."""
    chosen = journal.preferences.load(operator.username, _name(table))
    if not isinstance(chosen, dict) or not all(0 <= place < len(table.columns) for place in chosen.values()):
        return None
    return mapped(table, chosen)


def columns_form(journal: Journal, operator: Operator, table: Table) -> Layout | None:
    """Draw the choice of a column for each field; gives the layout once it is complete and confirmed."""
    st.header("Which column is what?", anchor=False)
    st.text(
        "We do not know this layout. Choose the columns once; they are remembered for files like this one."
    )
    st.dataframe(
        [dict(zip(table.columns, row.cells, strict=True)) for row in table.rows[:3]],
        alt="The first three rows of the file",
    )
    guessed = guess(table.columns)
    places = [_NONE, *range(len(table.columns))]
    chosen: dict[str, int] = {}
    grid = st.grid(3, min_column_width=200)
    for field in FIELDS.values():
        with grid.cell():
            place = st.selectbox(
                field.label if field.needed else f"{field.label} (optional)",
                places,
                index=places.index(guessed.get(field.name, (_NONE,))[0]),
                format_func=lambda place: "not in the file" if place == _NONE else table.columns[place],
                key=f"import-column:{fingerprint(table.columns)}:{field.name}",
            )
        if place != _NONE:
            chosen[field.name] = place
    if not st.button("Use these columns", type="primary"):
        return None
    faults = {
        field.name: f"Choose a column for: {field.label}"
        for field in FIELDS.values()
        if field.needed and field.name not in chosen
    }
    faults |= {
        names[0]: words for names, words in _WANTED_TOGETHER if not any(name in chosen for name in names)
    }
    if faults:
        problem_summary(faults)
        return None
    journal.preferences.save(operator.username, _name(table), chosen)
    return mapped(table, chosen)


def forget_columns(journal: Journal, operator: Operator, names: list[str]) -> None:
    """Forget the columns chosen for such a file; for callbacks."""
    journal.preferences.save(operator.username, f"import-columns.{fingerprint(names)}", None)


def _name(table: Table) -> str:
    return f"import-columns.{fingerprint(table.columns)}"

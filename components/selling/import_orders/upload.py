"""A file of orders comes in: the template, the upload, and the columns where we do not know the layout."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.import_orders.imports import PREVIEW, Imports
from components.ui.forms.faults import problem_summary
from components.ui.frame.table_view import table_view
from warranty.access import Permission
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import FIELDS, NAMES, TEMPLATE, guess, mapped, read_orders, recognise
from warranty.files.table_files import read_table
from warranty.files.tables import FileProblem, Table
from warranty.language import N_, _, ngettext
from warranty.language.written import number

_TABLE: Final = "import.table"
_NO_COLUMN: Final = -1
_NEEDED: Final = ("order_id", "sku", "title", "price")
_ONE_OF: Final = (
    (("first_name", "full_name"), N_("Choose a column for the first name or for the full name")),
    (("email", "phone"), N_("Choose a column for the e-mail or for the phone")),
)


def import_upload(imports: Imports) -> None:
    """Draw the upload; a file whose columns are known becomes an import at once."""
    session.forget(PREVIEW)
    st.text(
        _(
            "Choose a file of orders, CSV or Excel: the order export of your shop platform as it is, or our template. "
            "You see everything before anything is sent."
        )
    )
    st.download_button(
        _("Template with examples"),
        data=TEMPLATE.read_bytes,
        file_name="orders_template.csv",
        mime="text/csv",
        on_click="ignore",
        key="import-template",
    )
    upload = st.file_uploader(_("File of orders"), key="import-file")
    if upload is None:
        session.forget(_TABLE)
        return
    table = _table(upload)
    layout = table and recognise(table)
    if table and not layout and (columns := _known_columns(imports, table)):
        layout = mapped(table, columns)
    if not table or not layout:
        return
    imports.batches.begin(
        file_name=upload.name[:200],
        layout=layout.model_dump(),
        choices=Choices(id_column=layout.names[layout.id_columns[0]]).model_dump(),
        sources=(source.model_dump() for source in read_orders(table, layout)),
    )
    session.forget(_TABLE)
    st.rerun()


def _table(upload: "st.runtime.uploaded_file_manager.UploadedFile") -> Table | None:
    """The table of the file, read once; of a workbook that has several, the one that the person chooses."""
    key = f"import-sheet:{upload.file_id}"
    wanted: tuple[str, str | None] = (upload.file_id, session.value_of(key, None))
    known: tuple[tuple[str, str | None], Table] | None = session.recall(_TABLE, None)
    if known is None or known[0] != wanted:
        try:
            with st.spinner(_("Reading the file")):
                known = wanted, read_table(upload.getvalue(), names=NAMES, sheet=wanted[1] or "")
        except FileProblem as problem:
            st.error(_("**This file cannot be used.**") + f"\n\n{plain(str(problem))}")
            return None
        session.remember(_TABLE, known)
    table = known[1]
    if len(table.sheets) < 2:
        return table
    chosen = st.selectbox(
        _("Several sheets of this workbook have rows: which one has the orders?"),
        table.sheets,
        index=None,
        key=key,
        placeholder=_("Type or choose"),
        filter_mode="contains",
    )
    return table if chosen else None


def _known_columns(imports: Imports, table: Table) -> dict[str, int] | None:
    """The columns by field that this person chose for such a file before, or chooses and confirms now."""
    columns = imports.desk.preference(
        imports.operator, f"import-columns.{table.fingerprint}", may=Permission.IMPORT_ORDERS
    )
    chosen: dict[str, int] | None = columns.load()
    if not isinstance(chosen, dict) or not all(0 <= place < len(table.columns) for place in chosen.values()):
        chosen = _columns_form(table)
        if chosen:
            columns.save(chosen)
    return chosen


def _columns_form(table: Table) -> dict[str, int] | None:
    """Draw the choice of a column for each field; gives them once they are complete and confirmed."""
    st.header(_("Which column is what?"), anchor=False)
    st.text(_("Tell us which column is what. We remember it for files like this one."))
    first = [dict(zip(table.columns, row.cells, strict=True)) for row in table.rows[:3]]
    table_view(first, _("The first three rows of the file"))
    guessed = guess(table.columns)
    either = {name for names, _words in _ONE_OF if guessed.keys() & set(names) for name in names}
    known = [name for name in FIELDS if name in guessed]
    missing = [name for name, field in FIELDS.items() if field.wanted and name not in {*guessed, *either}]
    others = [name for name in FIELDS if name not in {*known, *missing}]
    chosen = _columns(table, guessed, missing)
    n = len(known)
    recognised = ngettext("{n} column recognised: change it", "{n} columns recognised: change them", n, n=number(n))
    for fields, words in ((known, recognised), (others, _("More columns"))):
        if fields:
            with st.expander(words):
                chosen |= _columns(table, guessed, fields)
    if not st.button(_("Use these columns"), type="primary"):
        return None
    words = N_("Choose a column for: {field}")
    faults = {name: _(words, field=_(FIELDS[name].label)) for name in _NEEDED if name not in chosen}
    faults |= {names[0]: _(words) for names, words in _ONE_OF if not chosen.keys() & set(names)}
    problem_summary(faults)
    return None if faults else chosen


def _columns(table: Table, guessed: Mapping[str, tuple[int, ...]], fields: Sequence[str]) -> dict[str, int]:
    """Draw the choice of a column for each of these fields, and give those that have one."""
    places = [_NO_COLUMN, *range(len(table.columns))]
    chosen: dict[str, int] = {}
    grid = st.grid(3, min_column_width=200)
    for name in fields:
        label = _(FIELDS[name].label)
        with grid.cell():
            place = st.selectbox(
                label if FIELDS[name].wanted else _("{field} (optional)", field=label),
                places,
                index=places.index(guessed.get(name, (_NO_COLUMN,))[0]),
                format_func=lambda place: table.columns[place] if place >= 0 else _("not in the file"),
                key=f"import-column:{table.fingerprint}:{name}",
                filter_mode="contains",
            )
        if place != _NO_COLUMN:
            chosen[name] = place
    return chosen

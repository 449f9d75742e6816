"""A file of orders comes in: the template, the upload, and the columns where we do not know the layout."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.import_orders.imports import PREVIEW, TABLE, Imports
from components.ui.forms.faults import problem_summary
from components.ui.frame.ask_first import ask_first
from components.ui.frame.table_view import editable_table
from warranty.access import Permission
from warranty.desk.journal import Batch
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import FIELDS, NAMES, TEMPLATE, Layout, guess, mapped, read_orders, recognise
from warranty.files.table_files import read_table
from warranty.files.tables import FileProblem, Table
from warranty.language import N_, _

_CHANGING: Final = "import.changing"
"""The import whose columns are changed, closed."""
_NEEDED: Final = (("order_id",), ("sku",), ("title",), ("price",), ("first_name", "full_name"), ("email", "phone"))
"""Fields of which one has a column in any file."""


def import_upload(imports: Imports) -> None:
    """Draw the upload; a file whose columns are known becomes an import at once."""
    session.forget(PREVIEW)
    words = _(
        "Choose a file of orders, CSV or Excel: the order export of your shop platform as it is, or our template. "
        "You see everything before anything is sent."
    )
    st.text(words)
    how: dict[str, Any] = {"on_click": "ignore", "key": "import-template"}
    st.download_button(_("Template with examples"), TEMPLATE.read_bytes, "orders_template.csv", "text/csv", **how)
    upload = st.file_uploader(_("File of orders"), key="import-file")
    changing: Batch | None = session.recall(_CHANGING, None)
    if upload is None and changing is None:
        session.forget(TABLE)
        return
    table = _table(upload) if upload else session.recall(TABLE, (None, None))[1]
    if table is None:
        st.text(_("Choose the file again to change its columns.") if upload is None else "")
        return
    before = Layout.model_validate(changing.layout) if changing else None
    layout = _layout(imports, table, before if before and before.names == mapped(table, {}).names else None)
    if not layout:
        return
    name = upload.name[:200] if upload else changing.file_name if changing else ""
    choices = Choices(id_column=layout.names[layout.columns["order_id"][0]]).model_dump()
    sources = (source.model_dump() for source in read_orders(table, layout))
    imports.batches.begin(file_name=name, layout=layout.model_dump(), choices=choices, sources=sources)
    session.forget(_CHANGING)
    st.rerun()


def change_columns(imports: Imports, batch: Batch) -> None:
    """Offer to read the file anew, with other columns."""

    def change() -> None:
        imports.batches.close(batch.batch_id)
        session.remember(_CHANGING, batch)

    lost = _("The file is read anew: what was chosen and corrected here is lost.")
    ask_first(_("Change the columns"), _("Yes, change the columns"), lost=lost, key="import-columns", on_click=change)


def _table(upload: "st.runtime.uploaded_file_manager.UploadedFile") -> Table | None:
    """The table of the file, read once; where it can be read in several ways, as the person chooses."""
    key = f"import-reading:{upload.file_id}"
    wanted: tuple[str, str] = (upload.file_id, session.value_of(key, "") or "")
    known: tuple[tuple[str, str], Table] | None = session.recall(TABLE, None)
    if known is None or known[0] != wanted:
        try:
            with st.spinner(_("Reading the file")):
                known = wanted, read_table(upload.getvalue(), names=NAMES, reading=wanted[1])
        except FileProblem as problem:
            st.error(_("**This file cannot be used.**") + f"\n\n{plain(str(problem))}")
            return None
        session.remember(TABLE, known)
    table = known[1]
    if len(table.readings) < 2:
        return table
    question = _("This file can be read in several ways: which sheet or which letters are right?")
    how: dict[str, Any] = {"key": key, "placeholder": _("Type or choose"), "filter_mode": "contains"}
    return table if st.selectbox(question, list(table.readings), None, table.readings.__getitem__, **how) else None


def _layout(imports: Imports, table: Table, before: Layout | None) -> Layout | None:
    """What each column is: as this person chose for such a file, as we know it, or as is chosen and confirmed now.

    The columns of `before` are to be changed.
    """
    name = f"import-columns.{table.fingerprint}"
    columns = imports.desk.preference(imports.operator, name, may=Permission.IMPORT_ORDERS)
    chosen: dict[str, int] | None = None if before else columns.load()
    if not isinstance(chosen, dict) or not all(0 <= place < len(table.columns) for place in chosen.values()):
        if not before and (known := recognise(table)):
            return known
        chosen = _columns_form(table, before.columns if before else guess(table.columns))
        if chosen:
            columns.save(chosen)
    return mapped(table, chosen) if chosen else None


def _columns_form(table: Table, likely: Mapping[str, Sequence[int]]) -> dict[str, int] | None:
    """Draw the columns with what each is taken for; gives them by field once they are complete and confirmed."""
    st.header(_("Which column is what?"), anchor=False)
    st.text(_("Press a cell twice to say what it is. We remember it for files like this one."))
    guessed = {places[0]: _(FIELDS[name].label) for name, places in reversed([*likely.items()]) if name in FIELDS}
    fields = {_(field.label): name for name, field in FIELDS.items()}
    firsts = [" · ".join(filter(None, texts)) for texts in zip(*(row.cells for row in table.rows[:3]), strict=True)]
    rows = list(zip(table.columns, map(guessed.get, range(len(firsts))), firsts, strict=True))
    labels = {"column": _("Column"), "field": _("What it is"), "first": _("First rows")}
    what = st.column_config.SelectboxColumn(labels["field"], width="medium", options=list(fields))
    alt, key = _("A table of the columns, which takes what each is"), f"import-columns:{table.fingerprint}"
    chosen = editable_table(rows, alt, labels, key=key, column_config={"field": what})
    said = [fields.get(label, "") for label in chosen["field"]]
    if not st.button(_("Use these columns"), type="primary"):
        return None
    none, several = N_("Choose a column for: {field}"), N_("Choose one column alone for: {field}")
    faults = {each: _(several, field=_(FIELDS[each].label)) for each in said if each and said.count(each) > 1}
    for either in _NEEDED:
        if set(said).isdisjoint(either):
            faults[either[0]] = _(none, field=" / ".join(_(FIELDS[name].label) for name in either))
    problem_summary(faults)
    return None if faults else {field: place for place, field in enumerate(said) if field}

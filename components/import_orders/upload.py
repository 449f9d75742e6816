"""A file of orders comes in: the template, the upload, and the columns where we do not know the layout."""

import streamlit as st

from components import session
from components.forms.faults import plain
from components.import_orders.columns import columns_form, remembered_layout
from warranty.access import Operator
from warranty.files.order_files import Choices, Layout, read_orders, recognise, template_csv
from warranty.files.table_files import FileProblem, Table, read_table
from warranty.journal import Journal

_TABLE = "import.table"


def import_upload(journal: Journal, operator: Operator, environment: str) -> None:
    """Draw the upload; a file whose columns are known becomes an import at once."""
    st.text(
        "Choose a file of orders, CSV or Excel: the order export of your shop platform as it is, or our template. "
        "You see everything before anything is sent."
    )
    st.download_button(
        "Template with examples",
        data=template_csv,
        file_name="orders_template.csv",
        mime="text/csv",
        on_click="ignore",
    )
    upload = st.file_uploader("File of orders", key="import-file")
    if upload is None:
        session.forget(_TABLE)
        return
    table = _table(upload.file_id, upload)
    if table is None:
        return
    layout = (
        recognise(table)
        or remembered_layout(journal, operator, table)
        or columns_form(journal, operator, table)
    )
    if layout is not None:
        _begin(journal, operator, environment, file_name=upload.name, table=table, layout=layout)


def _table(file_id: str, upload: "st.runtime.uploaded_file_manager.UploadedFile") -> Table | None:
    """The table of the file, read once."""
    known: tuple[str, Table] | None = session.recall(_TABLE, None)
    if known and known[0] == file_id:
        return known[1]
    try:
        with st.spinner("Reading the file"):
            table = read_table(upload.getvalue())
    except FileProblem as problem:
        st.error(f"**This file cannot be used.**\n\n{plain(str(problem))}")
        return None
    session.remember(_TABLE, (file_id, table))
    return table


def _begin(
    journal: Journal, operator: Operator, environment: str, *, file_name: str, table: Table, layout: Layout
) -> None:
    sources = read_orders(table, layout)
    choices = Choices(id_column=layout.names[layout.id_columns[0]])
    journal.batches.begin(
        environment=environment,
        username=operator.username,
        file_name=file_name[:200],
        layout={**layout.as_json(), "read_as": table.read_as, "has_formulas": table.has_formulas},
        choices=choices.as_json(),
        sources=[source.as_json() for source in sources],
    )
    session.forget(_TABLE)
    st.rerun()

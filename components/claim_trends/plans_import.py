"""Plans sold, the base of rates: what is kept of them, and a file that takes its place."""

from datetime import date
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components import session
from components.forms.faults import plain
from components.frame.ask_first import ask_first
from components.frame.failure_notice import reporting_outage, tell_outage
from components.frame.table_view import table_view
from warranty.access import Permission
from warranty.analysis.starts import month_words
from warranty.files.table_files import FileProblem
from warranty.journal.plans_sold import PlansRow
from warranty.plans import KeptPlans, PlansFile, read_plans

_TAKEN: Final = "plans-sold.taken"
_SHOWN_FAULTS: Final = 20


def plans_import(kept: KeptPlans, *, today: date) -> None:
    """Draw what is kept, and for who may, the import of a file."""
    with st.expander("Files of plans sold", key="plans-sold", on_change="rerun") as folded:
        if not folded.open:
            return
        rows = kept.rows()
        if rows:
            table_view(_by_file(rows), "The files of plans sold that count")
        else:
            st.text("No file of plans sold was imported yet.")
        if kept.operator.may(Permission.IMPORT_PLANS_SOLD):
            _upload(kept, rows, today)


def _upload(kept: KeptPlans, rows: list[PlansRow], today: date) -> None:
    tell_outage()
    if taken := session.recall(_TAKEN, ""):
        st.success(plain(taken))
    st.caption(
        "CSV or Excel with the columns month, product, plans. The month is the one in which the plans start, as "
        "YYYY-MM or as a date; the product's name stands as in the claims, letter by letter. A file replaces the "
        "months that it holds."
    )
    number = session.recall(f"{_TAKEN}.number", 0)
    upload = st.file_uploader(
        "File of plans sold", type=["csv", "xlsx", "txt", "tsv"], key=f"plans-file:{number}"
    )
    if upload is None:
        return
    try:
        file = _read(upload.getvalue(), today)
    except FileProblem as problem:
        st.error(f"**This file cannot be used.** Nothing was imported.\n\n{plain(str(problem))}")
        return
    if file.faults:
        st.error(
            f"**{len(file.faults):,} rows are not right, so nothing was imported.** Correct them in the file."
        )
        st.text("\n".join(file.faults[:_SHOWN_FAULTS]))
        if len(file.faults) > _SHOWN_FAULTS:
            st.text(f"and {len(file.faults) - _SHOWN_FAULTS:,} more")
        return
    months = {month for month, _ in file.plans}
    replaced = [row for row in rows if row.month in months]
    st.text(f"{_said(sorted(months), sum(file.plans.values()))}. Read as {file.read_as}.")
    take = reporting_outage(partial(_take, kept, file, upload.name[:200]))
    if not replaced:
        st.button("Import these plans", on_click=take, key="plans-take", type="primary")
        return
    said = _said(sorted({row.month for row in replaced}), sum(row.plans for row in replaced))
    files = ", ".join(sorted({row.file_name for row in replaced}))
    ask_first(
        "Import these plans",
        "Yes, replace them",
        lost=f"This replaces what is kept of the same months, from {files}: {said}.",
        key="plans-take",
        on_click=take,
    )


@st.cache_resource(show_spinner="Reading the file", max_entries=2)
def _read(content: bytes, today: date) -> PlansFile:
    return read_plans(content, today=today)


def _take(kept: KeptPlans, file: PlansFile, name: str) -> None:
    kept.replace(file.plans, file_name=name)
    said = _said(sorted({month for month, _ in file.plans}), sum(file.plans.values()))
    session.remember(_TAKEN, f"{name} was imported: {said}.")
    session.remember(
        f"{_TAKEN}.number", session.recall(f"{_TAKEN}.number", 0) + 1
    )  # the field is empty again


def _said(months: list[str], plans: int) -> str:
    first, last = month_words(months[0]), month_words(months[-1])
    if first == last:
        return f"{plans:,} plans of {first}"
    return f"{plans:,} plans of {len(months):,} months, {first} to {last}"


def _by_file(rows: list[PlansRow]) -> pd.DataFrame:
    """One line a file that counts: what of it does, who imported it and when."""
    frame = pd.DataFrame(rows)
    frame["imported_at"] = frame["imported_at"].dt.strftime("%Y-%m-%d %H:%M UTC")
    files = frame.groupby(["file_name", "username", "imported_at"], sort=False)
    told = files.agg(
        **{"first month": ("month", "min"), "last month": ("month", "max")},
        products=("product", "nunique"),
        plans=("plans", "sum"),
    )
    return (
        told.reset_index()
        .sort_values("imported_at", ascending=False)
        .rename(columns={"file_name": "file", "username": "imported by", "imported_at": "imported"})
    )

"""Plans sold, the base of rates: what is kept of them, and a file that takes its place."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from components.ui.frame.table_view import table_view
from warranty.access import Permission
from warranty.claims.analysis.starts import months_words
from warranty.files.tables import FileProblem
from warranty.insight.plans.plans_file import PlansFile, read_plans
from warranty.insight.plans.plans_sold import KeptPlans
from warranty.insight.plans.rows import PlansRow
from warranty.language import _, ngettext
from warranty.language.written import number

_TAKEN: Final = "plans-sold.taken"
_SHOWN_FAULTS: Final = 20


def plans_import(stored: KeptPlans, *, today: date) -> None:
    """Draw what is kept, and for who may, the import of a file."""
    with st.expander(_("Files of plans sold"), key="plans-sold", on_change="rerun") as folded:
        if not folded.open:
            return
        rows = stored.rows()
        if rows:
            table_view(_by_file(rows), _("The files of plans sold that count"))
        else:
            st.text(_("No file of plans sold was imported yet."))
        if stored.operator.may(Permission.IMPORT_PLANS_SOLD):
            _upload(stored, rows, today)


def _upload(stored: KeptPlans, rows: list[PlansRow], today: date) -> None:
    if taken := session.recall(_TAKEN, ""):
        st.success(plain(taken))
    st.caption(
        _(
            "CSV or Excel with the columns month, product, plans: the month in which the "
            "plans start, as YYYY-MM or a date, and the product's name exactly as in the "
            "claims. A file replaces the months that it has."
        )
    )
    place = session.recall(f"{_TAKEN}:number", 0)
    upload = st.file_uploader(_("File of plans sold"), type=["csv", "xlsx", "txt", "tsv"], key=f"plans-file:{place}")
    if upload is None:
        return
    try:
        file = _read(upload.getvalue(), today)
    except FileProblem as problem:
        message = _("**This file cannot be used.** Nothing was imported.")
        st.error(f"{message}\n\n{plain(str(problem))}")
        return
    if file.faults:
        st.error(
            ngettext(
                "**{n} row is not right, so nothing was imported.** Correct it in the file.",
                "**{n} rows are not right, so nothing was imported.** Correct them in the file.",
                len(file.faults),
                n=number(len(file.faults)),
            )
        )
        st.text("\n".join(file.faults[:_SHOWN_FAULTS]))
        if len(file.faults) > _SHOWN_FAULTS:
            st.text(_("and {n} more", n=number(len(file.faults) - _SHOWN_FAULTS)))
        return
    months = {month for month, _ in file.plans}
    replaced = [row for row in rows if row.month in months]
    plans = _plans_label([(month, count) for (month, _), count in file.plans.items()])
    st.text(_("{plans}. Read as {form}.", plans=plans, form=file.read_as))
    take = reporting_outage(partial(_take, stored, file, upload.name[:200], plans))
    if not replaced:
        st.button(_("Import these plans"), on_click=take, key="plans-take", type="primary")
        return
    former = _plans_label([(row.month, row.plans) for row in replaced])
    files = ", ".join(sorted({row.file_name for row in replaced}))
    ask_first(
        _("Import these plans"),
        _("Yes, replace them"),
        lost=_("This replaces what is kept of the same months, from {files}: {plans}.", files=files, plans=former),
        key="plans-take",
        on_click=take,
    )


@st.cache_resource(show_spinner=False, max_entries=2)
def _read(content: bytes, today: date) -> PlansFile:
    return read_plans(content, today=today)


def _take(stored: KeptPlans, file: PlansFile, name: str, summary: str) -> None:
    stored.replace(file.plans, file_name=name)
    session.remember(_TAKEN, _("{file} was imported: {plans}.", file=name, plans=summary))
    # The field is empty again.
    session.remember(f"{_TAKEN}:number", session.recall(f"{_TAKEN}:number", 0) + 1)


def _plans_label(plans: Sequence[tuple[str, int]]) -> str:
    """So many plans, of these months: `3 plans, Jan 2026 to Feb 2026`."""
    months, count = months_words(sorted({month for month, _ in plans})), sum(each for _, each in plans)
    return ngettext("{n} plan, {months}", "{n} plans, {months}", count, n=number(count), months=months)


def _by_file(rows: list[PlansRow]) -> pd.DataFrame:
    """One line a file that counts: what of it does, who imported it and when."""
    files: dict[tuple[datetime, str, str], list[PlansRow]] = {}
    for row in rows:
        files.setdefault((row.imported_at, row.file_name, row.username), []).append(row)
    return pd.DataFrame(
        {
            _("file"): name,
            _("imported by"): username,
            _("imported"): f"{at:%Y-%m-%d %H:%M} UTC",
            _("first month"): min(row.month for row in of),
            _("last month"): max(row.month for row in of),
            _("products"): len({row.product for row in of}),
            _("plans"): sum(row.plans for row in of),
        }
        for (at, name, username), of in sorted(files.items(), reverse=True)
    )

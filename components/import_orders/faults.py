"""The faults of a file, a page at a time: the row, the column, what to do, and a field for it; or many in one step."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components import session
from components.forms.faults import plain
from components.frame.failure_notice import reporting_outage
from warranty.files.order_files.assessment import Assessed, Fault
from warranty.language import _, ngettext
from warranty.language.written import number
from warranty.places.countries import countries, shown_country
from warranty.resources import LONGEST_TEXT

_AT_ONCE: Final = 10
_PAGE: Final = "import-faults-page"
_KIND: Final = "import-faults-kind"
_TEXT: Final = "import-faults-text"

Correct = Callable[[Assessed, int | None, str, str], None]
"""Takes a new text for a field, of the line of this place or of the order."""


def faults_list(assessed: Sequence[Assessed], *, correct: Correct) -> None:
    """Draw the faults; `correct` is called in a callback."""
    every = [(found, fault) for found in assessed if found.left_out is None for fault in found.faults]
    # What one decision for the file mends is not asked of each row as well.
    faults = [(found, fault) for found, fault in every if not fault.choice]
    faults.sort(key=lambda pair: pair[1].field == "state" and not pair[1].text)  # the field above mends these
    if not faults:
        return
    orders = len({found.number for found, _ in faults})
    st.header(_("To correct ({n})", n=number(orders)), anchor=False)
    words = _("Orders with an error are not sent. Correct them here, or send the others without them.")
    if len(faults) != orders:
        words += " " + _("They have {n} errors.", n=number(len(faults)))
    st.caption(words)
    _many_at_once(faults, correct)
    first = (_page(len(faults)) - 1) * _AT_ONCE
    for found, fault in faults[first : first + _AT_ONCE]:
        _one(found, fault, correct)


def _page(count: int) -> int:
    """Which page of the faults is open; draws the choice where there is one."""
    pages = -(-count // _AT_ONCE)
    if pages == 1:
        return 1
    if session.value_of(_PAGE, 1) > pages:  # the last page was corrected
        session.fill(_PAGE, pages)
    page = st.pagination(pages, key=_PAGE)
    last = min(page * _AT_ONCE, count)
    first = (page - 1) * _AT_ONCE + 1
    st.caption(
        _("Errors {first} to {last} of {all}", first=number(first), last=number(last), all=number(count))
    )
    return page


def _many_at_once(faults: Sequence[tuple[Assessed, Fault]], correct: Correct) -> None:
    """One text for every row that has the same fault, where there are several."""
    counts = Counter((fault.column, fault.message) for _, fault in faults if fault.field)
    kinds = [kind for kind, count in counts.most_common() if count > 1]
    if not kinds:
        return
    with st.expander(_("Correct several at once"), key="import-correct-many-of"):
        kind = st.selectbox(
            _("Rows with the same error"),
            range(len(kinds)),
            format_func=lambda place: (
                f"{kinds[place][0]}: {kinds[place][1]} ({number(counts[kinds[place]])})"
            ),
            key=f"{_KIND}:{len(kinds)}",
        )
        same = [(found, fault) for found, fault in faults if (fault.column, fault.message) == kinds[kind]]
        st.text_input(_("Text for all these rows"), key=_TEXT, autocomplete="off", max_chars=LONGEST_TEXT)
        st.button(
            ngettext("Put it into {n} row", "Put it into {n} rows", len(same), n=number(len(same))),
            key="import-correct-many",
            on_click=reporting_outage(_correct_all),
            args=(same, correct),
        )


def _correct_all(same: Sequence[tuple[Assessed, Fault]], correct: Correct) -> None:
    text = str(session.value_of(_TEXT, "")).strip()
    if not text:
        return
    for found, fault in same:
        correct(found, fault.line, fault.field, text)
        session.clear(_key(found, fault))
    session.fill(_TEXT, "")


def _one(found: Assessed, fault: Fault, correct: Correct) -> None:
    key = _key(found, fault)

    def keep() -> None:
        correct(found, fault.line, fault.field, str(session.value_of(key, "")).strip())

    country = countries().get(found.country)
    where = f"{found.name}, {shown_country(country)}" if country else found.name
    words, entry = st.columns([3, 2], vertical_alignment="center")
    with words:
        place = _("Row {n}, {column}", n=fault.row, column=plain(fault.column))
        st.markdown(f"**{place}** · {plain(where)}  \n{plain(fault.message)}")
    if not fault.field:  # the file itself is to be corrected
        return
    with entry:
        st.text_input(
            _("New text for row {n}, {column}", n=fault.row, column=plain(fault.column)),
            value=fault.text,
            max_chars=LONGEST_TEXT,
            key=key,
            on_change=reporting_outage(keep),
            label_visibility="collapsed",
            autocomplete="off",
        )


def _key(found: Assessed, fault: Fault) -> str:
    return f"import-fault:{found.number}:{fault.line}:{fault.field}"

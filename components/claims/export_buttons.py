"""Buttons that take claims away: a file is built when its button is pressed, never on a rerun."""

from functools import partial
from typing import Final

import streamlit as st

from components import session
from components.claims.claims_filter import ClaimsFilter
from components.claims.files import shown_file, shown_file_stem, usual_separator
from components.gate import guarded
from warranty.access import Permission
from warranty.export import Separator
from warranty.export.claims_file import MEDIA_TYPES, Form
from warranty.retrieval import ClaimSet

_FORMS: Final[dict[Form, str]] = {"csv": "Download CSV", "xlsx": "Download XLSX"}
_SEPARATORS: Final[dict[Separator, str]] = {",": "Comma", ";": "Semicolon"}
_SEPARATOR: Final = "claims-export:separator"
_BOM: Final = "claims-export:bom"


def export_buttons(claims: ClaimSet, chosen: ClaimsFilter, *, rows: int, locale: str | None) -> None:
    """Offer exactly the claims that the filter leaves, all of them and not the visible page."""
    separator: Separator = session.recall(_SEPARATOR, usual_separator(locale))
    bom: bool = session.recall(_BOM, True)
    stem = shown_file_stem(claims, chosen, rows=rows)
    for form, label in _FORMS.items():
        st.download_button(
            label,
            guarded(
                partial(_content, claims, chosen, form, separator=separator, bom=bom),
                Permission.EXPORT_CLAIMS,
            ),
            file_name=f"{stem}.{form}",
            mime=MEDIA_TYPES[form],
            on_click="ignore",
            key=f"claims-export:{form}",
        )
    with st.popover("File options", key="claims-export:options", on_change="rerun") as folded:
        if folded.open:
            _options(separator, bom=bom)
            st.download_button(
                "Download manifest",
                guarded(
                    partial(_manifest, claims, chosen, separator=separator, bom=bom), Permission.EXPORT_CLAIMS
                ),
                file_name=f"{stem}.csv.manifest.json",
                mime="application/json",
                on_click="ignore",
                key="claims-export:manifest",
                help="What the CSV file of this moment holds: filter, counts, as of when, and its SHA-256.",
            )


def _options(separator: Separator, *, bom: bool) -> None:
    st.radio(
        "Between the cells of a CSV file",
        list(_SEPARATORS),
        index=list(_SEPARATORS).index(separator),
        format_func=_SEPARATORS.__getitem__,
        key=f"{_SEPARATOR}:field",
        on_change=_take_options,
    )
    st.checkbox(
        "Mark a CSV file as UTF-8, so that Excel shows accents",
        value=bom,
        key=f"{_BOM}:field",
        on_change=_take_options,
    )
    st.caption(
        "Times stand as the service sent them. In CSV, cells that a spreadsheet would run get an apostrophe; "
        "in XLSX every cell is text."
    )


def _take_options() -> None:
    session.remember(_SEPARATOR, session.value_of(f"{_SEPARATOR}:field", ","))
    session.remember(_BOM, session.value_of(f"{_BOM}:field", True))


def _content(claims: ClaimSet, chosen: ClaimsFilter, form: Form, *, separator: Separator, bom: bool) -> bytes:
    return shown_file(claims, chosen, form, separator=separator, bom=bom).content


def _manifest(claims: ClaimSet, chosen: ClaimsFilter, *, separator: Separator, bom: bool) -> bytes:
    return shown_file(claims, chosen, "csv", separator=separator, bom=bom).manifest

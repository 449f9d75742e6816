"""The product catalogue of this desk: uploaded by a manager, else named in the settings, else the sandbox's own."""

from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from components import session
from components.forms.faults import plain
from components.frame.ask_first import ask_first
from warranty.access import Operator, Permission
from warranty.files.catalogue import EMPTY, Catalogue, CatalogueFile, load_catalogue, read_catalogue
from warranty.files.table_files import FileProblem
from warranty.settings import Settings

_SHOWN_REMARKS: Final = 5
_REPLACED: Final = "catalogue.replaced"


def catalogue_of(settings: Settings) -> Catalogue:
    """The catalogue as it is now; read again only when its file changed. A broken one is an empty one with a remark."""
    path = _file(settings).path
    return EMPTY if path is None else _loaded(path, changed_at(path))


def changed_at(path: Path) -> int:
    """When a file changed, as a number that another change makes another; 0 where it cannot be seen."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def catalogue_manager(settings: Settings, operator: Operator) -> None:
    """Let a manager see and replace the catalogue; draws nothing for others."""
    if not operator.may(Permission.MANAGE_CATALOGUE):
        return
    catalogue = catalogue_of(settings)
    with st.expander("Product catalogue", key="catalogue"):
        _what_is_in(catalogue)
        st.caption(
            "A CSV or Excel file with the columns sku, title, price, category, image, and barcode if any."
        )
        upload = st.file_uploader(
            "Replace the catalogue",
            type=["csv", "xlsx", "txt", "tsv"],
            key=f"catalogue-file:{session.recall(_REPLACED, 0)}",
        )
        if upload is not None and (fresh := _checked(upload.getvalue())) is not None:
            st.subheader("The new catalogue", anchor=False)
            _what_is_in(fresh)
            ask_first(
                "Use this catalogue",
                "Yes, use the new one",
                lost=f"The {catalogue.size:,} products in use are replaced by these {fresh.size:,}, for every counter.",
                key="catalogue-use",
                on_click=partial(_replace, settings, operator, upload.getvalue()),
            )
        if _file(settings).put_in.exists():
            ask_first(
                "Remove the uploaded catalogue",
                "Yes, remove it",
                lost=f"The {catalogue.size:,} products in use are erased here. The catalogue of the settings, if there "
                "is one, is used again.",
                key="catalogue-remove",
                on_click=partial(_file(settings).remove, operator),
            )


def _what_is_in(catalogue: Catalogue) -> None:
    st.text(f"Products: {catalogue.size}")
    for remark in catalogue.remarks[:_SHOWN_REMARKS]:
        st.text(remark)
    if len(catalogue.remarks) > _SHOWN_REMARKS:
        st.text(f"and {len(catalogue.remarks) - _SHOWN_REMARKS} more remarks")


def _checked(content: bytes) -> Catalogue | None:
    """What an uploaded file would make the catalogue."""
    try:
        return _read(content)
    except FileProblem as problem:
        st.error(plain(str(problem)))
        return None


@st.cache_resource(show_spinner=False, max_entries=2)
def _read(content: bytes) -> Catalogue:
    return read_catalogue(content)


def _file(settings: Settings) -> CatalogueFile:
    return CatalogueFile(settings.data_dir, settings.catalogue)


@st.cache_resource(show_spinner=False, max_entries=2)
def _loaded(path: Path, changed: int) -> Catalogue:
    try:
        return load_catalogue(path)
    except FileProblem as problem:
        return Catalogue(remarks=(str(problem),))


def _replace(settings: Settings, operator: Operator, content: bytes) -> None:
    _file(settings).replace(operator, content)
    session.remember(_REPLACED, session.recall(_REPLACED, 0) + 1)  # the field is empty again

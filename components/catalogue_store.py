"""The product catalogue of this desk: uploaded by a manager, else named in the settings, else the sandbox's own."""

from pathlib import Path
from typing import Final

import streamlit as st

from components.drop_zone import readable_drop_zones
from components.problems import plain
from warranty.access import Operator, Permission
from warranty.catalogue import EMPTY, Catalogue, load_catalogue, read_catalogue
from warranty.settings import Settings
from warranty.table_files import FileProblem

_SANDBOX: Final = Path(__file__).resolve().parent.parent / "sandbox" / "catalogue.csv"
_UPLOADED: Final = "catalogue.uploaded"
_SHOWN_REMARKS: Final = 5


def catalogue_of(settings: Settings) -> Catalogue:
    """The catalogue as it is now; read again only when its file changed. A broken one is an empty one with a remark."""
    path = _path(settings)
    if path is None:
        return EMPTY
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        changed = 0
    return _loaded(str(path), changed)


def catalogue_manager(settings: Settings, operator: Operator, catalogue: Catalogue) -> None:
    """Let a manager see and replace the catalogue; draws nothing for others."""
    if not operator.may(Permission.MANAGE_CATALOGUE):
        return
    with st.expander("Product catalogue", key="catalogue"):
        st.text(f"Products: {catalogue.size}")
        for remark in catalogue.remarks[:_SHOWN_REMARKS]:
            st.text(remark)
        if len(catalogue.remarks) > _SHOWN_REMARKS:
            st.text(f"and {len(catalogue.remarks) - _SHOWN_REMARKS} more remarks")
        st.caption(
            "A CSV or Excel file with the columns sku, title, price, category, image, and barcode if any."
        )
        readable_drop_zones()
        upload = st.file_uploader(
            "Replace the catalogue", type=["csv", "xlsx", "txt", "tsv"], key="catalogue-file"
        )
        if upload is not None and st.button("Use this catalogue"):
            _replace(settings, upload.getvalue())
        if _uploaded(settings).exists():
            st.button("Remove the uploaded catalogue", on_click=_remove, args=(settings,))


def _path(settings: Settings) -> Path | None:
    uploaded = _uploaded(settings)
    if uploaded.exists():
        return uploaded
    if settings.catalogue is not None:
        return settings.catalogue
    return _SANDBOX if settings.environment == "sandbox" else None


def _uploaded(settings: Settings) -> Path:
    return settings.data_dir / _UPLOADED


@st.cache_resource(show_spinner=False, max_entries=2)
def _loaded(path: str, _changed: int) -> Catalogue:
    try:
        return load_catalogue(Path(path))
    except FileProblem as problem:
        return Catalogue(remarks=(str(problem),))


def _replace(settings: Settings, content: bytes) -> None:
    try:
        catalogue = read_catalogue(content)
    except FileProblem as problem:
        st.error(plain(str(problem)))
        return
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    fresh = _uploaded(settings).with_suffix(".new")
    fresh.write_bytes(content)
    fresh.replace(_uploaded(settings))
    st.success(f"The new catalogue is in use. Products: {catalogue.size}")


def _remove(settings: Settings) -> None:
    _uploaded(settings).unlink(missing_ok=True)

"""The shop's own files, for managers: what is in them, and another in their place."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from components import session
from components.forms.faults import plain
from components.frame.ask_first import ask_first
from components.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.files.catalogue import Catalogue
from warranty.files.price_list import PriceList
from warranty.files.shop_files import ShopFile, ShopFiles, T
from warranty.files.table_files import FileProblem

_SHOWN_REMARKS: Final = 5
_CATALOGUE_COLUMNS: Final = "sku, title, price, category, image, and barcode if any"
_PRICE_COLUMNS: Final = "months and price, and any of sku, category and type; an empty cell means any"


def shop_files_manager(files: ShopFiles, operator: Operator) -> None:
    """Let a manager see and replace the catalogue and the price list; draws nothing for others."""
    if not operator.may(Permission.MANAGE_CATALOGUE):
        return
    with st.expander("Product catalogue", key="catalogue"):
        _manager(files.catalogue, operator, holds="products", columns=_CATALOGUE_COLUMNS)
    with st.expander("Price list of warranties", key="price-list"):
        _manager(files.price_list, operator, holds="prices", columns=_PRICE_COLUMNS)


def _manager(file: ShopFile[T], operator: Operator, *, holds: str, columns: str) -> None:
    kind, key = file.kind, file.kind.replace(" ", "-")
    used = file.in_use()
    _what_is_in(used, holds)
    st.caption(f"A CSV or Excel file with the columns {columns}.")
    replaced = f"{key}.replaced"
    upload = st.file_uploader(
        f"Replace the {kind}",
        type=["csv", "xlsx", "txt", "tsv"],
        key=f"{key}-file:{session.recall(replaced, 0)}",
    )
    if upload is not None and (fresh := _checked(file, upload.getvalue())) is not None:
        st.subheader(f"The new {kind}", anchor=False)
        _what_is_in(fresh, holds)
        ask_first(
            f"Use this {kind}",
            "Yes, use the new one",
            lost=f"The {used.size:,} {holds} in use are replaced by these {fresh.size:,}, for every counter.",
            key=f"{key}-use",
            on_click=reporting_outage(
                partial(_replace, file, operator, upload.getvalue(), upload.name, counted_as=replaced)
            ),
        )
    if file.is_put_in:
        ask_first(
            f"Remove the uploaded {kind}",
            "Yes, remove it",
            lost=f"What is in use now ({holds}: {used.size:,}) is erased here. The {kind} of the settings, "
            "if there is one, is used again.",
            key=f"{key}-remove",
            on_click=reporting_outage(partial(file.remove, operator)),
        )


def _what_is_in(listed: Catalogue | PriceList, holds: str) -> None:
    st.text(f"{holds.capitalize()}: {listed.size}")
    for remark in listed.remarks[:_SHOWN_REMARKS]:
        st.text(remark)
    if len(listed.remarks) > _SHOWN_REMARKS:
        st.text(f"and {len(listed.remarks) - _SHOWN_REMARKS} more remarks")


def _checked(file: ShopFile[T], content: bytes) -> T | None:
    """What an uploaded file would hold."""
    try:
        return _read(file.kind, content, file.read)
    except FileProblem as problem:
        st.error(plain(str(problem)))
        return None


@st.cache_resource(show_spinner=False, max_entries=2)
def _read(kind: str, content: bytes, _read: Callable[[bytes], T]) -> T:
    return _read(content)


def _replace(
    file: ShopFile[T], operator: Operator, content: bytes, file_name: str, *, counted_as: str
) -> None:
    file.replace(operator, content, file_name=file_name)
    session.remember(counted_as, session.recall(counted_as, 0) + 1)  # the field is empty again

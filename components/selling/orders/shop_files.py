"""The shop's own files, for managers: what is in them, and another in their place."""

from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.ui.frame.ask_first import ask_first
from warranty.access import Operator, Permission
from warranty.files.catalogue import Catalogue
from warranty.files.price_list import PriceList
from warranty.files.shop_files import ShopFile, ShopFiles, T
from warranty.files.tables import FileProblem
from warranty.language import N_, _, ngettext
from warranty.language.written import number

_SHOWN_REMARKS: Final = 5


_CATALOGUE: Final = N_("A CSV or Excel file with the columns sku, title, price, category, image, and barcode if any.")
_PRICE_LIST: Final = N_(
    "A CSV or Excel file with the columns months and price, and any of sku, category and type; empty means any."
)


def shop_files_manager(files: ShopFiles, operator: Operator) -> None:
    """Let a manager see and replace the catalogue and the price list; draws nothing for others."""
    if not operator.may(Permission.MANAGE_CATALOGUE):
        return
    with st.expander(_("Product catalogue"), key="catalogue", on_change="rerun") as box:
        if box.open:
            _manager(files.catalogue, operator, _CATALOGUE, N_("Products: {n}"))
    with st.expander(_("Price list of warranties"), key="price-list", on_change="rerun") as box:
        if box.open:
            _manager(files.price_list, operator, _PRICE_LIST, N_("Prices: {n}"))


def _manager(file: ShopFile[T], operator: Operator, columns: str, size: str) -> None:
    key = file.kind.replace(" ", "-")
    used = file.in_use()
    _what_is_in(used, size)
    st.caption(_(columns))
    replaced = f"{key}.replaced"
    place = f"{key}-file:{session.recall(replaced, 0)}"
    upload = st.file_uploader(_("Another file"), type=["csv", "xlsx", "txt", "tsv"], key=place)
    if upload is not None:
        try:
            fresh = file.read(upload.getvalue())
        except FileProblem as problem:
            st.error(plain(str(problem)))
        else:
            st.subheader(_("The new file"), anchor=False)
            _what_is_in(fresh, size)
            ask_first(
                _("Use this file"),
                _("Yes, use the new one"),
                lost=_("It replaces what is in use, at every counter (rows: {n}).", n=number(used.size)),
                key=f"{key}-use",
                on_click=partial(_replace, file, operator, upload.getvalue(), upload.name, counted_as=replaced),
            )
    if file.is_put_in:
        ask_first(
            _("Remove this file"),
            _("Yes, remove it"),
            lost=_(
                "This erases what is in use now (rows: {n}). A file of the settings counts again.", n=number(used.size)
            ),
            key=f"{key}-remove",
            on_click=partial(file.remove, operator),
        )


def _what_is_in(listed: Catalogue | PriceList, size: str) -> None:
    st.text(_(size, n=number(listed.size)))
    for remark in listed.remarks[:_SHOWN_REMARKS]:
        st.text(str(remark))
    if len(listed.remarks) > _SHOWN_REMARKS:
        more = len(listed.remarks) - _SHOWN_REMARKS
        st.text(ngettext("and {n} more remark", "and {n} more remarks", more, n=number(more)))


def _replace(file: ShopFile[T], operator: Operator, content: bytes, file_name: str, *, counted_as: str) -> None:
    file.replace(operator, content, file_name=file_name)
    session.remember(counted_as, session.recall(counted_as, 0) + 1)  # the field is empty again

"""The shop's own files, for managers: what is in them, and another in their place."""

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class _Words:
    """What is said of one of the files; `_` says it where it is shown."""

    columns: str
    size: str
    replace: str
    fresh: str
    use: str
    replaced: str
    remove: str
    erased: str


_CATALOGUE: Final = _Words(
    columns=N_("A CSV or Excel file with the columns sku, title, price, category, image, and barcode if any."),
    size=N_("Products: {n}"),
    replace=N_("Replace the catalogue"),
    fresh=N_("The new catalogue"),
    use=N_("Use this catalogue"),
    replaced=N_("These {after} products replace the {before} in use, at every counter."),
    remove=N_("Remove the uploaded catalogue"),
    erased=N_(
        "This erases what is in use now (products: {n}). If the settings name a catalogue, that one is used again."
    ),
)
_PRICE_LIST: Final = _Words(
    columns=N_(
        "A CSV or Excel file with the columns months and price, and any of sku, category and type; an empty cell "
        "means any."
    ),
    size=N_("Prices: {n}"),
    replace=N_("Replace the price list"),
    fresh=N_("The new price list"),
    use=N_("Use this price list"),
    replaced=N_("These {after} prices replace the {before} in use, at every counter."),
    remove=N_("Remove the uploaded price list"),
    erased=N_(
        "This erases what is in use now (prices: {n}). If the settings name a price list, that one is used again."
    ),
)


def shop_files_manager(files: ShopFiles, operator: Operator) -> None:
    """Let a manager see and replace the catalogue and the price list; draws nothing for others."""
    if not operator.may(Permission.MANAGE_CATALOGUE):
        return
    with st.expander(_("Product catalogue"), key="catalogue", on_change="rerun") as box:
        if box.open:
            _manager(files.catalogue, operator, _CATALOGUE)
    with st.expander(_("Price list of warranties"), key="price-list", on_change="rerun") as box:
        if box.open:
            _manager(files.price_list, operator, _PRICE_LIST)


def _manager(file: ShopFile[T], operator: Operator, words: _Words) -> None:
    key = file.kind.replace(" ", "-")
    used = file.in_use()
    _what_is_in(used, words)
    st.caption(_(words.columns))
    replaced = f"{key}.replaced"
    upload = st.file_uploader(
        _(words.replace), type=["csv", "xlsx", "txt", "tsv"], key=f"{key}-file:{session.recall(replaced, 0)}"
    )
    if upload is not None and (fresh := _checked(file, upload.getvalue())) is not None:
        st.subheader(_(words.fresh), anchor=False)
        _what_is_in(fresh, words)
        ask_first(
            _(words.use),
            _("Yes, use the new one"),
            lost=_(words.replaced, before=number(used.size), after=number(fresh.size)),
            key=f"{key}-use",
            on_click=partial(_replace, file, operator, upload.getvalue(), upload.name, counted_as=replaced),
        )
    if file.is_put_in:
        ask_first(
            _(words.remove),
            _("Yes, remove it"),
            lost=_(words.erased, n=number(used.size)),
            key=f"{key}-remove",
            on_click=partial(file.remove, operator),
        )


def _what_is_in(listed: Catalogue | PriceList, words: _Words) -> None:
    st.text(_(words.size, n=number(listed.size)))
    for remark in listed.remarks[:_SHOWN_REMARKS]:
        st.text(remark)
    if len(listed.remarks) > _SHOWN_REMARKS:
        more = len(listed.remarks) - _SHOWN_REMARKS
        st.text(ngettext("and {n} more remark", "and {n} more remarks", more, n=number(more)))


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


def _replace(file: ShopFile[T], operator: Operator, content: bytes, file_name: str, *, counted_as: str) -> None:
    file.replace(operator, content, file_name=file_name)
    session.remember(counted_as, session.recall(counted_as, 0) + 1)  # the field is empty again

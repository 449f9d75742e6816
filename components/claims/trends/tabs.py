"""The tabs of Trends, of which the address names the open one, and the one filter of all: how far back, and a product.

A tab draws what it can be narrowed by; what was chosen on one holds on all, and stands in the address.
"""

from collections.abc import Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.platform import session
from components.platform.markup import plain
from components.ui.forms.pick_list import Option, pick_list
from components.ui.in_address.filters import addressed, in_address, stand_in_address
from warranty.claims.analysis import shown_word
from warranty.language import N_, _, language

_TABS: Final = (N_("Ageing"), N_("Resolution"), N_("Outlook"))
_PARAMETER: Final = "view"
_BEGUN: Final = "trends.begun-with"
_MONTHS: Final = "months"
_PRODUCT: Final = "of-product"
_BACK: Final = {"12": N_("1 year"), "24": N_("2 years"), "36": N_("3 years"), "60": N_("5 years")}
_FIRST: Final = "36"


def trends_tabs() -> Sequence[tuple[DeltaGenerator, bool]]:
    """Draw the tabs, the one that the address names opened; give each, and whether it is the open one.

    The address names it in no language, so that a link is everybody's.
    """
    key = f"{_PARAMETER}:{language()}"
    if not session.is_filled(key):  # drawn anew: what is opened first is a part of what the tabs are
        requested = st.query_params.get(_PARAMETER, "")
        session.remember(_BEGUN, requested if requested in _TABS else _TABS[0])
    begun: str = session.recall(_BEGUN, _TABS[0])
    drawn = st.tabs([_(name) for name in _TABS], default=_(begun), key=key, on_change="rerun")
    opened = [bool(tab.open) for tab in drawn]
    shown = next((name for name, is_open in zip(_TABS, opened, strict=True) if is_open), _TABS[0])
    stand_in_address(_PARAMETER, None if shown == _TABS[0] else shown)
    for name in (_MONTHS, _PRODUCT):  # held for the tabs that are not open
        stand_in_address(name, in_address(name))
    return list(zip(drawn, opened, strict=True))


def chosen_months(label: str, *, about: str) -> int:
    """Draw the choice of how many months back."""
    chosen = st.segmented_control(
        label,
        list(_BACK),
        key=addressed(_MONTHS, _BACK, _FIRST),
        format_func=lambda name: _(_BACK[name]),
        required=True,
        help=about,
    )
    stand_in_address(_MONTHS, None if chosen == _FIRST else chosen)
    return int(chosen or _FIRST)


def chosen_product(products: Sequence[str]) -> str | None:
    """Draw the choice of one product, or (None) of all; one that was chosen before is among them in any case."""
    before = in_address(_PRODUCT)
    known = dict.fromkeys((*products, *([] if before is None else [before])))
    picked = pick_list(
        _("Product"),
        before or "",
        key=_PRODUCT,
        options=[Option(product, shown_word(product)) for product in known],
        placeholder=_("All products"),
    )
    chosen = picked if picked in known else None
    stand_in_address(_PRODUCT, chosen)
    return chosen


def product_words(product: str | None) -> str:
    """The product that is looked at, to be added to words: `, product Gas grill`; nothing for all."""
    return "" if product is None else _(", product {name}", name=shown_word(product))


def ask_administrator(trouble: str) -> None:
    """Say what a manager cannot put right, and who can."""
    st.warning(_("{trouble} **What to do:** ask your administrator.", trouble=plain(trouble)))

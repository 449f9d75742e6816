"""What is asked for out of sight, and what narrows what was read: each as a chip that takes it away."""

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from components.claims.screen import tab_filter
from components.claims.screen.claims_filter import ClaimsFilter
from components.platform.markup import plain
from components.words.statuses import status_words
from warranty.claims.analysis import NO_PICK, conditions
from warranty.language import _
from warranty.language.written import number


def filter_chips(chosen: ClaimsFilter, *, every: int) -> None:
    """Draw the filters as chips, and what shows all claims again, `every` one that was read."""
    for place, (words, rest) in enumerate(narrowed_by(chosen)):
        st.button(
            plain(words),
            icon=":material/close:",
            key=f"claims-chip:{place}",
            on_click=tab_filter.fill_fields,
            args=(rest,),
        )
    if not chosen.narrows:
        return
    st.button(
        _("Show all {n}", n=number(every)),
        type="tertiary",
        icon=":material/filter_alt_off:",
        key="claims-show-all",
        on_click=tab_filter.fill_fields,
        args=(replace(chosen, statuses=(), products=(), words="", open_only=False, pick=NO_PICK),),
    )


def narrowed_by(chosen: ClaimsFilter) -> Iterator[tuple[str, ClaimsFilter]]:
    """Each filter in words, and what is asked for without it."""
    only = ClaimsFilter()
    if chosen.started:
        yield _("warranties from {days}", days=chosen.started.words), replace(chosen, started=None)
    if chosen.words:
        yield _said(replace(only, words=chosen.words)), replace(chosen, words="")
    for word in chosen.statuses:
        rest = tuple(each for each in chosen.statuses if each != word)
        yield _said(replace(only, statuses=(word,))), replace(chosen, statuses=rest)
    for product in chosen.products:
        rest = tuple(each for each in chosen.products if each != product)
        yield _said(replace(only, products=(product,))), replace(chosen, products=rest)
    if chosen.open_only:
        yield _said(replace(only, open_only=True)), replace(chosen, open_only=False)
    if chosen.pick:
        yield _said(replace(only, pick=chosen.pick)), replace(chosen, pick=NO_PICK)


def _said(one: ClaimsFilter) -> str:
    return conditions(one.selection(closed=()), status=status_words)[0]

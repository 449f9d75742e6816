"""What is left of what was read, and by which filters, each of which can be taken away."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from components.claims import tab_filter
from components.claims.claims_filter import ClaimsFilter
from components.forms.faults import plain
from components.words.statuses import status_words
from warranty.analysis import NO_PICK, conditions
from warranty.language import _
from warranty.language.written import number


def narrowed_line(chosen: ClaimsFilter, shown: int) -> None:
    """Draw what narrows as a sentence; of several filters each as a chip that takes it away."""
    chips = list(_one_less(chosen))
    with st.container(horizontal=True, vertical_alignment="center", key="claims-narrowed"):
        st.text(narrowing_words(chosen, shown), width="content")
        if len(chips) > 1:
            for place, (words, rest) in enumerate(chips):
                label, taken = plain(words), partial(tab_filter.fill_fields, rest)
                st.button(label, icon=":material/close:", key=f"claims-chip:{place}", on_click=taken)
        st.button(
            _("Show all that was read"),
            type="tertiary",
            icon=":material/filter_alt_off:",
            key="claims-show-all",
            on_click=tab_filter.fill_fields,
            args=(replace(chosen, statuses=(), products=(), words="", open_only=False, pick=NO_PICK),),
        )


def narrowing_words(chosen: ClaimsFilter, shown: int) -> str:
    """What is left of what was read, and by which filter; empty where nothing narrows it."""
    if not chosen.narrows:
        return ""
    said = conditions(chosen.selection(closed=()), most=sys.maxsize, status=status_words)
    return _("{n} of them shown: {conditions}.", n=number(shown), conditions=", ".join(said))


def _one_less(chosen: ClaimsFilter) -> Iterator[tuple[str, ClaimsFilter]]:
    """Each filter in words, and what is asked for without it."""
    only = ClaimsFilter()
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

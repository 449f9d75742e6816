"""Filters on what was read: words, status, product. The interface offers none of them."""

from collections.abc import Sequence
from dataclasses import replace

from streamlit.delta_generator import DeltaGenerator

from components import session
from components.charts.pick import shown_word
from components.claims import filter_of_tab
from components.claims.claims_filter import ClaimsFilter
from warranty.analysis import Choice, choices
from warranty.claims.readings import KeptClaims

_WORDS = filter_of_tab.WIDGETS + "words"
_STATUSES = filter_of_tab.WIDGETS + "statuses"
_PRODUCTS = filter_of_tab.WIDGETS + "products"


def claims_narrowing(
    kept: KeptClaims | None, chosen: ClaimsFilter, *, words: DeltaGenerator, more: DeltaGenerator | None
) -> ClaimsFilter:
    """Draw the filters at their places, with what the set holds to choose from; give the filter with them."""
    session.fill_new({_WORDS: chosen.words})
    words.text_input(
        "Search in what was read",
        value=session.value_of(_WORDS, ""),
        key=_WORDS,
        type="search",
        placeholder="Words or an id",
        max_chars=200,
    )
    narrowed = replace(chosen, words=session.value_of(_WORDS, "").strip())
    if more is not None:
        narrowed = replace(
            narrowed,
            statuses=_choose(more, "Status", _found(kept, "status"), chosen.statuses, _STATUSES),
            products=_choose(more, "Product", _found(kept, "product_name"), chosen.products, _PRODUCTS),
        )
    filter_of_tab.keep(narrowed)
    return narrowed


def narrowing_words(chosen: ClaimsFilter, shown: int) -> str:
    """What is left of what was read, and by which filter; empty where nothing narrows it."""
    if not chosen.narrows:
        return ""
    said = []
    if chosen.words:
        said.append(f"with “{chosen.words}”")
    for name, values in (("status", chosen.statuses), ("product", chosen.products)):
        if values:
            said.append(f"{name} {' or '.join(map(shown_word, values))}")
    if chosen.pick:
        said.append(chosen.pick.words)
    return f"{shown:,} of them shown: {', '.join(said)}."


def _found(kept: KeptClaims | None, column: str) -> Sequence[Choice]:
    if kept is None:
        return ()
    return kept.derived(("choices", column), lambda: choices(kept.claims.frame, column))


def _choose(
    where: DeltaGenerator, label: str, found: Sequence[Choice], chosen: Sequence[str], key: str
) -> tuple[str, ...]:
    """A choice of several; what an address asks for stays a choice where no claim has it."""
    session.fill_new({key: list(chosen)})
    counts = {choice.value: choice.count for choice in found}
    where.multiselect(
        label,
        list(counts) + [value for value in chosen if value not in counts],
        default=session.value_of(key, []),
        format_func=lambda value: shown_word(value) + (f" ({counts[value]:,})" if value in counts else ""),
        key=key,
        placeholder="All",
    )
    picked: list[str] = session.value_of(key, [])
    return tuple(picked)

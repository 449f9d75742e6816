"""The decisions for a whole file: drawn only where the file gives cause, each with how many orders it is about."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import streamlit as st

from components import session
from components.forms.faults import plain
from warranty.files.order_files.assessment import GUESSABLE, SENT_BEFORE, Assessed, Choices, has_lost_a_zero
from warranty.files.order_files.layouts import Layout
from warranty.files.order_files.source import SourceOrder
from warranty.language import N_, _, ngettext
from warranty.language.written import number
from warranty.places.countries import countries, shown_country, states
from warranty.resources import LONGEST_TEXT

_DECISIONS: Final = (
    ("cancelled", N_("Cancelled orders"), N_("leave out"), N_("send")),
    ("without_sku", N_("Lines without a SKU"), N_("leave out"), "title as SKU"),
    ("zero_price", N_("Lines that cost nothing"), N_("leave out"), N_("send")),
    ("far_price", N_("Prices far from the catalogue"), N_("correct"), N_("send")),
    ("discount", N_("Lines with a discount"), N_("ignore"), N_("subtract")),
    ("sent_before", N_("Orders sent before"), N_("leave out"), N_("send")),
    ("short_zip", N_("ZIPs of 4 digits"), N_("add the zero"), N_("as it is")),
)
_SAID: Final = {"title as SKU": N_("use the title as SKU")}
"""What is said of an option that is kept by another word."""


def choices_form(
    layout: Layout,
    choices: Choices,
    sources: Sequence[SourceOrder],
    assessed: Sequence[Assessed],
    *,
    choose: Callable[..., None],
) -> None:
    """Draw the decisions; `choose` keeps one (in a callback)."""
    lines = [line.values for source in sources for line in source.lines]
    counts = {
        "cancelled": sum(bool(source.values.get("cancelled")) for source in sources),
        "without_sku": sum(not line.get("sku") for line in lines),
        "zero_price": sum(not _amount(text) for line in lines if (text := line.get("price"))),
        "far_price": sum(found.far_prices for found in assessed),
        "discount": sum(bool(_amount(line.get("discount", ""))) for line in lines),
        "short_zip": sum(
            has_lost_a_zero(found.country, source.values.get("zip", ""))
            for found, source in zip(assessed, sources, strict=True)
        ),
        "sent_before": sum(found.left_out == SENT_BEFORE for found in assessed),
    }
    asked = [
        partial(
            _one_of, f"{_(label)} ({number(counts[name])})", options, name, choices, choose, words=_in_words
        )
        for name, label, *options in _DECISIONS
        if counts[name] or getattr(choices, name) != options[0]
    ]
    if len(layout.id_columns) > 1:
        columns = [layout.names[place] for place in layout.id_columns]
        asked.insert(0, partial(_one_of, _("Column of the order id"), columns, "id_column", choices, choose))
    for code, count in sorted(_without_state(assessed, choices).items()):
        asked.append(partial(_state, code, count, choices, choose))
    if asked:
        st.header(_("To decide"), anchor=False)
        grid = st.grid(2, min_column_width=335)
        for draw in asked:
            with grid.cell():
                draw()
    guessable = sum(GUESSABLE in found.remarks for found in assessed if found.left_out is None)
    if guessable:
        st.warning(
            ngettext(
                "{n} order id looks like a counter or is short: whoever guesses it opens that customer's landing "
                "page. The service asks for ids that do not follow one another.",
                "{n} order ids look like a counter or are short: whoever guesses one opens that customer's landing "
                "page. The service asks for ids that do not follow one another.",
                guessable,
                n=number(guessable),
            )
        )


def _in_words(option: str) -> str:
    return _(_SAID.get(option, option))


def _one_of(
    label: str,
    options: list[str],
    name: str,
    choices: Choices,
    choose: Callable[..., None],
    *,
    words: Callable[[str], str] = str,
) -> None:
    key = f"import-choice:{name}"
    chosen = getattr(choices, name)
    st.segmented_control(
        label,
        options,
        default=chosen if chosen in options else options[0],
        key=key,
        required=True,
        on_change=lambda: choose(**{name: session.value_of(key, options[0])}),
        format_func=lambda option: plain(words(option)),
    )


def _without_state(assessed: Sequence[Assessed], choices: Choices) -> Counter[str]:
    """Orders by country that name no state, as far as the file says where they go."""
    missing = Counter(
        found.country
        for found in assessed
        if found.country and any(fault.field == "state" and not fault.text for fault in found.faults)
    )
    for code in choices.states:
        missing.setdefault(code, 0)
    return missing


def _state(code: str, count: int, choices: Choices, choose: Callable[..., None]) -> None:
    country = countries()[code]
    known = states(code)
    key = f"import-state:{code}"
    kept = choices.states.get(code)

    def keep() -> None:
        chosen = str(session.value_of(key, "") or "").strip()
        others = {other: state for other, state in choices.states.items() if other != code}
        choose(states={**others, code: chosen} if chosen else others)

    label = _("State for orders to {country} without one", country=shown_country(country))
    label += f" ({number(count)})" if count else ""
    if known:
        codes = list(known)
        st.selectbox(
            label,
            codes,
            index=codes.index(kept) if kept and kept in known else None,
            format_func=lambda state: f"{known[state].name} ({state})",
            key=key,
            on_change=keep,
            placeholder=_("Type or choose"),
        )
    else:
        st.text_input(label, value=kept or "", key=key, max_chars=LONGEST_TEXT, on_change=keep)


def _amount(text: str) -> str:
    """What is left of a price that is not nothing."""
    return text.strip("0., ")

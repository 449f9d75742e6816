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
from warranty.places.countries import countries, states
from warranty.resources import LONGEST_TEXT

_DECISIONS: Final = (
    ("cancelled", "Cancelled orders", "leave out", "send"),
    ("without_sku", "Lines without a SKU", "leave out", "title as SKU"),
    ("zero_price", "Lines that cost nothing", "leave out", "send"),
    ("far_price", "Prices far from the catalogue", "correct", "send"),
    ("discount", "Lines with a discount", "ignore", "subtract"),
    ("sent_before", "Orders sent before", "leave out", "send"),
    ("short_zip", "ZIPs of 4 digits", "add the zero", "as it is"),
)


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
        partial(_one_of, f"{label} ({counts[name]})", options, name, choices, choose)
        for name, label, *options in _DECISIONS
        if counts[name] or getattr(choices, name) != options[0]
    ]
    if len(layout.id_columns) > 1:
        columns = [layout.names[place] for place in layout.id_columns]
        asked.insert(0, partial(_one_of, "Column of the order id", columns, "id_column", choices, choose))
    for code, count in sorted(_without_state(assessed, choices).items()):
        asked.append(partial(_state, code, count, choices, choose))
    if asked:
        st.header("To decide", anchor=False)
        grid = st.grid(2, min_column_width=335)
        for draw in asked:
            with grid.cell():
                draw()
    guessable = sum(GUESSABLE in found.remarks for found in assessed if found.left_out is None)
    if guessable:
        st.warning(
            f"The order ids of {guessable} orders look like a counter or are short: whoever guesses one opens that "
            "customer's landing page. The service asks for ids that do not follow one another."
        )


def _one_of(label: str, options: list[str], name: str, choices: Choices, choose: Callable[..., None]) -> None:
    key = f"import-choice:{name}"
    chosen = getattr(choices, name)
    st.segmented_control(
        label,
        options,
        default=chosen if chosen in options else options[0],
        key=key,
        required=True,
        on_change=lambda: choose(**{name: session.value_of(key, options[0])}),
        format_func=plain,
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

    label = f"State of the orders to {country.name} that name none" + (f" ({count})" if count else "")
    if known:
        codes = list(known)
        st.selectbox(
            label,
            codes,
            index=codes.index(kept) if kept and kept in known else None,
            format_func=lambda state: f"{known[state].name} ({state})",
            key=key,
            on_change=keep,
            placeholder="Type or choose",
        )
    else:
        st.text_input(label, value=kept or "", key=key, max_chars=LONGEST_TEXT, on_change=keep)


def _amount(text: str) -> str:
    """What is left of a price that is not nothing."""
    return text.strip("0., ")

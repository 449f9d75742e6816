"""The decisions for a whole file: drawn only where the file gives cause, each with how many orders it is about."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, get_args

import streamlit as st

from components import session
from components.forms.faults import plain
from warranty.files.order_files.assessment import GUESSABLE, Assessed
from warranty.files.order_files.decisions import Choices, reading
from warranty.files.order_files.layouts import Layout
from warranty.language import N_, _, ngettext
from warranty.language.written import number
from warranty.places.countries import countries, shown_country, states
from warranty.resources import LONGEST_TEXT

_DECISIONS: Final = {
    "letters": N_("Letters beyond A to Z: are these right?"),
    "decimal_mark": N_("Amounts that can be read in two ways: what stands before the cents?"),
    "decimals": N_("Amounts with more than two decimals"),
    "quantity_mark": N_("Quantities with a comma: what stands before the decimals?"),
    "dates": N_("Dates: what comes first?"),
    "cancelled": N_("Cancelled orders"),
    "refunded": N_("Refunded orders"),
    "part_refunded": N_("Orders refunded in part"),
    "voided": N_("Voided orders"),
    "failed": N_("Orders whose payment failed"),
    "other_currency": N_("Orders in another currency"),
    "from_shipping": N_("Orders with a shipping address alone"),
    "doubtful_phone": N_("Orders reached by a doubtful phone alone"),
    "last_first": N_("Names with a comma"),
    "returned": N_("Lines of no units or fewer"),
    "discount_line": N_("Lines that cost less than nothing"),
    "without_sku": N_("Lines without a SKU"),
    "zero_price": N_("Lines that cost nothing"),
    "far_price": N_("Prices far from the catalogue"),
    "discount": N_("Lines with a discount"),
    "sent_before": N_("Orders sent before"),
    "short_zip": N_("ZIPs of 4 digits"),
}
_LABELS: Final = {
    "undecided": N_("not decided"),
    "right": N_("yes"),
    "leave out": N_("leave out"),
    "correct": N_("correct"),
    "send": N_("send"),
    "title as SKU": N_("use the title as SKU"),
    "take": N_("take it from there"),
    "turn": N_("first name last"),
    "as it is": N_("as it is"),
    "ignore": N_("ignore"),
    "subtract": N_("subtract"),
    "add the zero": N_("add the zero"),
    ".": N_("a point"),
    ",": N_("a comma"),
    "round": N_("round"),
    "day first": N_("the day"),
    "month first": N_("the month"),
}
_SAMPLES: Final = 3


def choices_form(
    layout: Layout,
    choices: Choices,
    assessed: Sequence[Assessed],
    currency: str,
    *,
    choose: Callable[..., None],
) -> None:
    """Draw the decisions; `choose` keeps one (in a callback)."""
    raised: dict[str, list[str]] = {}
    for found in assessed:
        for kind, texts in found.raised.items():
            raised.setdefault(kind, []).extend(texts)
    asked: list[Callable[[], None]] = []
    if len(layout.id_columns) > 1:
        columns = {layout.names[place]: layout.names[place] for place in layout.id_columns}
        asked.append(partial(_one_of, _("Column of the order id"), columns, "id_column", choices, choose))
    for kind, label in _DECISIONS.items():
        options = {option: _(_LABELS[option]) for option in get_args(Choices.model_fields[kind].annotation)}
        about = raised.get(kind, [])
        if about or getattr(choices, kind) != next(iter(options)):
            words = f"{_(label)} ({number(len(about))})"
            samples = _samples(kind, about, options, currency)
            asked.append(partial(_one_of, words, options, kind, choices, choose, samples=samples))
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


def _samples(kind: str, texts: Sequence[str], options: Mapping[str, str], currency: str) -> str:
    """Some of what a decision is about, and what each option makes of it."""
    samples = []
    for text in islice(dict.fromkeys(texts), _SAMPLES):
        readings = [
            f"{label}: {read}"
            for option, label in options.items()
            if (read := reading(kind, option, text, currency))
        ]
        samples.append(f"“{text[:40]}”" + (f" ({', '.join(readings)})" if readings else ""))
    return " · ".join(samples)


def _one_of(
    label: str,
    options: Mapping[str, str],
    name: str,
    choices: Choices,
    choose: Callable[..., None],
    *,
    samples: str = "",
) -> None:
    key = f"import-choice:{name}"
    chosen, first = getattr(choices, name), next(iter(options))
    st.segmented_control(
        label,
        list(options),
        default=chosen if chosen in options else first,
        key=key,
        required=True,
        on_change=lambda: choose(**{name: session.value_of(key, first)}),
        format_func=lambda option: plain(options[option]),
    )
    if samples:
        st.caption(plain(samples))


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
    known = states(code)
    key = f"import-state:{code}"
    kept = choices.states.get(code)

    def keep() -> None:
        chosen = str(session.value_of(key, "") or "").strip()
        others = {other: state for other, state in choices.states.items() if other != code}
        choose(states={**others, code: chosen} if chosen else others)

    label = _("State for orders to {country} without one", country=shown_country(countries()[code]))
    label += f" ({number(count)})" if count else ""
    if not known:
        st.text_input(label, value=kept or "", key=key, max_chars=LONGEST_TEXT, on_change=keep)
        return
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

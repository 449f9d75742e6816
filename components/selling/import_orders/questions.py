"""What a file asks of a person: decisions for all of it, each with what it is about, and the faults of single rows."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.import_orders.imports import Preview
from components.ui.frame.failure_notice import reporting_outage
from warranty.client.resources import LONGEST_TEXT
from warranty.files.order_files.assessment import GUESSABLE, Assessed, Fault
from warranty.files.order_files.decisions import DECISIONS, OPTIONS, reading
from warranty.language import _, ngettext
from warranty.language.written import number
from warranty.places.countries import countries, shown_country, states

_SAMPLES: Final = 3
_AT_ONCE: Final = 10
_PAGE: Final = "import-faults-page"
_TEXT: Final = "import-faults-text"

_Pairs = Sequence[tuple[Assessed, Fault]]


def choices_form(preview: Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the decisions for which the file gives cause."""
    choices, ids = preview.choices, preview.layout.ids
    raised = defaultdict[str, list[str]](list)
    for kind, texts in (pair for found in assessed for pair in found.raised.items()):
        raised[kind] += texts
    draws: list[Callable[[], None]] = []
    if len(ids) > 1:
        columns = {name: name for name in ids}
        draws.append(partial(_one_of, preview, "id_column", _("Column of the order id"), columns, choices.id_column))
    for kind, decision in DECISIONS.items():
        if raised[kind] or choices[kind] != decision.options[0]:
            options = {option: _(OPTIONS.get(option, option)) for option in decision.options}
            label = f"{_(decision.question)} ({number(len(raised[kind]))})"
            samples = _samples(kind, raised[kind], options, preview.imports.currency)
            draws.append(partial(_one_of, preview, kind, label, options, choices[kind], samples=samples))
    stateless = Counter(found.country for found in assessed for fault in found.faults if fault.choice == "states")
    for code in sorted({*stateless, *choices.states}):
        draws.append(partial(_state, preview, code, stateless[code]))
    if draws:
        st.header(_("To decide"), anchor=False)
        grid = st.grid(2, min_column_width=335)
        for draw in draws:
            with grid.cell():
                draw()
    if guessable := sum(found.left_out is None and GUESSABLE in found.remarks for found in assessed):
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
    for text in list(dict.fromkeys(texts))[:_SAMPLES]:
        read = {label: reading(kind, option, text, currency) for option, label in options.items()}
        readings = ", ".join(f"{label}: {meant}" for label, meant in read.items() if meant)
        samples.append(f"“{text[:40]}”" + (f" ({readings})" if readings else ""))
    return " · ".join(samples)


def _one_of(
    preview: Preview, kind: str, label: str, options: Mapping[str, str], chosen: str, *, samples: str = ""
) -> None:
    key, first = f"import-choice:{kind}", next(iter(options))
    st.segmented_control(
        label,
        list(options),
        default=chosen if chosen in options else first,
        key=key,
        required=True,
        on_change=reporting_outage(lambda: preview.choose(**{kind: session.value_of(key, first)})),
        format_func=lambda option: plain(options[option]),
    )
    if samples:
        st.caption(plain(samples))


def _state(preview: Preview, code: str, count: int) -> None:
    """Draw the state of all orders to a country that name none: of its list, where it has one."""
    known, key = states(code), f"import-state:{code}"
    label = _("State for orders to {country} without one", country=shown_country(countries()[code]))
    label += f" ({number(count)})" if count else ""
    stored = preview.choices.states.get(code)

    def store() -> None:
        preview.choose(states={**preview.choices.states, code: str(session.value_of(key, "") or "").strip()})

    options: dict[str, Any] = {"key": key, "on_change": reporting_outage(store)}
    if not known:
        st.text_input(label, value=stored or "", max_chars=LONGEST_TEXT, **options)
        return
    st.selectbox(
        label,
        list(known),
        index=list(known).index(stored) if stored and stored in known else None,
        format_func=lambda state: f"{known[state].name} ({state})",
        placeholder=_("Type or choose"),
        filter_mode="contains",
        **options,
    )


def faults_list(preview: Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the faults a page at a time, without those that a decision for the file mends."""
    every = [(found, fault) for found in assessed if found.left_out is None for fault in found.faults]
    faults = [pair for pair in every if not pair[1].choice]
    stateless = [pair for pair in every if pair[1].choice == "states"]
    orders = len({found.number for found, _fault in faults})
    if faults:
        st.header(_("To correct ({n})", n=number(orders)), anchor=False)
        words = _("Orders with an error are not sent. Correct them here, or send the others without them.")
        if len(faults) != orders:
            words += " " + _("They have {n} errors.", n=number(len(faults)))
        st.caption(words)
    n = number(len(stateless))
    if stateless and st.toggle(_("Orders without a state: one by one ({n})", n=n), key="import-states"):
        faults += stateless
    if not faults:
        return
    _many_at_once(preview, faults)
    first = (_page(len(faults)) - 1) * _AT_ONCE
    for found, fault in faults[first : first + _AT_ONCE]:
        _one(preview, found, fault)


def _page(count: int) -> int:
    """Which page of the faults is open; draws the choice where there is one."""
    pages = -(-count // _AT_ONCE)
    if pages == 1:
        return 1
    if session.value_of(_PAGE, 1) > pages:  # the last page was corrected
        session.fill(_PAGE, pages)
    page = st.pagination(pages, key=_PAGE)
    first, last = number((page - 1) * _AT_ONCE + 1), number(min(page * _AT_ONCE, count))
    st.caption(_("Errors {first} to {last} of {all}", first=first, last=last, all=number(count)))
    return page


def _many_at_once(preview: Preview, faults: _Pairs) -> None:
    """One text for every row that has the same fault, where there are several."""
    counts = Counter((fault.column, fault.message) for _, fault in faults if fault.field)
    kinds = [kind for kind, count in counts.most_common() if count > 1]
    if not kinds:
        return
    with st.expander(_("Correct several at once"), key="import-correct-many-of"):
        kind = st.selectbox(
            _("Rows with the same error"),
            kinds,
            format_func=lambda kind: f"{kind[0]}: {kind[1]} ({number(counts[kind])})",
            key=f"import-faults-kind:{len(kinds)}",
            filter_mode="contains",
        )
        same = [(found, fault) for found, fault in faults if (fault.column, fault.message) == kind]
        st.text_input(_("Text for all these rows"), key=_TEXT, autocomplete="off", max_chars=LONGEST_TEXT)
        st.button(
            ngettext("Put it into {n} row", "Put it into {n} rows", len(same), n=number(len(same))),
            key="import-correct-many",
            on_click=reporting_outage(_correct_all),
            args=(preview, same),
        )


def _correct_all(preview: Preview, same: _Pairs) -> None:
    text = str(session.value_of(_TEXT, "")).strip()
    for found, fault in same if text else ():
        preview.correct(found, fault, text)
        session.clear(_key(found, fault))
    session.fill(_TEXT, "")


def _one(preview: Preview, found: Assessed, fault: Fault) -> None:
    key = _key(found, fault)

    def store() -> None:
        preview.correct(found, fault, str(session.value_of(key, "")).strip())

    country = countries().get(found.country)
    where = f"{found.name}, {shown_country(country)}" if country else found.name
    words, entry = st.columns([3, 2], vertical_alignment="center")
    place = _("Row {n}, {column}", n=fault.row, column=plain(fault.column))
    words.markdown(f"**{place}** · {plain(where)}  \n{plain(fault.message)}")
    if fault.field:  # else the file itself is to be corrected
        entry.text_input(
            _("New text for row {n}, {column}", n=fault.row, column=plain(fault.column)),
            value=fault.text,
            max_chars=LONGEST_TEXT,
            key=key,
            on_change=reporting_outage(store),
            label_visibility="collapsed",
            autocomplete="off",
        )


def _key(found: Assessed, fault: Fault) -> str:
    return f"import-fault:{found.number}:{fault.line}:{fault.field}"

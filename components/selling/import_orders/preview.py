"""What would be sent of a file: the decisions for the whole file, each fault with its place, and every order."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.import_orders.imports import PREVIEW, Imports, close_button, job_of
from components.selling.import_orders.result import LEFT_OUT, READY, TO_CORRECT, Outcome, outcome_filter
from components.selling.sending import press
from components.ui.frame.failure_notice import reporting_outage
from components.ui.frame.table_view import table_view
from components.ui.frame.two_columns import work_and_aside
from components.words.attempts import short_id
from warranty.client.resources import LONGEST_TEXT
from warranty.client.resources.orders import LineItem
from warranty.desk.journal import Batch, RowState
from warranty.desk.order_imports import prepare
from warranty.files.catalogue import Catalogue
from warranty.files.order_files.assessment import GUESSABLE, Assessed, Fault, assess, changes, without_duplicates
from warranty.files.order_files.decisions import DECISIONS, OPTIONS, Choices, reading
from warranty.files.order_files.source import Layout, SourceOrder
from warranty.language import N_, _, language, ngettext
from warranty.language.written import number, price
from warranty.places.countries import countries, shown_country, states

_READ_AT_ONCE: Final = 1_000
_ORDERS_AT_ONCE: Final = 25
_FAULTS_AT_ONCE: Final = 10
_SAMPLES: Final = 3
_PAGE: Final = "import-faults-page"
_TEXT: Final = "import-faults-text"
_KINDS: Final = {
    "shop export": N_("recognised as the order export of a shop platform"),
    "template": N_("recognised as our template"),
    "other": N_("read with the columns that you chose"),
}
_Pairs = Sequence[tuple[Assessed, Fault]]


@dataclass(slots=True)
class _Preview:
    """The judgements of an import, which take seconds; its texts and what is sent are read again where needed."""

    imports: Imports
    batch: Batch
    layout: Layout
    choices: Choices
    assess: Callable[..., Assessed]
    settled: dict[str, str]
    judged: dict[int, Assessed | None]
    """By the orders' numbers; None for what is still to be judged."""
    made_of: tuple[object, ...]
    """The import, the choices and the language in which the judgements are said."""

    @classmethod
    def of(cls, imports: Imports, batch: Batch, catalogue: Catalogue) -> "_Preview":
        """That of this tab, or one made anew from the journal."""
        known: _Preview | None = session.recall(PREVIEW, None)
        choices = Choices(**batch.choices)
        now = batch.batch_id, choices, language()
        if known is not None and known.made_of == now:
            known.imports = imports
            return known
        layout = Layout.model_validate(batch.layout)
        orders = imports.batches.orders(batch.batch_id, personal=False)
        preview = cls(
            imports,
            batch,
            layout,
            choices,
            partial(assess, layout=layout, choices=choices, catalogue=catalogue, currency=imports.currency),
            settled={order.order_id: order.name for order in orders if order.state is not RowState.READ},
            judged={order.number: None for order in orders if order.state is RowState.READ},
            made_of=now,
        )
        session.remember(PREVIEW, preview)
        return preview

    def judge(self, numbers: Sequence[int]) -> Iterator[tuple[SourceOrder, Assessed]]:
        """What the file has of these orders, what would be sent, and what stands against it."""
        batches = self.imports.batches
        left = iter(numbers)
        while part := list(islice(left, _READ_AT_ONCE)):
            orders = batches.orders(self.batch.batch_id, numbers=part)
            sources = [SourceOrder.model_validate(order.source) for order in orders]
            sent = batches.sent_before(source.order_id(self.choices.id_column) for source in sources)
            for source in sources:
                yield source, self.assess(source, sent_before=sent)

    def assessed(self) -> list[Assessed]:
        """Every order, judged under the choices as they are; without what is sent."""
        for _source, found in self.judge([place for place, known in self.judged.items() if known is None]):
            found.order = None
            self.judged[found.number] = found
        column = self.choices.id_column or _("Order number")
        return without_duplicates(filter(None, self.judged.values()), column=column, settled=self.settled)

    def whole(self, assessed: Sequence[Assessed]) -> Iterator[tuple[SourceOrder, Assessed]]:
        """The same with the file's texts, and with what is sent."""
        for known, (source, found) in zip(assessed, self.judge([found.number for found in assessed]), strict=True):
            yield source, found if known.sendable else known

    def choose(self, **decided: object) -> None:
        """Take decisions for the whole file by their names, in a callback."""
        choices = self.choices.model_copy(update=decided)
        self.imports.batches.choose(self.batch.batch_id, choices.model_dump())

    def correct(self, found: Assessed, fault: Fault, text: str) -> None:
        """Take a new text for what is at fault, in a callback."""
        (order,) = self.imports.batches.orders(self.batch.batch_id, numbers=[found.number])
        source = SourceOrder.model_validate(order.source).with_value(fault.line, fault.field, text)
        self.imports.batches.correct(self.batch.batch_id, found.number, source.model_dump())
        self.judged[found.number] = None


def import_preview(imports: Imports, batch: Batch, catalogue: Catalogue) -> None:
    """Draw the preview, and send what can be sent when the person says so."""
    preview = _Preview.of(imports, batch, catalogue)
    assessed = preview.assessed()
    work, aside = work_and_aside()
    with work:
        _orders(preview, assessed)
    with aside, st.container(border=True):
        _sending(preview, assessed)
        counts: dict[str, Any] = {"unsent": len(assessed), "has_result": bool(preview.settled)}
        close_button(imports, batch, _("Choose another file"), _("Yes, choose another file"), **counts)
    if press.requested(job_of(batch)):
        with st.spinner(_("Preparing the orders")):
            prepare(imports.batches, batch.batch_id, (found for _source, found in preview.whole(assessed)))
        session.forget(PREVIEW)
        imports.start(batch)
        st.rerun()


def _sending(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw what the file comes to, and the button that sends what is ready: in sight together on every size."""
    batch, counts = preview.batch, Counter(map(_outcome, assessed))
    ready = counts[READY]
    st.text(f"{batch.file_name}: {preview.layout.read_as}; {_(_KINDS[preview.layout.kind])}")
    with st.container(key="main-action", gap="small"):
        st.markdown(
            ngettext(
                "**{n} order: {ready} ready, {faulty} to correct, {left_out} left out.**",
                "**{n} orders: {ready} ready, {faulty} to correct, {left_out} left out.**",
                len(assessed),
                n=number(len(assessed)),
                ready=number(ready),
                faulty=number(counts[TO_CORRECT]),
                left_out=number(counts[LEFT_OUT]),
            )
        )
        if ready or preview.settled:
            send = ngettext("Send {n} order", "Send {n} orders", ready, n=number(ready))
            press.send_button(send if ready else _("Back to the result"), job_of(batch))
        else:
            st.text(_("None of these orders can be sent yet."))
    if preview.layout.remarks:
        st.info("  \n".join(map(plain, preview.layout.remarks)))


def _orders(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the decisions, the faults and every order with what happens to it."""
    _choices_form(preview, assessed)
    _faults_list(preview, assessed)
    st.header(_("The orders"), anchor=False)
    pressed = outcome_filter(Counter(map(_outcome, assessed)), key=f"import-outcome:preview:{preview.batch.batch_id}")
    listed = [found for found in assessed if pressed in {None, _outcome(found)}]
    every = len(listed)
    if every > _ORDERS_AT_ONCE:  # no second pagination: two have one name for a screen reader

        def part(first: int) -> str:
            last = number(min(first + _ORDERS_AT_ONCE, every))
            return _("Orders {first} to {last} of {all}", first=number(first + 1), last=last, all=number(every))

        first = st.selectbox(
            _("Part of the list"),
            range(0, every, _ORDERS_AT_ONCE),
            format_func=part,
            key=f"import-orders:{every}",
            filter_mode="contains",
        )
        listed = listed[first : first + _ORDERS_AT_ONCE]
    n = number(len(listed))
    table_view(
        pd.DataFrame([_shown(source, found) for source, found in preview.whole(listed)]),
        _("A table of {n} of {all} orders and what happens to each", n=n, all=number(len(assessed))),
    )


def _outcome(found: Assessed) -> Outcome:
    if found.left_out is not None:
        return LEFT_OUT
    return TO_CORRECT if found.faults else READY


def _shown(source: SourceOrder, found: Assessed) -> dict[str, Any]:
    """A row of the table: what is sent, then the file's own texts, with what was changed on the way in the middle."""
    order, fate = found.order, _("ready")
    if found.left_out is not None:
        fate = _("left out: {why}", why=_(found.left_out))
    elif found.faults:
        first = found.faults[0]
        fate = _("to correct: row {n}, {column}", n=first.row, column=first.column)
    address = order.billing_address if order else None
    texts = {**source.ids, **source.values}, *(line.values for line in source.lines)
    return {
        _("Row"): found.row,
        _("Order"): short_id(found.name),
        _("What happens"): fate,
        _("Items"): "; ".join(_item(item) for item in order.line_items) if order else "",
        _("Customer"): f"{address.first_name} {address.last_name or ''}".strip() if address else "",
        _("Link goes to"): ", ".join(filter(None, (address.email, address.phone))) if address else "",
        _("State and country"): f"{address.state}, {address.country}" if address else found.country,
        _("Changed on the way"): "; ".join(changes(source, order)) if order else "",
        _("In the file"): " | ".join(text for row in texts for text in row.values()),
        _("Remarks"): "; ".join(map(_, found.remarks)),
        _("Order number"): found.order_id,
    }


def _item(item: LineItem) -> str:
    return f"{item.units} × {item.product_title} ({item.product_id}), {price(item.product_price)}"


def _choices_form(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the decisions for which the file gives cause."""
    choices, ids = preview.choices, preview.layout.ids
    raised = defaultdict[str, list[str]](list)
    for kind, texts in (pair for found in assessed for pair in found.raised.items()):
        raised[kind] += texts
    draws: list[Callable[[], None]] = []
    if len(ids) > 1:
        columns = {name: name for name in ids}
        draws.append(
            partial(_one_of, preview, "id_column", _("Column of the order number"), columns, choices.id_column)
        )
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
        st.header(_("Choices"), anchor=False)
        grid = st.grid(2, min_column_width=335)
        for draw in draws:
            with grid.cell():
                draw()
    if guessable := sum(found.left_out is None and GUESSABLE in found.remarks for found in assessed):
        st.warning(
            ngettext(
                "{n} order number is easy to guess: anyone who guesses it can open that customer's page.",
                "{n} order numbers are easy to guess: anyone who guesses one can open that customer's page.",
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
    preview: _Preview, kind: str, label: str, options: Mapping[str, str], chosen: str, *, samples: str = ""
) -> None:
    key, first = f"import-choice:{kind}", next(iter(options))

    def store() -> None:
        preview.choose(**{kind: session.value_of(key, first)})

    st.segmented_control(
        label,
        list(options),
        default=chosen if chosen in options else first,
        key=key,
        required=True,
        on_change=reporting_outage(store),
        format_func=lambda option: plain(options[option]),
    )
    if samples:
        st.caption(plain(samples))


def _state(preview: _Preview, code: str, count: int) -> None:
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


def _faults_list(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the faults a page at a time, without those that a decision for the file mends."""
    every = [(found, fault) for found in assessed if found.left_out is None for fault in found.faults]
    faults = [pair for pair in every if not pair[1].choice]
    stateless = [pair for pair in every if pair[1].choice == "states"]
    orders = len({found.number for found, _fault in faults})
    if faults:
        st.header(_("Needs fixing ({n})", n=number(orders)), anchor=False)
        if len(faults) != orders:
            st.caption(_("They have {n} errors.", n=number(len(faults))))
    n = number(len(stateless))
    if stateless and st.toggle(_("Orders without a state: one by one ({n})", n=n), key="import-states"):
        faults += stateless
    if not faults:
        return
    _many_at_once(preview, faults)
    first = (_page(len(faults)) - 1) * _FAULTS_AT_ONCE
    for found, fault in faults[first : first + _FAULTS_AT_ONCE]:
        _one(preview, found, fault)


def _page(count: int) -> int:
    """Which page of the faults is open; draws the choice where there is one."""
    pages = -(-count // _FAULTS_AT_ONCE)
    if pages == 1:
        return 1
    if session.value_of(_PAGE, 1) > pages:  # the last page was corrected
        session.fill(_PAGE, pages)
    page = st.pagination(pages, key=_PAGE)
    first, last = number((page - 1) * _FAULTS_AT_ONCE + 1), number(min(page * _FAULTS_AT_ONCE, count))
    st.caption(_("Errors {first} to {last} of {all}", first=first, last=last, all=number(count)))
    return page


def _many_at_once(preview: _Preview, faults: _Pairs) -> None:
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


def _correct_all(preview: _Preview, same: _Pairs) -> None:
    text = str(session.value_of(_TEXT, "")).strip()
    for found, fault in same if text else ():
        preview.correct(found, fault, text)
        session.clear(_key(found, fault))
    session.fill(_TEXT, "")


def _one(preview: _Preview, found: Assessed, fault: Fault) -> None:
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

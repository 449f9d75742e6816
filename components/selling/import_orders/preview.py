"""What would be sent of a file: the decisions for the whole file, each fault with its place, and every order."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.import_orders import imports as steps
from components.selling.import_orders.upload import change_columns
from components.selling.sending import press
from components.ui.forms.pick_list import Option, pick_list
from components.ui.frame.failure_notice import reporting_outage
from components.ui.frame.table_view import editable_table, table_view
from components.ui.frame.two_columns import work_and_aside
from components.words.attempts import short_id
from warranty.client.resources import LONGEST_TEXT
from warranty.client.resources.orders import BillingAddress, LineItem
from warranty.desk.journal import Batch, RowState
from warranty.desk.order_imports import prepare
from warranty.files.catalogue import Catalogue
from warranty.files.order_files.assessment import Assessed, Fault, Judge, changes, without_duplicates
from warranty.files.order_files.decisions import DECISIONS, SHOWN_AS, Choices, reading
from warranty.files.order_files.source import FIELDS, Layout, SourceLine, SourceOrder
from warranty.files.tables import at_rows
from warranty.language import _, language, ngettext
from warranty.language.written import number, price
from warranty.places.countries import countries, shown_country, states

_READ_AT_ONCE: Final = 1_000
_ORDERS_AT_ONCE: Final = 25
_ADDRESS: Final = [name for name in BillingAddress.model_fields if name in FIELDS]
_SAME: Final = "import-same-error"
_Faults = dict[tuple[int, int | None, str], tuple[Assessed, Fault]]
"""Faults with their orders, by the order's number, the place of its line and the field."""


@dataclass(slots=True)
class _Preview:
    """The judgements of an import, which take seconds; its texts and what is sent are read again where needed."""

    imports: steps.Imports
    batch: Batch
    catalogue: Catalogue
    layout: Layout
    choices: Choices
    settled: dict[str, str]
    judged: dict[int, Assessed | None]
    """By the orders' numbers; None for what is still to be judged."""
    corrected: _Faults

    @classmethod
    def of(cls, imports: steps.Imports, batch: Batch, catalogue: Catalogue) -> "_Preview":
        """With the judgements of this tab, or to be made anew under other choices or in another language."""
        now = batch.batch_id, batch.choices, language()
        known: Any = session.recall(steps.PREVIEW, None)
        if known is None or known[0] != now:
            orders = imports.batches.orders(batch.batch_id, personal=False)
            settled = {order.order_id: order.name for order in orders if order.state is not RowState.READ}
            known = now, (settled, {order.number: None for order in orders if order.state is RowState.READ}, {})
            session.remember(steps.PREVIEW, known)
        layout, choices = Layout.model_validate(batch.layout), Choices(**batch.choices)
        return cls(imports, batch, catalogue, layout, choices, *known[1])

    def judge(self, numbers: Sequence[int]) -> Iterator[tuple[SourceOrder, Assessed]]:
        """What the file has of these orders, what would be sent, and what stands against it."""
        batches, judge = self.imports.batches, Judge(self.layout, self.choices, self.catalogue, self.imports.currency)
        for first in range(0, len(numbers), _READ_AT_ONCE):
            orders = batches.orders(self.batch.batch_id, numbers=numbers[first : first + _READ_AT_ONCE])
            sources = [SourceOrder.model_validate(order.source) for order in orders]
            sent = batches.sent_before(source.order_id(self.choices.id_column) for source in sources)
            for source in sources:
                yield source, judge.assess(source, sent)

    def assessed(self) -> list[Assessed]:
        """Every order, judged under the choices as they are; without what is sent."""
        for _source, found in self.judge([place for place, known in self.judged.items() if known is None]):
            found.order = None
            self.judged[found.number] = found
        column = self.choices.id_column or _("Order number")
        return without_duplicates(filter(None, self.judged.values()), column, self.settled)

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
        self.corrected[found.number, fault.line, fault.field] = found, replace(fault, message=_("changed"), text=text)


def import_preview(imports: steps.Imports, batch: Batch, catalogue: Catalogue) -> None:
    """Draw the preview, and send what can be sent when the person says so."""
    preview = _Preview.of(imports, batch, catalogue)
    assessed = preview.assessed()
    work, aside = work_and_aside()
    with work:
        _choices_form(preview, assessed)
        _faults_table(preview, assessed)
        _orders_table(preview, assessed)
    with aside, st.container(border=True):
        _sending(preview, assessed)
        if not preview.settled:
            change_columns(imports, batch)
        label, yes = _("Choose another file"), _("Yes, choose another file")
        steps.close_button(imports, batch, label, yes, len(assessed), has_result=bool(preview.settled))
    if press.requested(steps.job_of(batch)):
        with st.spinner(_("Preparing the orders")):
            prepare(imports.batches, batch.batch_id, (found for _source, found in preview.whole(assessed)))
        session.forget(steps.PREVIEW)
        session.forget(steps.TABLE)
        imports.start(batch)
        st.rerun()


def _sending(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw what the file comes to, and the button that sends what is ready: in sight together on every size."""
    batch, counts = preview.batch, Counter(map(_outcome, assessed))
    ready = counts[steps.READY]
    st.text(f"{batch.file_name}: {preview.layout.read_as}; {_(preview.layout.kind)}")
    with st.container(key="main-action", gap="small"):
        figures = {"faulty": number(counts[steps.TO_CORRECT]), "left_out": number(counts[steps.LEFT_OUT])}
        words = ngettext(
            "**{n} order: {ready} ready, {faulty} to correct, {left_out} left out.**",
            "**{n} orders: {ready} ready, {faulty} to correct, {left_out} left out.**",
            len(assessed),
            **figures | {"n": number(len(assessed)), "ready": number(ready)},
        )
        st.markdown(words)
        if ready or preview.settled:
            send = ngettext("Send {n} order", "Send {n} orders", ready, n=number(ready))
            press.send_button(send if ready else _("Back to the result"), steps.job_of(batch))
        else:
            st.text(_("None of these orders can be sent yet."))
    if preview.layout.remarks:
        st.info("  \n".join(map(plain, preview.layout.remarks)))


def _choices_form(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the decisions for which the file gives cause, each with some of what it is about."""
    choices, ids, raised = preview.choices, [*preview.layout.ids], defaultdict[str, list[str]](list)
    for kind, text in (pair for found in assessed for pair in found.raised):
        raised[kind].append(text)
    questions: list[tuple[str, str, dict[str, str], str]] = []
    if len(ids) > 1:
        names = dict(zip(ids, ids, strict=True))
        questions.append(("id_column", _("Column of the order number"), names, choices.id_column or ids[0]))
    for kind, decision in DECISIONS.items():
        if raised[kind] or choices[kind] != decision.options[0]:
            options = {option: _(SHOWN_AS.get(option, option)) for option in decision.options}
            questions.append((kind, f"{_(decision.question)} ({number(len(raised[kind]))})", options, choices[kind]))
    lack = Counter(each for found in assessed for each in {(fault.choice, found.country) for fault in found.faults})
    asked = {*lack, *(("states", code) for code in choices.states), *[("country", "")] * bool(choices.country)}
    places = sorted(place for place in asked if place[0] in {"country", "states"})
    if not (questions or places):
        return
    st.header(_("Choices"), anchor=False)
    grid = st.grid(2, min_column_width=335)
    for kind, label, options, chosen in questions:
        with grid.cell():
            words = {option: plain(word) for option, word in options.items()}.__getitem__
            stored = _stored(preview, kind)
            st.segmented_control(label, list(options), default=chosen, required=True, format_func=words, **stored)
            st.caption(plain(_samples(kind, raised[kind], options, preview.imports.currency)))
    for place in places:
        with grid.cell():
            _place(preview, place[1], lack[place])


def _stored(preview: _Preview, kind: str) -> dict[str, Any]:
    """The options of a field by which what is chosen in it is stored."""
    key = f"import-choice:{kind}"
    return {"key": key, "on_change": reporting_outage(lambda: preview.choose(**{kind: session.value_of(key, None)}))}


def _samples(kind: str, texts: Sequence[str], options: Mapping[str, str], currency: str) -> str:
    """Some of what a decision is about, and what each option makes of it."""
    samples = []
    for text in list(dict.fromkeys(texts))[:3]:
        read = {label: reading(kind, option, text, currency) for option, label in options.items()}
        readings = ", ".join(f"{label}: {meant}" for label, meant in read.items() if meant)
        samples.append(f"“{text[:40]}”" + (f" ({readings})" if readings else ""))
    return " · ".join(samples)


def _place(preview: _Preview, code: str, count: int) -> None:
    """Draw the country of the orders that name none or, by a country's code, the state of those to it without one."""
    choices, known = preview.choices, states(code) if code else countries()
    label, chosen = _("Country for orders without one"), choices.country
    if code:
        label = _("State for orders to {country} without one", country=shown_country(countries()[code]))
        chosen = choices.states.get(code, "")
    label, key = f"{label} ({number(count)})" if count else label, f"import-choice:{preview.batch.batch_id}{code}"

    def store() -> None:
        preview.choose(states={**choices.states, code: session.value_of(key, "")})

    if not known:
        st.text_input(label, chosen, max_chars=LONGEST_TEXT, key=key, on_change=reporting_outage(store))
        return
    named = ((each, each.name if code else shown_country(each)) for each in known.values())
    rows = [Option(each.code, f"{name} ({each.code})", each.other_names) for each, name in named]
    picked = pick_list(label, chosen, key=key, options=rows, placeholder=_("Type or choose"))
    if (place := picked if picked in known else "") != chosen:
        preview.choose(**({"states": {**choices.states, code: place}} if code else {"country": place}))
        st.rerun()


def _faults_table(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the faults as a table that takes new texts, without those that a decision for the file mends."""
    every = [(found, fault) for found in assessed for fault in found.faults]
    faults = [pair for pair in every if not pair[1].choice]
    if faults:
        st.header(_("Needs fixing"), anchor=False)
    damaged = defaultdict[str, list[int]](list)
    for _found, fault in faults:
        damaged[fault.message] += [] if fault.field else [fault.row]  # the file itself is to be corrected
    if rows := [plain(str(at_rows(what, numbers))) for what, numbers in damaged.items() if numbers]:
        st.warning("  \n".join([*rows, _("Correct them in the file and choose it again. The others can be sent now.")]))
    fixed = len(every) - len(faults)
    if fixed and st.toggle(_("Also show rows that a choice above fixes ({n})", n=number(fixed)), key="import-mended"):
        faults = every
    at = {(found.number, fault.line, fault.field): (found, fault) for found, fault in faults if fault.field}
    listed = sorted((preview.corrected | at).items(), key=lambda pair: (pair[1][1].row, pair[0][0], str(pair[0][1:])))
    if listed:
        _editor(preview, dict(listed))


def _editor(preview: _Preview, listed: _Faults) -> None:
    """Draw faults, and take the texts that are typed; it is another table where they are others."""
    key, faults = f"import-faults:{hash(tuple(listed))}", list(listed.values())

    def store() -> None:
        edited: dict[str, Any] = session.value_of(key, {})
        for place, cells in edited.get("edited_rows", {}).items():
            _found, fault = faults[int(place)]
            text = str(cells.get("text") or "").strip()
            if text != fault.text:
                alike = [pair for pair in faults if _kind(pair[1]) == _kind(fault)]
                for pair in alike if session.value_of(_SAME, False) else [faults[int(place)]]:
                    preview.correct(*pair, text)

    labels = {"row": _("Row"), "column": _("Column"), "text": _("New text"), "fault": _("Error"), "order": _("Order")}
    rows = [(fault.row, fault.column, fault.text, fault.message, _where(found)) for found, fault in faults]
    typed = st.column_config.TextColumn(labels["text"], width="medium", max_chars=LONGEST_TEXT)
    st.toggle(_("Fix all rows with the same error"), key=_SAME)
    st.caption(_("Press a cell twice to type into it."))
    alt = _("A table of {n} errors, which takes new texts", n=number(len(faults)))
    editable_table(rows, alt, labels, key=key, column_config={"text": typed}, on_change=reporting_outage(store))


def _kind(fault: Fault) -> tuple[str, ...]:
    return fault.column, fault.message, fault.text


def _where(found: Assessed) -> str:
    return f"{found.name}, {shown_country(countries()[found.country])}" if found.country else found.name


def _orders_table(preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw every order with what happens to it, a page at a time: they are read again for it."""
    st.header(_("The orders"), anchor=False)
    key = f"import-outcome:preview:{preview.batch.batch_id}"
    pressed = steps.outcome_filter(Counter(map(_outcome, assessed)), key=key)
    listed = [found for found in assessed if pressed in {None, _outcome(found)}]
    pages = -(-len(listed) // _ORDERS_AT_ONCE)
    page = st.pagination(pages, key=f"import-orders:{len(listed)}") if pages > 1 else 1
    listed = listed[(page - 1) * _ORDERS_AT_ONCE : page * _ORDERS_AT_ONCE]
    alt = _("A table of {n} of {all} orders and what happens to each", n=number(len(listed)), all=number(len(assessed)))
    table_view(pd.DataFrame([_shown(source, found) for source, found in preview.whole(listed)]), alt)


def _outcome(found: Assessed) -> steps.Outcome:
    return steps.LEFT_OUT if found.left_out is not None else steps.TO_CORRECT if found.faults else steps.READY


def _shown(source: SourceOrder, found: Assessed) -> dict[str, Any]:
    """A row of the table: what is sent, beside the file's own texts."""
    order, happens = found.order, _(_outcome(found).word)
    at = (_("row {n}, {column}", n=fault.row, column=fault.column) for fault in found.faults)
    why = _(found.left_out) if found.left_out else next(at, "")
    as_read = {"first_name": source.values.get("full_name"), **source.values}
    address = order.billing_address.model_dump() if order else as_read
    items = map(_item, order.line_items) if order else map(_line, source.lines)
    return {
        _("Row"): found.row,
        _("Order"): short_id(found.name),
        _("What happens"): f"{happens}: {why}" if why else happens,
        _("Items"): "; ".join(items),
        **{_(FIELDS[name].label): address.get(name) or "" for name in _ADDRESS},
        _("Changed on the way"): "; ".join(changes(source, order)) if order else "",
        _("In the file"): " | ".join((source.original or source).texts.values()),
        _("Remarks"): "; ".join(map(_, found.remarks)),
        _("Order number"): found.order_id,
    }


def _line(line: SourceLine) -> str:
    """A line of an order that is not sent, as its row has it."""
    quantity, title, sku, price_text = (line.values.get(name, "") for name in ("quantity", "title", "sku", "price"))
    return f"{quantity or 1} × {title} ({sku}), {price_text}"


def _item(item: LineItem) -> str:
    text = f"{item.units} × {item.product_title} ({item.product_id}), {price(item.product_price)}"
    return f"{text}, {item.product_delivery_date}" if item.product_delivery_date else text

"""Entries of the journal in words for people."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from decimal import Decimal
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from components.words.amounts import each_of, money, months_words
from warranty.desk.journal import Attempt, AttemptState, ItemLine, Operation, Queue, Settlement
from warranty.language import N_, _, isolated, ngettext
from warranty.language.written import CLOCK, DAY, DAY_OF_YEAR, dated, number, price

KINDS: Final[Mapping[Operation, str]] = {
    "submit_order": N_("New order"),
    "record_sale": N_("Sale"),
    "notify_checkout": N_("Checkout"),
}
Colour = Literal["green", "red", "orange", "blue", "gray"]


class Shown(NamedTuple):
    """How an outcome is shown: its words, said with `_`, a colour, and a sign or a mark, as no colour stands alone.

    `chip` is its colour in a table: pale, so that the platform writes on it in black, light or dark; "" of what ended
    well, which has none. `next_step` is what is left to do where nothing was written.
    """

    words: str
    colour: Colour
    sign: str
    mark: str
    chip: str = ""
    next_step: str = ""


OUTCOMES: Final[Mapping[AttemptState, Shown]] = {
    AttemptState.UNKNOWN: Shown(N_("Unknown"), "orange", "help", "?", "#FFE5C1"),
    AttemptState.REFUSED: Shown(N_("Refused"), "red", "close", "✕", "#FFA9BB", N_("Correct and send")),
    AttemptState.NOT_SENT: Shown(N_("Not sent"), "gray", "block", "–", "#E8EBED", N_("Send")),
    AttemptState.NOT_RECORDED: Shown(N_("Not recorded"), "gray", "block", "–", "#E8EBED", N_("Send if still wanted")),
    AttemptState.SENDING: Shown(N_("On its way"), "blue", "sync", "…", "#B5D0FD"),
    AttemptState.QUEUED: Shown(N_("Waits for the service"), "blue", "schedule", "…", "#B5D0FD"),
    AttemptState.DONE: Shown(N_("Done"), "green", "check", "✓"),
}
ENTRY_COLUMNS: Final = (N_("Time"), N_("Person"), N_("Kind"), N_("Order"), N_("Items"), N_("Amount"))
"""The names that tables have them by; said with `_` where they are shown."""
_clock: ContextVar[ZoneInfo | None] = ContextVar("clock", default=None)
_WHOLE_ID: Final = 13


def kind_words(operation: Operation) -> str:
    """What was sent, in a word: `New order`."""
    return _(KINDS[operation])


def outcome_words(state: AttemptState) -> str:
    """What became of it, in a word or some: `On its way`."""
    return _(OUTCOMES[state].words)


def moment(when: datetime) -> str:
    """A moment in the clock of the person who looks: `21 Nov 2026, 14:02`."""
    return dated(when.astimezone(here()), f"{DAY}, {CLOCK}")


def clock_time(when: datetime) -> str:
    """The time of day of a moment, in the clock of the person who looks: `14:02`."""
    return dated(when.astimezone(here()), CLOCK)


def short_moment(when: datetime, now: datetime) -> str:
    """A moment for a narrow column, seen from `now`: `14:02` of today, else `21 Nov, 14:02` or `21 Nov 2025`."""
    local, day = when.astimezone(here()), today(now)
    if local.date() == day:
        return dated(local, CLOCK)
    return dated(local, f"{DAY_OF_YEAR}, {CLOCK}" if local.year == day.year else DAY)


@contextmanager
def clock_of(zone: ZoneInfo | None) -> Iterator[None]:
    """Say days and times by the clock of this zone meanwhile, a store's, wherever the person who looks may be.

    None is a store without a zone of its own: the browser's holds.
    """
    before = _clock.set(zone)
    try:
        yield
    finally:
        _clock.reset(before)


def here() -> ZoneInfo:
    """The time zone of `clock_of`, else of the browser; UTC where it does not say."""
    try:
        return _clock.get() or ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def today(now: datetime) -> date:
    """The day that it is now for the person who looks; `now` is aware."""
    return now.astimezone(here()).date()


def items_words(items: Sequence[ItemLine]) -> str:
    """What was sent, in short: `55in OLED TV and 2 more`."""
    if not items:
        return _("No items")
    name = item_name(items[0])
    return name if len(items) == 1 else _("{name} and {n} more", name=name, n=len(items) - 1)


def short_id(text: str) -> str:
    """The beginning of an id that nobody reads to its end: `9f2c1a2b…`; one that fits a column stays whole."""
    return text if len(text) <= _WHOLE_ID else f"{text[:8]}…"


def order_words(order_id: str) -> str:
    """Which order it is: `Order 9f2c1a2b…`."""
    return _("Order {order}", order=short_id(order_id))


def amount_of(attempt: Attempt) -> Decimal | None:
    """What the customer pays by it: plans, or the products of a new order; None where a price is not known."""
    of_order = attempt.operation == "submit_order"
    prices = [(item.price if of_order else item.warranty_price, item.quantity) for item in attempt.items]
    if not prices or any(price is None for price, _ in prices):
        return None
    return sum(((price or Decimal(0)) * units for price, units in prices), Decimal(0))


def entry_row(attempt: Attempt) -> tuple[str, ...]:
    """The beginning of an attempt's row in a table, as `ENTRY_COLUMNS` names it."""
    return (
        moment(attempt.started_at),
        person_words(attempt),
        kind_words(attempt.operation),
        attempt.order_id,
        items_words(attempt.items),
        "" if (amount := amount_of(attempt)) is None else price(amount),
    )


def person_words(attempt: Attempt) -> str:
    """Who sent it, after the colleague who sold it where that is another."""
    seller, person = attempt.at.sold_by_name, attempt.operator_name
    return _("{seller}, entered by {person}", seller=seller, person=person) if seller else person


def sold_words(item: ItemLine, currency: str, *, sold_at: datetime | None = None) -> str:
    """A sold line in words: `24 months on 55in OLED TV: 79.99 USD`; where it was sold, until when it covers."""
    term = months_words(item.term_months) if item.term_months else _("A plan")
    kind = f" ({item.warranty_type})" if item.warranty_type else ""
    paid = f": {money(item.warranty_price, currency)}" if item.warranty_price is not None else ""
    words = _("{plan} on {product}", plan=f"{term}{kind}", product=item_name(item)) + paid + each_of(item.quantity)
    until = item.covered_until(sold_at.astimezone(here()).date()) if sold_at else None
    return f"{words}, {covered_words(until)}" if until else words


def sent_lines(attempt: Attempt, currency: str) -> list[str]:
    """What was sent, a line each: products with their units, plans with their price and, once sold, until when."""
    if attempt.operation == "submit_order":
        return [f"{item.quantity} × {isolated(item_name(item))}" for item in attempt.items]
    sold_at = attempt.started_at if attempt.state is AttemptState.DONE else None
    return [sold_words(item, currency, sold_at=sold_at) for item in attempt.items]


def covered_words(until: date) -> str:
    """Until when a plan covers: this desk counts it, the service does not tell."""
    return _("to {day} by this desk's record", day=dated(until))


def covered_days(story: Sequence[Attempt], product_id: str | None = None, units: int = 0) -> tuple[date, ...]:
    """Until when the plans of an order's story cover: all of them, or a product's, once so many units have one."""
    days = [
        until
        for sent in story
        if sent.state is AttemptState.DONE
        for item in sent.items
        if product_id in {None, item.product_id}
        if (until := item.covered_until(sent.started_at.astimezone(here()).date()))
        for _unit in range(item.quantity)
    ]
    return tuple(sorted({*days})) if len(days) >= units else ()


def item_name(item: ItemLine) -> str:
    """What people call a line that was sent: its title, else its SKU, else its offer."""
    offer = _("Offer {offer}", offer=short_id(item.warranty_offer_id)) if item.warranty_offer_id else ""
    return item.title or item.product_id or offer or _("Item without a name")


def next_step(attempt: Attempt, *, corrected: bool = False) -> str:
    """The one right next step, in a few words; empty where nothing is left to do, as after a corrected sending."""
    if corrected:
        return ""
    if attempt.waits:
        return _("None: sends itself")
    if attempt.state is AttemptState.UNKNOWN:
        return _("Try again") if attempt.operation == "submit_order" else _("Check, then settle it")
    if attempt.settled is not None and attempt.settled.drops:
        return _("Dropped by {person}", person=attempt.settled.operator_name)
    step = OUTCOMES[attempt.state].next_step
    return step and _(step)


def settled_words(settled: Settlement, returned_id: str | None) -> str:
    """What was found out about something without an answer, by whom, and when."""
    values = {"person": settled.operator_name, "when": moment(settled.settled_at), "order": returned_id}
    note = f" ({_(settled.note).rstrip('.')})" if settled.note else ""
    return _settled_sentence(settled, returned_id).format(**values) + note


def _settled_sentence(settled: Settlement, returned_id: str | None) -> str:
    if settled.drops:
        return _("Dropped by {person}, {when}")
    if not settled.recorded:
        return _("It was not recorded, found out by {person}, {when}")
    if returned_id:
        return _("It was recorded, warranty order {order}, found out by {person}, {when}")
    return _("It was recorded, found out by {person}, {when}")


def waiting_words(queue: Queue) -> str:
    """How many orders wait for the service, since when; "" where none does."""
    if queue.oldest is None:
        return ""
    return ngettext(
        "**{n} order is waiting for the service** (since {when}). It will be sent automatically, and the customer's "
        "link works from then on.",
        "**{n} orders are waiting for the service** (the oldest since {when}). They will be sent automatically, and "
        "the customers' links work from then on.",
        queue.length,
        n=number(queue.length),
        when=moment(queue.oldest),
    )


def became_words(attempt: Attempt) -> str:
    """What became of an attempt, in a sentence of ours."""
    if attempt.settled is not None:
        return settled_words(attempt.settled, attempt.result.returned_id)
    if attempt.waits:
        return _("Sent automatically when the service is back")
    if attempt.state is not AttemptState.DONE:
        step = next_step(attempt)
        return step and _("Next: {step}", step=f"{step[0].lower()}{step[1:]}")
    if attempt.operation == "record_sale":
        sold = attempt.result.returned_id
        return _("Warranty order {order}", order=sold) if sold else _("Recorded")
    if attempt.operation == "notify_checkout":
        return _("Welcome e-mail sent by the service")
    return _stored_words(attempt)


def _stored_words(order: Attempt) -> str:
    if order.result.already_known:
        return _("The service had it already")
    return _("Nothing to offer") if order.result.warrantable_products is False else _("Stored, with a link")

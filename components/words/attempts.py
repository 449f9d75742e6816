"""Entries of the journal in words for people."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from components.words.amounts import each_of, money, months_words
from warranty.journal import Attempt, AttemptState, ItemLine, Operation, Settlement

KINDS: Final[Mapping[Operation, str]] = {
    "submit_order": "New order",
    "record_sale": "Sale",
    "notify_checkout": "Checkout",
}
OUTCOMES: Final[Mapping[AttemptState, str]] = {
    AttemptState.UNKNOWN: "Unknown",
    AttemptState.REFUSED: "Refused",
    AttemptState.NOT_SENT: "Not sent",
    AttemptState.NOT_RECORDED: "Not recorded",
    AttemptState.SENDING: "On its way",
    AttemptState.QUEUED: "Waits for the service",
    AttemptState.DONE: "Done",
}
Colour = Literal["green", "red", "orange", "blue", "gray"]
COLOURS: Final[Mapping[AttemptState, Colour]] = {
    AttemptState.UNKNOWN: "orange",
    AttemptState.REFUSED: "red",
    AttemptState.NOT_SENT: "gray",
    AttemptState.NOT_RECORDED: "gray",
    AttemptState.SENDING: "blue",
    AttemptState.QUEUED: "blue",
    AttemptState.DONE: "green",
}
SIGNS: Final[Mapping[AttemptState, str]] = {
    AttemptState.UNKNOWN: "help",
    AttemptState.REFUSED: "close",
    AttemptState.NOT_SENT: "block",
    AttemptState.NOT_RECORDED: "block",
    AttemptState.SENDING: "sync",
    AttemptState.QUEUED: "schedule",
    AttemptState.DONE: "check",
}
"""The sign that stands before each outcome: no outcome is told by its colour alone."""
_AFTER_UNKNOWN: Final[Mapping[Operation, str]] = {
    "submit_order": "Send again (harmless)",
    "record_sale": "Check, then settle it",
    "notify_checkout": "Check, then settle it",
}
_NOTHING_WRITTEN: Final[Mapping[AttemptState, str]] = {
    AttemptState.REFUSED: "Correct and send",
    AttemptState.NOT_SENT: "Send",
    AttemptState.NOT_RECORDED: "Send if still wanted",
}
ENTRY_COLUMNS: Final = ("Time", "Person", "Kind", "Order", "Items", "Amount")
_WHOLE_ID: Final = 13


def moment(when: datetime) -> str:
    """A moment in the clock of the person who looks: `21 Nov 2026, 14:02`."""
    local = when.astimezone(here())
    return f"{local.day} {local:%b %Y, %H:%M}"


def clock_time(when: datetime) -> str:
    """The time of day of a moment, in the clock of the person who looks: `14:02`."""
    return f"{when.astimezone(here()):%H:%M}"


def short_moment(when: datetime, now: datetime) -> str:
    """A moment for a narrow column, seen from `now`: `14:02` of today, else `21 Nov, 14:02` or `21 Nov 2025`."""
    local, day = when.astimezone(here()), today(now)
    if local.date() == day:
        return f"{local:%H:%M}"
    return f"{local.day} {local:%b, %H:%M}" if local.year == day.year else f"{local.day} {local:%b %Y}"


def here() -> ZoneInfo:
    """The time zone of the browser; UTC where it does not say."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def today(now: datetime) -> date:
    """The day that it is now for the person who looks; `now` is aware."""
    return now.astimezone(here()).date()


def items_words(items: Sequence[ItemLine]) -> str:
    """What was sent, in short: `55in OLED TV and 2 more`."""
    if not items:
        return "No items"
    name = item_name(items[0])
    return name if len(items) == 1 else f"{name} and {len(items) - 1} more"


def short_id(text: str) -> str:
    """The beginning of an id that nobody reads to its end: `9f2c1a2b…`; one that fits a column stays whole."""
    return text if len(text) <= _WHOLE_ID else f"{text[:8]}…"


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
        attempt.operator_name,
        KINDS[attempt.operation],
        attempt.order_id,
        items_words(attempt.items),
        "" if (amount := amount_of(attempt)) is None else f"{amount:,.2f}",
    )


def sold_words(item: ItemLine, currency: str) -> str:
    """A sold line in words: `24 months on 55in OLED TV: 79.99 USD`."""
    term = months_words(item.term_months) if item.term_months else "A plan"
    kind = f" ({item.warranty_type})" if item.warranty_type else ""
    paid = f": {money(item.warranty_price, currency)}" if item.warranty_price is not None else ""
    return f"{term}{kind} on {item_name(item)}{paid}{each_of(item.quantity)}"


def item_name(item: ItemLine) -> str:
    """What people call a line that was sent: its title, else its SKU, else its offer."""
    offer = f"Offer {item.warranty_offer_id[:8]}…" if item.warranty_offer_id else ""
    return item.title or item.product_id or offer or "Item without a name"


def next_step(attempt: Attempt, *, corrected: bool = False) -> str:
    """The one right next step, in a few words; empty where nothing is left to do, as after a corrected sending."""
    if corrected:
        return ""
    if attempt.waits:
        return "None: sends itself"
    if attempt.state is AttemptState.UNKNOWN:
        return _AFTER_UNKNOWN[attempt.operation]
    if attempt.settled is not None and attempt.settled.drops:
        return f"Dropped by {attempt.settled.operator_name}"
    return _NOTHING_WRITTEN.get(attempt.state, "")


def settled_words(settled: Settlement, returned_id: str | None) -> str:
    """What was found out about something without an answer, by whom, and when."""
    note = f" ({settled.note})" if settled.note else ""
    if settled.drops:
        return f"Dropped by {settled.operator_name}, {moment(settled.settled_at)}{note}"
    found = "It was recorded" if settled.recorded else "It was not recorded"
    number = f", warranty order {returned_id}" if returned_id else ""
    return f"{found}{number}, found out by {settled.operator_name}, {moment(settled.settled_at)}{note}"


def became_words(attempt: Attempt) -> str:
    """What became of an attempt, in a sentence of ours."""
    if attempt.settled is not None:
        return settled_words(attempt.settled, attempt.returned_id)
    if attempt.waits:
        return "It is sent by itself when the service is back"
    if attempt.state is not AttemptState.DONE:
        step = next_step(attempt)
        return step and f"Next: {step[0].lower()}{step[1:]}"
    if attempt.operation == "record_sale":
        return f"Warranty order {attempt.returned_id}" if attempt.returned_id else "Recorded"
    if attempt.operation == "notify_checkout":
        return "Welcome e-mail sent by the service"
    return _stored_words(attempt)


def _stored_words(order: Attempt) -> str:
    if order.already_known:
        return "The service had it already"
    return "Nothing to offer" if order.warrantable_products is False else "Stored, with a link"

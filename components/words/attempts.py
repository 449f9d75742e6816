"""Entries of the journal in words for people."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
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
_AFTER_UNKNOWN: Final[Mapping[Operation, str]] = {
    "submit_order": "Send it again: harmless",
    "record_sale": "Look, then say what you found",
    "notify_checkout": "Ask for the e-mail, then say what you found",
}
_NOTHING_WRITTEN: Final[Mapping[AttemptState, str]] = {
    AttemptState.REFUSED: "Correct it and send it",
    AttemptState.NOT_SENT: "Send it",
    AttemptState.NOT_RECORDED: "Send it again, if the customer still wants it",
}
ENTRY_COLUMNS: Final = ("Time", "Person", "Kind", "Order", "Items")


def moment(when: datetime) -> str:
    """A moment in the clock of the person who looks: `21 Nov 2026, 14:02`."""
    local = when.astimezone(here())
    return f"{local.day} {local:%b %Y, %H:%M}"


def clock_time(when: datetime) -> str:
    """The time of day of a moment, in the clock of the person who looks: `14:02`."""
    return f"{when.astimezone(here()):%H:%M}"


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


def entry_row(attempt: Attempt) -> tuple[str, ...]:
    """The beginning of an attempt's row in a table, as `ENTRY_COLUMNS` names it."""
    return (
        moment(attempt.started_at),
        attempt.operator_name,
        KINDS[attempt.operation],
        attempt.order_id,
        items_words(attempt.items),
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
        return "None: it is sent by itself when the service is back"
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
    if attempt.state is not AttemptState.DONE:
        return next_step(attempt)
    if attempt.operation == "submit_order":
        if attempt.already_known:
            return "The service had it already"
        return "Nothing to offer" if attempt.warrantable_products is False else "Stored, with a link"
    if attempt.operation == "record_sale":
        return f"Warranty order {attempt.returned_id}" if attempt.returned_id else "Recorded"
    return "Welcome e-mail sent by the service"

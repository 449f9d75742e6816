"""Which claims to ask for: a named or a free range of claim dates, the customer's e-mail, the warranty's start."""

from dataclasses import dataclass, replace
from datetime import date

import streamlit as st
from pydantic import ValidationError
from streamlit.delta_generator import DeltaGenerator

from components import session
from components.charts.pick import NO_PICK
from components.claims import filter_of_tab
from components.claims.claims_filter import EARLIEST, LATEST, OFFERED, ClaimsFilter
from components.claims.email_asked import email_wanted
from components.words.days import PRESETS
from warranty.analysis import Period
from warranty.resources import ClaimQuery

_PERIOD = filter_of_tab.WIDGETS + "period"
_CLAIMED = filter_of_tab.WIDGETS + "claimed"
_STARTED = filter_of_tab.WIDGETS + "started"
_EMAIL = filter_of_tab.WIDGETS + "email"
_MORE = "claims-more"
_DAY = "claims.day"


@dataclass(frozen=True, slots=True)
class AskedFor:
    """What the fields say, and where more fields find their place (`more` is None while they are folded away).

    The filter is None where the customer's e-mail is missing. One that is not complete changes nothing.
    """

    chosen: ClaimsFilter | None
    words: DeltaGenerator
    more: DeltaGenerator | None


def claims_filters(*, today: date) -> AskedFor:
    """Draw what the service is asked for; what narrows the answer is drawn later, beside it."""
    kept = filter_of_tab.open_filter()
    _fill(kept, today)
    _notice_free_range(today)
    # Drawn with what they hold: a browser that is still fetching a field's script may never see the run that filled it.
    st.pills(
        "Claim date",
        OFFERED,
        default=session.value_of(_PERIOD, None),
        format_func=lambda name: PRESETS[name].label,
        key=_PERIOD,
        on_change=_take_preset,
        args=(today,),
        label_visibility="collapsed",
    )
    dates, mail, words, more = st.columns([3.4, 2.8, 2.8, 1.6], vertical_alignment="bottom")
    _range_input(dates, "Claim date, first to last day", _CLAIMED)
    mail.text_input(
        "Customer's e-mail",
        value=session.value_of(_EMAIL, ""),
        key=_EMAIL,
        placeholder="Any customer",
        autocomplete="off",
        max_chars=254,
    )
    # What is folded away is not drawn: each field costs every run of the screen a little.
    # Its label never changes: under another one it would be drawn anew, closed, and the next pick lost.
    folded = more.popover("More filters", width="stretch", key=_MORE, on_change="rerun")
    narrowing = None
    if folded.open:
        _range_input(folded, "Warranty start, first to last day", _STARTED)
        narrowing = folded.container()
    chosen = _chosen(kept, today, more_is_open=bool(folded.open))
    filter_of_tab.keep(chosen)
    if session.value_of(_EMAIL, "").strip() != chosen.email:
        st.error(
            "This is no complete e-mail address, so the claims are still those of the customer before. Enter all of "
            "it, or empty the field to see the claims of every customer."
            if chosen.email
            else "This is no complete e-mail address, so no customer is filtered for yet. Enter all of it, or empty "
            "the field."
        )
    if chosen.email_missing:
        email_wanted()
    return AskedFor(None if chosen.email_missing else chosen, words, narrowing)


def range_words(chosen: ClaimsFilter, today: date) -> str:
    """What the ranges mean, in a sentence."""
    days = chosen.days(today)
    said = f"Claims dated {days.words}" if days else "Claims of any date"
    if chosen.started:
        said += f", on warranties that started {chosen.started.words}"
    if days or chosen.started:
        said += "; first and last day count whole, in service time"
    return f"{said}."


def _range_input(where: DeltaGenerator, label: str, key: str) -> None:
    """A range of days; without bounds of ours it would refuse what is older than ten years."""
    where.date_input(
        label,
        value=[*session.value_of(key, ())],
        help=f"From {EARLIEST} to {LATEST}.",
        format="YYYY-MM-DD",
        min_value=EARLIEST,
        max_value=LATEST,
        key=key,
    )


def _chosen(kept: ClaimsFilter, today: date, *, more_is_open: bool) -> ClaimsFilter:
    """Give the filter with what its fields hold now."""
    period: str | None = session.value_of(_PERIOD, None)
    email = session.value_of(_EMAIL, "").strip()
    if not _is_email(email):
        email = kept.email
    chosen = replace(
        kept,
        period=period or "",
        claimed=_days(_CLAIMED, kept.claimed),
        started=_days(_STARTED, kept.started) if more_is_open else kept.started,
        email=email,
        email_missing=kept.email_missing and not email,
    )
    # A bar was picked among the claims of before: among others it would fit by luck only.
    before = replace(kept, email=email) if kept.email_missing else kept
    return chosen if chosen.asks_as(before, today) else replace(chosen, pick=NO_PICK)


def _fill(kept: ClaimsFilter, today: date) -> None:
    """Give fields that are new in this run their values; a named range moves on with the days."""
    if session.recall(_DAY, today) != today and kept.period:
        session.clear(_CLAIMED)
    session.remember(_DAY, today)
    session.fill_new(
        {
            _PERIOD: kept.period or None,
            _CLAIMED: _field_days(kept.days(today)),
            _STARTED: _field_days(kept.started),
            _EMAIL: kept.email,
        }
    )


def _field_days(days: Period | None) -> tuple[date, ...]:
    return (days.first, days.last) if days else ()


def _take_preset(today: date) -> None:
    name: str | None = session.value_of(_PERIOD, None)
    if name is not None:
        session.fill(_CLAIMED, _field_days(ClaimsFilter(period=name).days(today)))


def _notice_free_range(today: date) -> None:
    """No named range is marked once the days are not its days any more."""
    name: str | None = session.value_of(_PERIOD, None)
    picked: tuple[date, ...] = session.value_of(_CLAIMED, ())
    if name and len(picked) != 1 and picked != _field_days(ClaimsFilter(period=name).days(today)):
        session.fill(_PERIOD, None)


def _days(key: str, before: Period | None) -> Period | None:
    """The days in a field; those of before while only the first is picked."""
    picked: tuple[date, ...] = session.value_of(key, ())
    match picked:
        case (first, last):
            return Period(first, last)
        case (_,):
            return before
        case _:
            return None


def _is_email(text: str) -> bool:
    """Whether a customer can be asked for by it; no text at all asks for every customer."""
    try:
        ClaimQuery(customer_email=text or None)
    except ValidationError:
        return False
    return True

"""The fields of the filter: what the service is asked for, and what narrows its answer, which it does not offer."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import streamlit as st
from pydantic import ValidationError
from streamlit.delta_generator import DeltaGenerator

from components import session
from components.claims import tab_filter
from components.claims.claims_filter import EARLIEST, LATEST, OFFERED, ClaimsFilter
from components.claims.tab_filter import field_key
from components.forms.faults import plain, problem_summary
from components.words.days import PRESETS
from warranty.analysis import NO_PICK, Period, choices, conditions, shown_word
from warranty.claims.readings import KeptClaims
from warranty.resources import ClaimQuery

_PRESSED = "claims.named-ranges-pressed"


@dataclass(frozen=True, slots=True)
class AskedFor:
    """What the fields say, and where more fields find their place (`more` is None while they are folded away)."""

    chosen: ClaimsFilter
    words: DeltaGenerator
    more: DeltaGenerator | None


def query_fields(*, today: date, closed: Sequence[str]) -> AskedFor:
    """Draw what the service is asked for; what narrows the answer is drawn later, beside it.

    A field that is not complete changes nothing. Ends the screen here where the customer's e-mail is missing.
    `closed` are the statuses of closed claims.
    """
    kept = tab_filter.current()
    # A named range, and a new day, bring a date field of their own: one that was there might still send its old days.
    claimed = field_key(f"claimed:{session.recall(_PRESSED, 0)}:{today}")
    session.fill_new(
        {
            field_key("period"): kept.period or None,
            claimed: _field_days(kept.days(today)),
            field_key("started"): _field_days(kept.started),
            field_key("email"): kept.email,
            field_key("open"): kept.open_only,
        }
    )
    _notice_free_range(claimed, today)
    # Drawn with what they hold: a browser that is still fetching a field's script may never see the run that filled it.
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.pills(
            "Claim date",
            OFFERED,
            default=session.value_of(field_key("period"), None),
            format_func=lambda name: PRESETS[name].label,
            key=field_key("period"),
            on_change=_take_preset,
            label_visibility="collapsed",
            width="stretch",
            wrap=True,
        )
        st.toggle(
            "Open only",
            value=session.value_of(field_key("open"), False),
            key=field_key("open"),
            help=f"Leaves out claims with a closed status: {plain(', '.join(closed))}. Any other is counted as open.",
            width="content",
        )
    dates, mail, words, more = st.columns([3.4, 2.8, 2.8, 1.6], vertical_alignment="bottom")
    _range_input(dates, "Claim date, first to last day", claimed)
    mail.text_input(
        "Customer's e-mail",
        value=session.value_of(field_key("email"), ""),
        key=field_key("email"),
        placeholder="Any customer",
        autocomplete="off",
        max_chars=254,
    )
    # What is folded away is not drawn: each field costs every run of the screen a little.
    # Its label never changes: under another one it would be drawn anew, closed, and the next pick lost.
    folded = more.popover("More filters", width="stretch", key="claims-more", on_change="rerun")
    narrowing = None
    if folded.open:
        _range_input(folded, "Warranty start, first to last day", field_key("started"))
        narrowing = folded.container()
    chosen = _chosen(kept, today, claimed, more_is_open=narrowing is not None)
    tab_filter.keep(chosen)
    typed = session.value_of(field_key("email"), "").strip()
    if typed != chosen.email:
        fault = (
            "This is no complete e-mail address, so the claims are still those of the customer before. Enter all of "
            "it, or empty the field to see the claims of every customer."
            if chosen.email
            else "This is no complete e-mail address, so no customer is filtered for yet. Enter all of it, or empty "
            "the field."
        )
        problem_summary({"email": fault}, places={"email": field_key("email")})
    if chosen.email_missing:
        _end_without_email()
    return AskedFor(chosen, words, narrowing)


def narrowing_fields(kept: KeptClaims | None, asked: AskedFor) -> ClaimsFilter:
    """Draw words, status and product at their places, with what the set holds to choose from; give the filter."""
    chosen = asked.chosen
    session.fill_new({field_key("words"): chosen.words})
    asked.words.text_input(
        "Search in what was read",
        value=session.value_of(field_key("words"), ""),
        key=field_key("words"),
        type="search",
        placeholder="Words or an id",
        max_chars=200,
    )
    narrowed = replace(chosen, words=session.value_of(field_key("words"), "").strip())
    if asked.more is not None:
        with asked.more:
            statuses = _choose("Status", kept, "status", chosen.statuses, field_key("statuses"))
            products = _choose("Product", kept, "product_name", chosen.products, field_key("products"))
        narrowed = replace(narrowed, statuses=statuses, products=products)
    tab_filter.keep(narrowed)
    return narrowed


def range_words(chosen: ClaimsFilter, today: date) -> str:
    """What the ranges mean, in a sentence."""
    days = chosen.days(today)
    said = f"Claims dated {days.words}" if days else "Claims of any date"
    if chosen.started:
        said += f", on warranties that started {chosen.started.words}"
    if days or chosen.started:
        said += "; first and last day count whole, in service time"
    return f"{said}."


def narrowing_words(chosen: ClaimsFilter, shown: int) -> str:
    """What is left of what was read, and by which filter; empty where nothing narrows it."""
    if not chosen.narrows:
        return ""
    return f"{shown:,} of them shown: {', '.join(conditions(chosen.selection(closed=()), most=sys.maxsize))}."


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


def _choose(
    label: str, kept: KeptClaims | None, column: str, chosen: Sequence[str], key: str
) -> tuple[str, ...]:
    """A choice of several; what an address asks for stays a choice where no claim has it."""
    counts = kept.derived(("choices", column), lambda: choices(kept.claims.frame, column)) if kept else {}
    session.fill_new({key: list(chosen)})
    picked = st.multiselect(
        label,
        list(dict.fromkeys((*counts, *chosen))),
        default=session.value_of(key, []),
        format_func=lambda value: shown_word(value) + (f" ({counts[value]:,})" if value in counts else ""),
        key=key,
        placeholder="All",
    )
    return tuple(picked)


def _end_without_email() -> None:
    """Say that the e-mail is missing, and offer to do without it: everybody's claims are not the customer's."""
    st.info(
        "This view had an e-mail filter; enter it again. It is personal, so neither the address of a screen nor a "
        "saved view holds it. Until then no claims are shown."
    )
    st.button(
        "Show the claims of every customer",
        on_click=lambda: tab_filter.fill_fields(
            replace(tab_filter.current(), email_missing=False, pick=NO_PICK)
        ),
        key="claims-every-customer",
        type="tertiary",
        icon=":material/filter_alt_off:",
    )
    st.stop()


def _chosen(kept: ClaimsFilter, today: date, claimed: str, *, more_is_open: bool) -> ClaimsFilter:
    """Give the filter with what its fields hold now."""
    period: str | None = session.value_of(field_key("period"), None)
    email = session.value_of(field_key("email"), "").strip()
    if not _is_email(email):
        email = kept.email
    chosen = replace(
        kept,
        period=period or "",
        claimed=_days(claimed, kept.claimed),
        started=_days(field_key("started"), kept.started) if more_is_open else kept.started,
        email=email,
        open_only=session.value_of(field_key("open"), kept.open_only),
        email_missing=kept.email_missing and not email,
    )
    # A bar was picked among the claims of before: among others it would fit by luck only.
    before = replace(kept, email=email) if kept.email_missing else kept
    return chosen if chosen.query(today) == before.query(today) else replace(chosen, pick=NO_PICK)


def _field_days(days: Period | None) -> tuple[date, ...]:
    return (days.first, days.last) if days else ()


def _take_preset() -> None:
    name: str | None = session.value_of(field_key("period"), None)
    if name is not None:
        tab_filter.change(period=name, pick=NO_PICK)
        session.remember(_PRESSED, session.recall(_PRESSED, 0) + 1)


def _notice_free_range(claimed: str, today: date) -> None:
    """No named range is marked once the days are not its days any more."""
    name: str | None = session.value_of(field_key("period"), None)
    picked: tuple[date, ...] = session.value_of(claimed, ())
    if name and len(picked) != 1 and picked != _field_days(ClaimsFilter(period=name).days(today)):
        session.fill(field_key("period"), None)


def _days(key: str, before: Period | None) -> Period | None:
    """The days in a field; those of before while only the first is picked."""
    picked: tuple[date, ...] = session.value_of(key, ())
    if len(picked) == 2:
        return Period(*picked)
    return before if picked else None


def _is_email(text: str) -> bool:
    """Whether a customer can be asked for by it; no text at all asks for every customer."""
    try:
        ClaimQuery(customer_email=text or None)
    except ValidationError:
        return False
    return True

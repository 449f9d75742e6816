"""The fields of the filter, on one line: what the service is asked for, and what narrows its answer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

import streamlit as st
from pydantic import ValidationError
from streamlit.delta_generator import DeltaGenerator

from components.claims.screen import tab_filter
from components.claims.screen.claims_filter import FIRST_PRESET, OFFERED, ClaimsFilter
from components.claims.screen.tab_filter import field_key
from components.platform import session
from components.platform.markup import plain
from components.ui.day_field import days_field
from components.ui.forms.faults import problem_summary
from components.words.days import PRESETS
from components.words.statuses import status_words
from warranty.claims.analysis import NO_PICK, Period, choices, shown_word
from warranty.claims.readings.readings import KeptClaims
from warranty.client.resources import ClaimQuery
from warranty.language import _, pgettext
from warranty.language.written import number

_OWN_DAYS: Final = ""
"""Stands for no named range: the days are picked one by one."""
_OWN_DAYS_BEGUN: Final = "claims.own-days-begun"


def query_fields(*, today: date, closed: Sequence[str]) -> tuple[ClaimsFilter, DeltaGenerator | None]:
    """Draw what the service is asked for; give the filter, and where `narrowing_fields` has its place, unless folded.

    A field that is not complete changes nothing. Ends the screen here where the customer's e-mail is missing.
    `closed` are the statuses of closed claims.
    """
    current = tab_filter.current()
    # Days of one's own begin with those of the range before, in a field that no earlier days can be sent from.
    claimed = field_key(f"claimed:{session.recall(_OWN_DAYS_BEGUN, 0)}")
    session.fill_new(
        {
            field_key("period"): current.period,
            field_key("email"): current.email,
            field_key("words"): current.words,
            field_key("open"): current.open_only,
        }
    )
    # Drawn with what they hold: a browser that is still fetching a field's script may never see the run that filled it.
    line = st.container(horizontal=True, vertical_alignment="center", key="claims-tools")
    named = (*OFFERED, _OWN_DAYS)
    line.selectbox(
        _("Claim date"),
        named,
        index=named.index(session.value_of(field_key("period"), current.period)),
        format_func=lambda name: _(PRESETS[name].label) if name else _("Days of your own"),
        key=field_key("period"),
        on_change=_take_range,
        args=(today,),
        label_visibility="collapsed",
        width=165,
        filter_mode="contains",
    )
    # On a phone alone, where those that hold nothing are folded away behind it: platform/desk.css.
    line.toggle(_("Filters"), key="claims-fold", width="content")
    own_days = session.value_of(field_key("period"), current.period) == _OWN_DAYS
    if own_days:
        with line:
            name = _("Claim date, first to last day")
            days_field(name, current.claimed, key=claimed, label_visibility="collapsed", width=265)
    line.text_input(
        _("Customer's e-mail"),
        value=session.value_of(field_key("email"), ""),
        key=field_key("email"),
        placeholder=_("E-mail"),
        icon=":material/mail:",
        autocomplete="off",
        max_chars=254,
        label_visibility="collapsed",
    )
    line.text_input(
        _("Search these claims"),
        value=session.value_of(field_key("words"), ""),
        key=field_key("words"),
        type="search",
        placeholder=pgettext("field", "Search"),
        max_chars=200,
        label_visibility="collapsed",
    )
    line.toggle(
        _("Open only"),
        value=session.value_of(field_key("open"), False),
        key=field_key("open"),
        help=_(
            "Leaves out claims with a closed status: {statuses}. Any other is counted as open.",
            statuses=plain(", ".join(closed)),
        ),
        width="content",
    )
    # What is folded away is not drawn: each field costs every run of the screen a little.
    # Its label never changes: under another one it would be drawn anew, closed, and the next pick lost.
    folded = line.popover(_("More filters"), icon=":material/tune:", key="claims-more", on_change="rerun")
    narrowing = None
    if folded.open:
        with folded:
            days_field(_("Warranty start, first to last day"), current.started, key=field_key("started"))
        narrowing = folded.container()
    chosen = _chosen(current, today, claimed if own_days else "")
    tab_filter.keep(chosen)
    typed = session.value_of(field_key("email"), "").strip()
    if typed != chosen.email:
        fault = _(
            "This e-mail address is not complete, so the list has not changed. Enter all of it, or clear the field to "
            "see every customer's claims."
        )
        problem_summary({"email": fault}, places={"email": field_key("email")})
    if chosen.email_missing:
        _end_without_email()
    return chosen, narrowing


def narrowing_fields(cached: KeptClaims | None, chosen: ClaimsFilter, place: DeltaGenerator | None) -> ClaimsFilter:
    """Draw status and product at their place, with what the set holds to choose from; give the filter."""
    narrowed = replace(chosen, words=session.value_of(field_key("words"), "").strip())
    if place is not None:
        with place:
            statuses = _choose(
                _("Status"), cached, "status", chosen.statuses, field_key("statuses"), words=status_words
            )
            products = _choose(
                _("Product"), cached, "product_name", chosen.products, field_key("products"), words=shown_word
            )
        narrowed = replace(narrowed, statuses=statuses, products=products)
    tab_filter.keep(narrowed)
    return narrowed


def _choose(
    label: str, cached: KeptClaims | None, column: str, chosen: Sequence[str], key: str, *, words: Callable[[str], str]
) -> tuple[str, ...]:
    """A choice of several; what an address asks for stays a choice where no claim has it."""
    counts = cached.derived(("choices", column), lambda: choices(cached.claims.frame, column)) if cached else {}
    session.fill_new({key: list(chosen)})
    # What was picked a moment ago is among them, too, where the claims of other days are still being read.
    held: list[str] = session.value_of(key, [])
    picked = st.multiselect(
        label,
        list(dict.fromkeys((*counts, *chosen, *held))),
        default=held,
        format_func=lambda value: words(value) + (f" ({number(counts[value])})" if value in counts else ""),
        key=key,
        placeholder=pgettext("choices", "All"),
        filter_mode="contains",
    )
    return tuple(picked)


def _end_without_email() -> None:
    """Say that the e-mail is missing, and offer to do without it: everybody's claims are not the customer's."""
    st.info(_("This view was for one customer's e-mail, which is never saved. Enter it again to see the claims."))
    st.button(
        _("Show the claims of every customer"),
        on_click=lambda: tab_filter.fill_fields(replace(tab_filter.current(), email_missing=False, pick=NO_PICK)),
        key="claims-every-customer",
        type="tertiary",
        icon=":material/filter_alt_off:",
    )
    st.stop()


def _chosen(current: ClaimsFilter, today: date, claimed: str) -> ClaimsFilter:
    """Give the filter with what its fields hold now; `claimed` is the key of the days, empty for a named range."""
    email = session.value_of(field_key("email"), "").strip()
    if not _is_email(email):
        email = current.email
    chosen = replace(
        current,
        period=session.value_of(field_key("period"), current.period),
        claimed=_days(claimed, current.claimed) if claimed else None,
        started=_days(field_key("started"), current.started),
        email=email,
        open_only=session.value_of(field_key("open"), current.open_only),
        email_missing=current.email_missing and not email,
    )
    # A bar was picked among the claims of before: among others it would fit by luck only.
    before = replace(current, email=email) if current.email_missing else current
    return chosen if chosen.query(today) == before.query(today) else replace(chosen, pick=NO_PICK)


def _take_range(today: date) -> None:
    """Take a named range; days of one's own begin with those that were shown."""
    name: str = session.value_of(field_key("period"), FIRST_PRESET)
    claimed = None if name else tab_filter.current().days(today)
    session.remember(_OWN_DAYS_BEGUN, session.recall(_OWN_DAYS_BEGUN, 0) + 1)
    tab_filter.change(period=name, claimed=claimed, **({"pick": NO_PICK} if name else {}))


def _days(key: str, before: Period | None) -> Period | None:
    """The days in a field; those of before while only the first is picked, and where it is folded away."""
    picked: tuple[date, ...] | None = session.value_of(key, None)
    if picked is not None and len(picked) == 2:
        return Period(*picked)
    return None if picked == () else before


def _is_email(text: str) -> bool:
    """Whether a customer can be asked for by it; no text at all asks for every customer."""
    try:
        ClaimQuery(customer_email=text or None)
    except ValidationError:
        return False
    return True

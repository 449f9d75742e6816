"""The seal: how many of the claims are here, proved or not, as of when; and what is missing, unreadable, not there."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pandas as pd
import streamlit as st

from components.claims.screen import tab_filter
from components.ui.frame.table_view import table_view
from components.words.days import service_today
from warranty.claims.analysis import NO_PICK
from warranty.claims.retrieval import ClaimSet, RejectedRecord
from warranty.client.resources import ClaimQuery
from warranty.language import _, ngettext
from warranty.language.written import CLOCK, DAY, dated, number

_SHOWN_RECORDS: Final = 500


def short_seal(claims: ClaimSet) -> str:
    """The seal on a chart: `complete: 1,204 of 1,204, read 14:02, closed ones since 13:10`."""
    if claims.still_reading:
        return claims.seal
    seal, when = claims.seal, read_at(claims.as_of)
    if claims.closed_from:
        return _(
            "{seal}, read {when}, closed ones since {since}", seal=seal, when=when, since=read_at(claims.closed_from)
        )
    return _("{seal}, read {when}", seal=seal, when=when)


def seal_text(claims: ClaimSet) -> str:
    """The seal on the screen and on the table: that of a chart, and whose clock it names."""
    return claims.seal if claims.still_reading else _("{seal} UTC", seal=short_seal(claims))


def read_at(as_of: datetime, now: datetime | None = None) -> str:
    """When a set was read: the time of day, with the day where it is not today."""
    moment, today = as_of.astimezone(UTC), service_today(now)
    return dated(moment, CLOCK if moment.date() == today else f"{DAY}, {CLOCK}")


def seal_badge(claims: ClaimSet) -> None:
    """Draw the seal: green only where every claim is here, and none twice."""
    if claims.still_reading:
        st.badge(seal_text(claims), icon=":material/hourglass_top:", color="blue")
    elif claims.is_certain:
        st.badge(seal_text(claims), icon=":material/check_circle:", color="green")
    else:
        st.badge(seal_text(claims), icon=":material/warning:", color="orange")


def missing_notice(claims: ClaimSet) -> None:
    """Say what is missing or doubtful, and why; draws nothing where there is nothing to doubt."""
    if claims.table.repeated:
        st.warning(
            _(
                "**{n} of the claims repeat another one in all eight fields, so others may "
                "be missing here although the count is right.** **What to do:** choose "
                "Refresh; if they stay, call IT support.",
                n=number(claims.table.repeated),
            )
        )
    if claims.is_whole:
        return
    if claims.total is None:
        message = _("**Nothing was read.** The service did not say how many claims there are.")
        st.warning(" ".join((message, *map(str, claims.reasons))))
    else:
        message = _("**It is not proved that all claims are here.**")
        if claims.total > claims.received:
            message = _("**Not all claims are here.**")
        message += " " + _(
            "The service counts {total}, {read} were read.", total=number(claims.total), read=number(claims.received)
        )
        shown = _("Table, charts and files show only what was read, and say so.")
        to_do = _("**What to do:** choose Refresh: it goes on from here.") if claims.rest else ""
        st.warning(" ".join(filter(None, (message, *map(str, claims.reasons), shown, to_do))))


def unreadable_records(rejected: Sequence[RejectedRecord]) -> None:
    """List the records that could not be read, each with its reason; draws nothing where there are none."""
    if not rejected:
        return
    count = len(rejected)
    title = ngettext(
        "{n} claim could not be read and is left out",
        "{n} claims could not be read and are left out",
        count,
        n=number(count),
    )
    with st.expander(title, icon=":material/report:"):
        st.caption(
            _(
                "The service sent these records in a form that its interface does not "
                "describe; they count as received. Tell IT support: the place in the answers "
                "finds them again."
            )
        )
        shown = [
            {
                _("Answer"): record.answer,
                _("Record"): record.record + 1,
                _("Field"): record.field or _("whole record"),
                _("Reason"): str(record.reason),
                _("As received"): repr(record.content),
            }
            for record in rejected[:_SHOWN_RECORDS]
        ]
        table_view(pd.DataFrame(shown), _("A table of {n} records that could not be read", n=len(shown)))
        if count > _SHOWN_RECORDS:
            st.caption(_("The first {n} are listed.", n=number(_SHOWN_RECORDS)))


def end_without_claims(claims: ClaimSet, *, shown: int) -> None:
    """End the screen here where there is nothing to show, and say what that means; `shown` claims fit the filter."""
    if shown:
        return
    st.info(words_without_claims(claims))
    if claims.is_complete and claims.frame.empty and claims.query.claim_dates:
        st.button(
            _("Show all dates"),
            key="claims-all-dates",
            on_click=lambda: tab_filter.fill_fields(
                replace(tab_filter.current(), period="all", claimed=None, pick=NO_PICK)
            ),
        )
    st.stop()


def words_without_claims(claims: ClaimSet) -> str:
    """Say why there is no claim to show, and what to do."""
    if not claims.frame.empty:
        if claims.still_reading:
            return _("No claim read so far matches.")
        return _(
            "No claim matches. Change the search or the filters, or choose Show all {n}.", n=number(len(claims.frame))
        )
    if claims.rejected:
        return _(
            "None of the claims that were read is in a form that can be shown. They are listed above, each with "
            "its reason; tell IT support."
        )
    if claims.is_complete:
        return _none_there(claims.query)
    if claims.total:
        return _("No claim was read, but the service counts {n}. Choose Refresh to read them.", n=number(claims.total))
    return _("No claim was read, so it is not known whether any fit this filter. Choose Refresh to read again.")


def _none_there(query: ClaimQuery) -> str:
    if query.customer_email:
        return _("This customer has no claims here. Check the e-mail, or choose other dates.")
    if query.claim_dates or query.warranty_start_dates:
        return _("There are no claims in these days. Choose a longer range.")
    return _("No claims yet. They appear here as soon as a customer makes one.")

"""The story of one order, oldest first: submitted, link shown, sold, checkout notified, claims on it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

import streamlit as st

from components.claims.screen.columns import written_date
from components.claims.screen.reading import claims_reading
from components.navigation import go_to
from components.platform import session
from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.selling.orders.confirmation import confirmation_button
from components.selling.orders.recent_orders import copy_order_id, link_of
from components.selling.sending.settling import settling
from components.ui.frame.failure_notice import service_words
from components.wiring import Runtime
from components.words.attempts import (
    OUTCOMES,
    Colour,
    became_words,
    kind_words,
    moment,
    outcome_words,
    person_words,
    sent_lines,
    settled_words,
)
from warranty.access import Operator, Permission
from warranty.claims.analysis.periods import day_words
from warranty.client.resources import ClaimQuery
from warranty.desk.journal import Attempt, AttemptState, LinkShown
from warranty.desk.second_sending import taken_from_here
from warranty.language import N_, _
from warranty.language.written import CLOCK, DAY, number


def timeline_order(order_id: str, entries: Sequence[Attempt], *, runtime: Runtime, operator: Operator) -> None:
    """Draw the timeline; whoever looks sees what colleagues did on this order, so that nothing is sold twice."""
    st.header(_("Timeline of the order"))
    link = next((entry.result.landing_url for entry in entries if entry.result.landing_url and not entry.waits), None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        copy_order_id(order_id, place="timeline")
        if sure := link_of(taken_from_here(entries)):
            copy_button(_("Copy link"), sure, place="timeline")
        if link:
            st.link_button(_("Open the customer page"), link)
        if st.button(_("Record a sale on this order"), key="sell-from-timeline"):
            go_to("record_sale", order=order_id)
    corrected = runtime.desk.activity.corrected(operator, entries)
    links = runtime.desk.activity.links_of_order(operator, order_id)
    settlements = runtime.desk.activity.settlements(operator, entries)
    shown = [replace(link, declined_at=None) for link in links]
    story: list[Attempt | LinkShown] = [*entries, *shown, *(link for link in links if link.declined_at)]
    with st.container(key="timeline"):
        for entry in sorted(story, key=_when):
            with st.container(gap="xsmall"):
                if isinstance(entry, LinkShown):
                    _link(entry)
                    continue
                acknowledged = [one for one in entries if one.attempt_id in entry.acknowledged]
                _entry(entry, acknowledged, runtime.settings.currency, corrected=entry.attempt_id in corrected)
                for word in settlements.get(entry.attempt_id, []):
                    if word.settled and word.settled != entry.settled:
                        before = settled_words(word.settled, word.result.returned_id)
                        st.text(_("Said before: {words}", words=before))
                service_words(entry.failure)
                _buttons(entry, runtime, operator, is_last=entry.attempt_id not in corrected)
    if operator.may(Permission.READ_CLAIMS) and entries:
        _claims(order_id, entries[0].started_at, runtime, operator)


def _when(entry: Attempt | LinkShown) -> datetime:
    return (entry.declined_at or entry.shown_at) if isinstance(entry, LinkShown) else entry.started_at


def _head(what: str, when: datetime, who: str, *, outcome: str, sign: str, colour: Colour) -> None:
    """What happened, what became of it as a coloured word with a sign, when, and by whom."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{what}**", width="content")
        st.badge(outcome, icon=f":material/{sign}:", color=colour)
        st.caption(f"{plain(moment(when))}, {plain(who)}", width="content")


def _link(entry: LinkShown) -> None:
    """That the link was shown, or what came of it: that the customer declined."""
    if entry.declined_at:
        _head(_("Plan"), entry.declined_at, entry.operator_name, outcome=_("Declined"), sign="block", colour="gray")
        return
    _head(
        _("Link shown"), entry.shown_at, entry.operator_name, outcome=_("On screen"), sign="visibility", colour="blue"
    )
    st.text(_("This person had the customer page's link on screen, to hand to the customer."))


def _entry(entry: Attempt, acknowledged: Sequence[Attempt], currency: str, *, corrected: bool) -> None:
    state = entry.state
    _head(
        kind_words(entry.operation),
        entry.started_at,
        person_words(entry),
        outcome=outcome_words(state),
        sign=OUTCOMES[state].sign,
        colour=OUTCOMES[state].colour,
    )
    for sentence in sent_lines(entry, currency):
        st.text(sentence)
    words = became_words(entry) if entry.settled or not corrected else ""
    for sentence in filter(None, (words, _("Corrected and sent again") if corrected else "")):
        st.text(sentence)
    for other in acknowledged:
        st.text(
            _(
                "Sent after a warning: {person} was told of the {kind} of {when}, {other}.",
                person=entry.operator_name,
                kind=kind_words(other.operation).lower(),
                when=moment(other.started_at),
                other=other.operator_name,
            )
        )


def _buttons(entry: Attempt, runtime: Runtime, operator: Operator, *, is_last: bool) -> None:
    """What can be done about this one event."""
    is_sold = entry.operation == "record_sale" and entry.state is AttemptState.DONE
    if is_sold and not (entry.settled and entry.settled.is_hearsay):
        confirmation_button(entry, runtime.settings, runtime.shop_files.catalogue.in_use())
    if not entry.state.is_open:
        settling(entry, runtime=runtime, operator=operator, note=N_("Corrected in the activity."), is_last=is_last)


def _claims(order_id: str, ordered: datetime, runtime: Runtime, operator: Operator) -> None:
    """Claims cannot be asked for by order: those since the order are read, and this order's are picked out."""
    wanted = f"claims-of:{order_id}"
    if not session.recall(wanted, False):
        st.button(
            _("Look for claims on this order"),
            key="look-for-claims",
            on_click=session.remember,
            args=(wanted, True),
            help=_("The service does not give claims by order: those filed since the order are read and searched."),
        )
        return
    first = datetime.combine(ordered.date() - timedelta(days=1), time.min)
    last = datetime.combine(runtime.desk.now().date() + timedelta(days=1), time.max)
    cached = claims_reading(runtime.claims.of(operator), ClaimQuery(claim_dates=(first, last)))
    if cached is None:
        return
    claims = cached.claims
    found = claims.frame[claims.frame["order_id"] == order_id]
    searched = {"claims": claims.count_words, "day": day_words(first.date())}
    if found.empty:
        st.info(_("No claim on this order among {claims} claims filed since {day}.", **searched))
    else:
        for at, *claim in found[["claim_date", "product_name", "status", "warranty_id"]].itertuples(index=False):
            st.text(", ".join([_("{day} (service time)", day=written_date(at, f"{DAY}, {CLOCK}")), *map(str, claim)]))
        found_here = number(len(found))
        st.caption(_("{n} on this order among {claims} claims filed since {day}.", n=found_here, **searched))
    if not claims.is_complete:
        st.warning(_("Not all claims of these days could be read, so one on this order may be missing."))

"""What this desk is connected to, how the service answers it, what is left to settle, its last calls, its version and
addresses; what the service does beyond its document, and which of its words for a claim's status count as closed.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
import streamlit as st

from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.reading import claims_reading
from components.claims.screen.seal import seal_text
from components.gate import taken_away
from components.navigation import go_to
from components.platform import session
from components.platform.markup import plain
from components.platform.serving.sandbox_control import OPERATIONS
from components.ui.frame.failure_notice import failure_notice
from components.ui.frame.table_view import file_button, table_view
from components.words.attempts import here, moment, waiting_words
from components.words.days import service_today
from warranty import VERSION
from warranty.access import Operator, Permission, Role
from warranty.claims.analysis import Selection, base_of, choices, shown_word
from warranty.claims.readings.readings import ClaimReadings
from warranty.client import WarrantyClient
from warranty.client.credentials import token_hint
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, Queue
from warranty.desk.taking_away import TakenAway
from warranty.errors import Failure, WarrantyError
from warranty.language import N_, _, ngettext, pgettext
from warranty.language.written import DAY_OF_YEAR, dated, number
from warranty.settings import Settings, token_calls, variable
from warranty.watch.observed.observations import Sighting, contradicted, drift_json
from warranty.watch.observed.observer import ServiceSeen

if TYPE_CHECKING:  # loaded where somebody is told
    from warranty.watch.alerts.watch import Watching


_CHECKED: Final = "tokens-checked"
_AGAIN: Final = "check-tokens-again"
_SAID: Final = {
    "CredentialRefused": N_("not accepted"),
    "NotSent": N_("not checked, since the service could not be reached"),
}
_Answer = tuple[str, Failure | None, float]
"""Which token, why it was not accepted, and the milliseconds that it took."""
_TOKENS: Final = {"private": N_("Private token"), "public": N_("Public token")}
CALLS: Final = {
    **OPERATIONS,
    "purchase_warranties": N_("Checking an order's plans"),
    "offers": N_("Looking for offers"),
}
_OUTCOMES: Final = {
    "done": N_("Done"),
    "NotSent": N_("Not sent"),
    "OutcomeUnknown": N_("Unknown"),
    "CredentialRefused": N_("Token refused"),
    "RequestRefused": N_("Refused"),
    "BillingAddressMissing": N_("Refused: no billing address"),
    "OrderNotFound": N_("Order not found"),
    "ServiceFailed": N_("Service failed"),
    "UnexpectedAnswer": N_("Unexpected answer"),
}
_SHOWN: Final = 20


def connection_state(settings: Settings, client: WarrantyClient, desk: Desk, operator: Operator) -> None:
    """Say first whether all is well, and what is not: the tokens, what is left to check, what waits.

    The service is asked with each token when the screen is opened or the button pressed.
    """
    place = st.container()
    # The platform keeps a button's key as long as its screen is the one on show.
    answers: list[_Answer] = session.recall(_CHECKED, []) if session.is_filled(_AGAIN) else []
    if not answers:
        answers = [_timed_answer(_TOKENS[name], call) for name, _token, call in token_calls(settings, client)]
        session.remember(_CHECKED, answers)
    sends = operator.may(Permission.SEE_OWN_ACTIVITY)
    unsettled = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}))
    unknown = desk.activity.count_attempts(operator, unsettled) if sends else 0
    with place:
        _state(answers, desk.activity.queue(operator) if sends else Queue(length=0, oldest=None), unknown)
    with st.container(horizontal=True):
        if unknown and st.button(_("Check in Activity"), key="connection-to-activity", type="primary"):
            go_to("activity")
        st.button(_("Check again"), key=_AGAIN, on_click=session.forget, args=(_CHECKED,))


def _state(answers: Sequence[_Answer], queue: Queue, unknown: int) -> None:
    accepted = ", ".join(
        _("{token} in {n} ms", token=_(name).lower(), n=number(milliseconds))
        for name, failure, milliseconds in answers
        if not failure
    )
    if not unknown and queue.oldest is None and all(failure is None for each, failure, took in answers):
        st.success(_("**Connected.** The service accepted both tokens ({tokens}).", tokens=accepted))
        return
    for name, failure, _took in answers:
        if failure is not None:
            reason = _(_SAID.get(failure.kind, N_("not known, since the service gave no usable answer")))
            st.markdown(f"**{_(name)}: {reason}**")
            failure_notice(failure)
    if unknown:
        st.warning(
            ngettext(
                "**{n} to check.** It is not confirmed yet.", "**{n} to check.** They are not confirmed yet.", unknown
            )
        )
    if queue.oldest is not None:
        st.info(waiting_words(queue))
    if accepted:
        st.text(_("Accepted: {tokens}.", tokens=accepted))


def _timed_answer(name: str, call: Callable[[], object]) -> _Answer:
    started = time.perf_counter()
    failure = None
    try:
        with st.spinner(_("Checking the {token}", token=_(name).lower())):
            call()
    except WarrantyError as error:
        failure = error.failure
    return name, failure, (time.perf_counter() - started) * 1000


def recent_calls_table(calls: Sequence[Mapping[str, Any]]) -> None:
    """Draw the last calls of this desk, folded away: in words, with their codes behind."""
    with st.expander(_("Last calls to the service ({n})", n=min(len(calls), _SHOWN))):
        rows = [_call_row(call) for call in calls[:_SHOWN]]
        columns = [_("When"), _("Call"), _("Outcome"), _("Took"), _("Repeats"), _("Code"), _("Reference for support")]
        table_view(pd.DataFrame(rows, columns=columns, dtype="str"), _("The last calls to the service, newest first"))


def _call_row(call: Mapping[str, Any]) -> tuple[str, ...]:
    at: datetime = call["at"].astimezone(here())
    outcome = str(call["outcome"])
    repeats, status = call.get("repeats") or 0, call.get("status")
    return (
        dated(at, f"{DAY_OF_YEAR}, HH:mm:ss"),
        _(CALLS.get(call["operation"], call["operation"])),
        _(_OUTCOMES.get(outcome, outcome)),
        f"{number(call['milliseconds'])} ms",
        f"{repeats}" if repeats else "",
        f"{call['operation']} {status or ''}".strip(),
        call.get("attempt_id") or "",
    )


_MEGABYTE: Final = 1_000_000


def desk_facts(
    settings: Settings, desk: Desk, watching: "Watching | None", operator: Operator, *, roles: Collection[Role]
) -> None:
    """Draw them folded away; what a missing setting costs is said to those who may see to it."""
    alerts = {_("Alerts by"): _alerts(settings, watching.last_alert(operator) if watching else None)}
    with st.expander(_("This desk: version, addresses, journal, accounts, timeouts")):
        for name, value in (_facts(settings, desk, operator, roles) | alerts).items():
            label, content = st.columns([1, 4], gap="small")
            label.text(name)
            content.text(value)
        if operator.may(Permission.SEE_SERVICE_DRIFT):
            for sentence in settings.consequences:
                st.info(sentence)


def _facts(settings: Settings, desk: Desk, operator: Operator, roles: Collection[Role]) -> dict[str, str]:
    journal = desk.journal_facts(operator)
    copied = _("the newest is of {when}", when=moment(journal.copied_at)) if journal.copied_at else _("none yet")
    return {
        _("Program"): f"Warranty Desk {VERSION}",
        _("Environment"): settings.environment,
        _("Service"): settings.base_url or _("not set"),
        _("Customer pages"): settings.landing_url or _("not set"),
        _("Retailer"): settings.retailer_uuid or _("not set"),
        _("Private token"): token_hint(settings.private_token),
        _("Public token"): _(
            "{token}, sent in the header {header}",
            token=token_hint(settings.public_token),
            header=settings.public_token_header,
        ),
        _("Timeouts"): _(
            "{connect} s for a connection, {read} s for an answer",
            connect=f"{settings.connect_timeout.total_seconds():g}",
            read=f"{settings.read_timeout.total_seconds():g}",
        ),
        _("Journal"): f"{journal.place}, {journal.size / _MEGABYTE:,.1f} MB",
        _("Journal's schema"): f"{journal.schema.revision}, "
        + (_("as this program makes it") if journal.schema.is_own else _("made by another version of the program")),
        _("Backup"): copied,
        _("Accounts"): _people(roles),
    }


def _people(roles: Collection[Role]) -> str:
    each = ", ".join(f"{count} {_(role.value)}" for role, count in sorted(Counter(roles).items()))
    people = ngettext("{n} person", "{n} people", len(roles))
    return f"{people}: {each}" if roles else _("nobody")


def _alerts(settings: Settings, last: datetime | None) -> str:
    if not settings.alert_ways:
        return _("no way is configured")
    last_alert = _("last told {when}", when=moment(last)) if last else _("nothing told yet")
    return f"{', '.join(settings.alert_ways)}; {last_alert}"


_KINDS: Final = (N_("HTTP status"), N_("content type"), N_("shape"), N_("field"), N_("type"), N_("missing"),
                 N_("status word"), N_("form"), N_("link"), N_("assumption"))  # fmt: skip
"""What there is to see beside the document, as the record has it: here for its translation."""


def service_seen(seen: ServiceSeen, settings: Settings) -> None:
    """Draw it, folded, with its file."""
    drift = seen.drift()
    with st.expander(_("What the service does beyond its document ({n})", n=len(drift))):
        _drift(drift)
        found = partial(drift_json, drift, settings, made=seen.now())
        taken = taken_away(TakenAway.SERVICE_DRIFT, found, count=len(drift))
        file_button(_("Download for support"), taken, "service-drift.json", key="service-drift")


def _drift(drift: Sequence[Sighting]) -> None:
    st.caption(
        _(
            "Words, fields and shapes in the service's answers that its document does not "
            "have. The desk works as before, and this list holds no customer data."
        )
    )
    if not drift:
        st.text(_("Nothing so far."))
        return
    rows = [
        (
            _(CALLS.get(each.oddity.operation, each.oddity.operation)),
            _(each.oddity.kind),
            _what(each.oddity.what),
            moment(each.first_seen),
            moment(each.last_seen),
            number(each.times),
        )
        for each in drift
    ]
    columns = [_("Call"), _("Kind"), _("What"), _("First seen"), _("Last seen"), _("Times")]
    table_view(pd.DataFrame(rows, columns=columns), _("What answers showed beyond the document, the newest first"))
    for name, first in contradicted(drift).items():
        st.text(_("Contradicts the assumption {name} since {when}", name=name, when=moment(first)))


def _what(what: str) -> str:
    """A field and what stands there (`data[].note: text`), the kind of value in the reader's word."""
    name, colon, kind = what.rpartition(": ")
    return f"{name}{colon}{_(kind)}"


_READ: Final = "connection.claim-statuses-read"
_BUTTON: Final = "read-claim-statuses"


def claim_statuses(readings: ClaimReadings) -> None:
    """Draw the words of the claims that were read last, each open or closed."""
    if not session.is_filled(_BUTTON):  # the screen was left since, for the platform drops the keys of others
        session.forget(_READ)
    requested = session.recall(_READ, False)
    last_90_days = ClaimsFilter(period="90-days").query(service_today())
    cached = claims_reading(readings, last_90_days) if requested else readings.newest_whole()
    if cached is None:
        if not requested:
            closed = ", ".join(readings.closed)
            st.text(_("Closed: {statuses}. Any other word is counted as open.", statuses=closed))
            st.caption(_("No claims have been read since this desk started, so its words are not known yet."))
    else:
        counts = {**dict.fromkeys(readings.closed, 0), **choices(cached.claims.frame, "status")}
        base = base_of(cached.claims, Selection(), count=len(cached.claims.frame))
        summary = _("Of the {n} {claims}; {seal}.", n=number(base.count), claims=base.of, seal=seal_text(cached.claims))
        st.caption(plain(summary))
        _words(counts, readings.closed)
    st.button(
        _("Read the claims of the last 90 days"),
        key=_BUTTON,
        on_click=session.remember,
        args=(_READ, True),
        help=_("Reads them from the service unless they were read just now."),
    )


def _words(counts: dict[str, int], closed: Sequence[str]) -> None:
    ends, goes_on = pgettext("claim", "closed"), pgettext("claim", "open")
    rows = [(shown_word(word), count, ends if word in closed else goes_on) for word, count in counts.items()]
    rows.sort(key=lambda row: -row[1])
    table_view(
        pd.DataFrame(rows, columns=[_("Status"), _("Claims"), _("Counted as")]),
        _("The statuses of these claims, how many have each, and whether it counts as open or closed"),
    )
    setting = variable("closed_statuses")
    st.caption(_("{setting} says which words count as closed, in every figure and filter.", setting=setting))

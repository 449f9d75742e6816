"""Reading claims as people see it: at once where it is quick, else with share and time left, and a way to stop.

A reading that this tab began and no longer wants ends, unless somebody else waits for it. A later reading that did not
bring all claims stands beside the set that is shown; it never takes its place.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import streamlit as st

from components.claims.screen.seal import missing_notice, read_at, seal_badge, short_seal, unreadable_records
from components.platform import session
from components.ui.frame.failure_notice import failure_notice, reporting_outage
from components.ui.frame.polling import poll
from warranty.access import Permission
from warranty.claims.readings.readings import ClaimReadings, KeptClaims, Reading
from warranty.claims.retrieval import Progress
from warranty.client.resources import ClaimQuery
from warranty.language import _, pgettext
from warranty.language.written import number, percent

MAIN: Final = "main"
_POLL_SECONDS: Final = 0.5
_NOT_WORTH_A_WORD: Final = timedelta(milliseconds=300)
_UNFINISHED_SHOWN: Final = "claims.unfinished"


def claims_reading(
    readings: ClaimReadings, query: ClaimQuery, *, role: str = MAIN, parts: bool = False
) -> KeptClaims | None:
    """Draw how the reading goes, begin one where needed, and give what was read; None where there is nothing yet.

    With `parts` what came so far is given as well, another every few seconds: it says so itself
    (`ClaimSet.still_reading`).
    """
    need(readings, role, query)
    begins = readings.look(query).wanting
    found = look_or_read(readings, role, query)
    if begins:
        readings.wait(query, longest=_NOT_WORTH_A_WORD)
        found = readings.look(query)
    if found.fault is not None:
        raise found.fault
    part = found.part if parts and found.running and found.cached is None else None
    if found.running:
        _progress(readings, role, query, part=part, parts=parts)
    elif found.left:
        st.info(_("**You stopped waiting.** These claims are still read for another window, and stay for you as well."))
        _read_button(_("Wait for them again"), "claims-wait", readings, role, query)
    elif found.failure is not None:
        failure_notice(found.failure)
        _read_button(_("Try again"), "claims-try-again", readings, role, query)
    elif found.cached is None:
        st.info(
            _(
                "**The reading was stopped before the service answered.** Nothing was read, so there may be "
                "claims that fit this filter."
            )
        )
        _read_button(_("Read these claims"), "claims-read", readings, role, query)
    elif found.unfinished is not None:
        _unfinished_notice(found.cached, found.unfinished)
    later = found.unfinished
    return later if later is not None and _shows_unfinished(later) else found.cached or part


def reading_with_head(readings: ClaimReadings, query: ClaimQuery, *, role: str, words: str = "") -> KeptClaims | None:
    """As `claims_reading`; below it the seal with Refresh and the `words` for it, and what is missing."""
    cached = claims_reading(readings, query, role=role)
    if cached is None:
        return None
    claims = cached.claims
    seal_badge(claims)
    with st.container(horizontal=True, vertical_alignment="center"):
        refresh_button(readings, query, role=role)
        if words:
            st.caption(words, width="content")
    missing_notice(claims)
    unreadable_records(claims.rejected)
    return cached


def refresh_button(readings: ClaimReadings, query: ClaimQuery, *, role: str = MAIN) -> None:
    """Draw the button that reads these claims again."""
    st.button(
        _("Refresh"),
        on_click=reporting_outage(start_reading),
        args=(readings, role, query),
        key="claims-refresh" if role == MAIN else f"{role}-refresh",
        type="tertiary",
        icon=":material/refresh:",
        help=_("Read again now: open and new claims, and a part of the closed ones, each of them once a day."),
    )


def need(readings: ClaimReadings, role: str, query: ClaimQuery) -> None:
    """Note what the tab needs in this role, and wait no more for what it needed before."""
    former: ClaimQuery | None = session.recall(f"claims.wanted:{role}", None)
    if former is not None and former != query:
        readings.leave(former, viewer=_viewer(role))
    if query.customer_email and query != former:
        session.look_up(query.customer_email)
    session.remember(f"claims.wanted:{role}", query)


def look_or_read(readings: ClaimReadings, role: str, query: ClaimQuery) -> Reading:
    """Look for the claims; begins to read them where that is needed, and counts among those who wait."""
    found = readings.look(query, viewer=_viewer(role))
    if found.wanting or found.running:
        start_reading(readings, role, query)
        found = readings.look(query, viewer=_viewer(role))
    return found


def start_reading(readings: ClaimReadings, role: str, query: ClaimQuery) -> None:
    """Read anew, unless that is under way; for callbacks."""
    readings.start(query, viewer=_viewer(role), behind=role != MAIN)


def stop_waiting(readings: ClaimReadings, role: str, query: ClaimQuery) -> None:
    """Wait no more; for callbacks."""
    readings.stop(query, viewer=_viewer(role))


def progress_words(progress: Progress | None, *, waiting: bool = False) -> str:
    """How far a reading is: `Reading claims: 350 of 1,204, about 4 s left`."""
    reading = pgettext("now", "Reading claims")
    if waiting:
        return _("{reading}: waiting for other readings to end", reading=reading)
    if progress is None or progress.total is None:
        return _("{reading}: asking the service how many there are", reading=reading)
    message = _(
        "{reading}: {n} of {every} ({share})",
        reading=reading,
        n=number(progress.received),
        every=number(progress.total),
        share=percent(progress.share),
    )
    if progress.remaining is None:
        return message
    seconds = max(1, round(progress.remaining.total_seconds()))
    left = f"{seconds} s" if seconds < 90 else f"{round(seconds / 60)} min"
    return _("{said}, about {time} left", said=message, time=left)


def _viewer(role: str) -> str:
    """A name for this tab and role, by which a reading knows who waits for it."""
    return f"{session.tab_name()}:{role}"


def _read_button(label: str, key: str, readings: ClaimReadings, role: str, query: ClaimQuery) -> None:
    st.button(label, on_click=reporting_outage(start_reading), args=(readings, role, query), key=key)


def while_running(
    readings: ClaimReadings,
    role: str,
    query: ClaimQuery,
    show: Callable[[Reading], None],
    *,
    permission: Permission,
    is_news: Callable[[Reading], bool] = lambda _: False,
) -> None:
    """Show how a reading goes until it has ended, or has news, and draw the screen then."""

    def draw() -> bool:
        found = look_or_read(readings, role, query)
        if found.running:
            show(found)
        return found.running and not is_news(found)

    poll(draw, every=_POLL_SECONDS, permission=permission)


def _progress(readings: ClaimReadings, role: str, query: ClaimQuery, *, part: KeptClaims | None, parts: bool) -> None:
    def show(found: Reading) -> None:
        # On the left: More filters, when open, lies over what is on the right.
        button, words = st.columns([1, 4], vertical_alignment="center")
        share = found.progress.share if found.progress else 0.0
        words.progress(share, text=progress_words(found.progress, waiting=found.waiting))
        button.button(
            _("Stop reading"),
            key="claims-stop",
            on_click=stop_waiting,
            args=(readings, role, query),
            help=_(
                "What was read so far stays on the screen, marked as incomplete, and Refresh picks up from there."
                " Anybody else who waits for these claims still gets them."
            ),
            width="stretch",
        )

    while_running(
        readings,
        role,
        query,
        show,
        permission=Permission.READ_CLAIMS,
        is_news=lambda found: parts and found.cached is None and found.part is not part,
    )


def _unfinished_notice(cached: KeptClaims, later: KeptClaims) -> None:
    """Say that a later reading brought fewer claims, and let it be seen."""
    if _shows_unfinished(later):
        st.button(
            _("Back to what was read {when}", when=read_at(cached.claims.as_of)),
            on_click=session.forget,
            args=(_UNFINISHED_SHOWN,),
            key="claims-earlier",
            icon=":material/undo:",
        )
        return
    st.warning(
        _(
            "**The reading at {when} is {seal}; what was read before is still shown "
            "({shown}).** {why} **What to do:** choose Refresh to read again, or look at what that "
            "reading brought.",
            when=read_at(later.claims.as_of),
            seal=later.claims.seal,
            shown=short_seal(cached.claims),
            why=" ".join(map(str, later.claims.reasons)),
        )
    )
    st.button(
        _("Show what that reading brought"),
        on_click=session.remember,
        args=(_UNFINISHED_SHOWN, later.claims.as_of),
        key="claims-unfinished",
        help=_("It is marked as incomplete everywhere, files included."),
    )


def _shows_unfinished(later: KeptClaims) -> bool:
    return session.recall(_UNFINISHED_SHOWN, None) == later.claims.as_of

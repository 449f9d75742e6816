"""The one place where an error becomes words on a screen.

What happened and what it means for the customer at the counter, what to do next, the service's own words, and a
reference for support. The service's words are text, never Markdown: we did not write them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec

import streamlit as st

from components.platform import session
from warranty.desk.guidance import guidance
from warranty.errors import DeskError, Failure, JournalUnavailable, PermissionDenied, SignedOut
from warranty.language import N_, _

P = ParamSpec("P")

BEING_UPDATED: Final = N_("The desk is being updated. Your work is kept.")

_UNTOLD: Final = "journal-away"


def failure_notice(failure: Failure, *, words_folded: bool = False, to_do: str = "") -> None:
    """Draw a call that did not end as asked: red when nothing was written, amber when that is not known.

    The service's own words are folded away, but for a refusal, whose words a person has to act on; `words_folded` where
    those stand at the item that they are about. `to_do` takes the place of the usual advice where a screen can do more.
    """
    words = guidance(failure)
    draw = st.error if failure.nothing_written else st.warning
    head = _("What to do:")
    draw(f"**{words.happened}**\n\n**{head}** {to_do or words.next_step}")
    service_words(failure, expanded=failure.kind == "RequestRefused" and not words_folded)
    reference(failure.attempt_id)


def service_words(failure: Failure | None, *, expanded: bool = False) -> None:
    """Draw what the service said, letter by letter, folded away or not; draws nothing where it said nothing."""
    if failure is not None and failure.service_words:
        with st.expander(_("What the service said"), expanded=expanded):
            for sentence in failure.service_words:
                st.text(sentence)


def desk_problem_notice(problem: DeskError) -> None:
    """Draw a problem on our side: nothing was sent."""
    st.error(_("**Nothing was sent.**"))
    st.text(str(problem))


def journal_notice(problem: JournalUnavailable) -> None:
    """Draw that the record of what is sent cannot be reached: while it cannot, nothing is sent."""
    desk_problem_notice(problem)
    st.write(_("What you typed stays in this tab. Try again in a minute; if it still fails, call IT support."))


def reference(attempt_id: str) -> None:
    """The number to tell support; draws nothing where there is none."""
    if attempt_id:
        st.caption(_("Reference for support: {reference}", reference=attempt_id))


def reporting_outage(callback: Callable[P, object]) -> Callable[P, None]:
    """The callback, which does nothing where the journal cannot be reached, and leaves it to `tell_outage` to say so.

    Nor does it for who is signed in no more, or may not any more: a callback runs before the shell that would draw the
    sign-in, and the run that follows draws it. The platform would show its own red box with a traceback.
    """

    @wraps(callback)
    def press(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            operator = session.current_operator()
            if operator is None or operator.is_still_in():
                callback(*args, **kwargs)
        except (SignedOut, PermissionDenied):
            return
        except JournalUnavailable as problem:
            session.remember(_UNTOLD, problem)

    return press


def tell_outage(*, updating: bool = False) -> None:
    """Draw, once, that the last press did nothing; and, as long as it is so, that the program is about to go."""
    problem: JournalUnavailable | None = session.recall(_UNTOLD, None)
    with st.container():  # always there: what stands below stays mounted when the sentence comes and goes
        if updating:
            later = _("Nothing can be sent for the moment: press again in a minute.")
            st.info(f"**{_(BEING_UPDATED)}** {later}")
        if problem is not None:
            session.forget(_UNTOLD)
            journal_notice(problem)

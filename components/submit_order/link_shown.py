"""Noting that the landing page's link stood on a person's screen: once for each person and order, not at each rerun."""

from components import session
from components.wiring import Runtime
from warranty.access import Operator
from warranty.errors import JournalUnavailable
from warranty.journal import Attempt

_NOTED = "links-shown"


def note_link_shown(runtime: Runtime, operator: Operator, attempt: Attempt) -> None:
    """Note it in the journal; for where the link kit of this attempt's order is drawn.

    The customer is waiting for the link: a journal that does not answer now is told at the next drawing.
    """
    noted: frozenset[str] = session.recall(_NOTED, frozenset())
    if attempt.attempt_id in noted:
        return
    try:
        runtime.journal.links.note(
            attempt.attempt_id, username=operator.username, operator_name=operator.name
        )
    except JournalUnavailable:
        return
    session.remember(_NOTED, noted | {attempt.attempt_id})

"""A sale on its way, refused, not sent, or of unknown outcome: what it means, and the one right next step."""

from functools import partial
from typing import Final

from components.forms.draft_form import DraftForm
from components.frame.journal_outage import told_when_away
from components.sending.attempt_state import StateWords, attempt_state
from components.sending.look_up import look_at_sale
from components.wiring import Runtime
from warranty.access import Operator
from warranty.errors import DeskError
from warranty.journal import Attempt

WORDS: Final = StateWords(
    doing="Recording the sale",
    not_recorded="This sale was not recorded, as was found out. Nothing speaks against recording it now.",
    wait="Wait a minute before you decide that it was not recorded: the service may still be at work on it. "
    "Then say what you found:",
    leave="Leave it for later: next sale",
    anew="Next sale",
)


def sale_state(
    attempt: Attempt | None,
    problem: DeskError | None,
    *,
    runtime: Runtime,
    operator: Operator,
    form: DraftForm,
    order: Attempt | None,
) -> bool:
    """Draw how far the sale has come, and say whether it may be sent (again); `problem` is one of ours."""
    return attempt_state(
        attempt,
        problem,
        runtime=runtime,
        operator=operator,
        draft_id=form.draft_id,
        words=WORDS,
        look=partial(look_at_sale, runtime, operator, order),
        leave=told_when_away(form.leave),
    )

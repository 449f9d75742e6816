"""The next customer's order, from any screen."""

from components.navigation import go_to
from components.ui.forms.draft_form import DraftForm
from warranty.access import Operator
from warranty.desk import Desk
from warranty.desk.journal import AttemptState


def next_order(desk: Desk, operator: Operator) -> None:
    """Open New order with an empty form: an order that was begun, or that nobody knows the end of, waits as it is.

    May raise `JournalUnavailable`.
    """
    form = DraftForm.open(desk, operator, "submit_order")
    sent = desk.attempt_of(operator, form.draft_id)
    if sent is not None and sent.state is AttemptState.DONE:
        form.start_anew()
    else:
        form.leave()
    go_to("submit_order")

"""The draft of a sale: what stands in the form for one order, opened from a link kit where one led here."""

import hashlib

import streamlit as st

from components.draft_form import DraftForm
from components.wiring import Runtime
from warranty.access import Operator
from warranty.journal import AttemptState

SCREEN = "record_sale"


def sale_draft(runtime: Runtime, operator: Operator) -> DraftForm:
    """Open the person's draft; `?order=` in the address, as the link kit gives it, chooses the order once."""
    opened_with = st.query_params.get("order", "")
    form = _open(runtime, operator)
    if opened_with:
        del st.query_params["order"]
        attempt = runtime.desk.attempt_of(form.draft_id)
        if attempt is not None and (attempt.state is AttemptState.DONE or attempt.order_id != opened_with):
            # What was sent stands in the activity; this is another sale.
            form.start_anew(order=opened_with)
            form = _open(runtime, operator)
        form.put("order", opened_with)
    return form


def _open(runtime: Runtime, operator: Operator) -> DraftForm:
    return DraftForm.open(
        journal=runtime.journal,
        environment=runtime.settings.environment,
        operator=operator,
        screen=SCREEN,
    )


def item_name(order_id: str, item_key: str) -> str:
    """What the draft's fields of an item begin with, for each order its own: a look at another order loses nothing."""
    return f"item.{hashlib.sha256(order_id.encode()).hexdigest()[:8]}.{item_key}"


def item_field(order_id: str, item_key: str, field: str) -> str:
    """The draft's name for a field of an item."""
    return f"{item_name(order_id, item_key)}.{field}"

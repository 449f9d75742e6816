"""What is held about a customer: looked for by an e-mail or a phone, given out, and erased after a question."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st

from components.gate import guarded
from components.platform import session
from components.platform.markup import plain
from components.ui.forms.faults import problem_at
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.commands.housekeeping.privacy import Erased, Privacy, Sought
from warranty.language import N_, _, ngettext
from warranty.language.written import number

_FIELD: Final = "about-customer"
_FOUND: Final = "about-customer-found"
_ERASED: Final = "about-customer-erased"
_REFUSED: Final = "about-customer-refused"
_LONGEST: Final = 254
_PARTS: Final[Mapping[str, str]] = {
    "drafts": N_("Begun and not sent"),
    "entries": N_("Sent, and not settled yet"),
    "links": N_("Who has shown their links"),
    "imported orders": N_("Orders of an import"),
    "notes of settlements": N_("Notes of settlements"),
    "notes on days": N_("Notes on days"),
    "saved choices": N_("Saved views"),
    "audit trail": N_("Rows of the audit trail"),
}


def about_customer(privacy: Privacy, operator: Operator, *, country: str) -> None:
    """Draw the field, folded away, and what became of the last press; draws nothing for who may not see to it."""
    if not operator.may(Permission.SEE_TO_PRIVACY):
        return
    with st.expander(_("What is held about a customer"), icon=":material/person_search:", key=_FIELD + "-box"):
        with st.form(_FIELD + "-form", border=False):
            st.text_input(_("E-mail or phone of the customer"), key=_FIELD, max_chars=_LONGEST, autocomplete="off")
            problem_at(session.recall(_REFUSED, {}), _FIELD)
            st.form_submit_button(
                _("Look for it"), on_click=reporting_outage(partial(_look, privacy, operator, country))
            )
        found: tuple[Sought, Mapping[str, int]] | None = session.recall(_FOUND, None)
        if found is not None:
            _found(privacy, operator, *found)
        erased: Erased | None = session.recall(_ERASED, None)
        if erased is not None:
            _erased(erased)


def _look(privacy: Privacy, operator: Operator, country: str) -> None:
    for name in (_FOUND, _ERASED, _REFUSED):
        session.forget(name)
    sought = Sought.read(session.value_of(_FIELD, ""), country)
    if sought is None:
        words = _("Enter a complete e-mail address, or a phone number with its area code")
        session.remember(_REFUSED, {_FIELD: words})
        return
    session.remember(_FOUND, (sought, privacy.look(operator, sought)))


def _found(privacy: Privacy, operator: Operator, sought: Sought, counts: Mapping[str, int]) -> None:
    st.text(sought.text)
    if not any(counts.values()):
        st.info(_("Nothing about this customer is kept at this desk. The service keeps its own records."))
        return
    for what, count in counts.items():
        if count:
            st.text(f"{_(_PARTS[what])}: {number(count)}")
    with st.container(horizontal=True):
        st.download_button(
            _("Download for the customer"),
            data=guarded(lambda: privacy.export(operator, sought).json, Permission.SEE_TO_PRIVACY),
            file_name="held-about-you.json",
            mime="application/json",
            on_click="ignore",
            key=_FIELD + "-file",
        )
        ask_first(
            _("Erase"),
            _("Yes, erase"),
            lost=_(
                "All of it is erased for good. Entries stay as the shop's books, without the customer: order number, "
                "items, prices and who sent them."
            ),
            key=_FIELD + "-erase",
            on_click=partial(_erase, privacy, operator, sought),
        )


def _erase(privacy: Privacy, operator: Operator, sought: Sought) -> None:
    session.remember(_ERASED, privacy.erase(operator, sought))
    session.forget(_FOUND)
    session.clear(_FIELD)


def _erased(done: Erased) -> None:
    count = sum(done.erased.values())
    st.success(ngettext("Erased: {n} place.", "Erased: {n} places.", count, n=number(count)))
    for environment, order in done.retained:
        st.warning(
            _(
                "Order {order} of {environment} is kept until it is sent, as the customer was promised. Erase once "
                "more then.",
                order=plain(order),
                environment=environment,
            )
        )

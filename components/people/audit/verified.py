"""The press that looks at the whole chain, and what it says."""

import streamlit as st

from components.people.audit.words import chain_words, fault_words
from warranty.access import Operator
from warranty.desk.audit_book import AuditBook
from warranty.language import _
from warranty.language.written import number


def verify_button(book: AuditBook, operator: Operator) -> None:
    """Draw the button; once it is pressed, whether the chain holds, and where it does not."""
    if not st.button(_("Check the chain"), icon=":material/link:", key="audit-verify"):
        return
    chain = book.verify(operator)
    (st.success if chain.holds else st.error)(chain_words(chain))
    for fault in chain.faults:
        st.text(fault_words(fault))
    if chain.without_key_to:
        st.caption(
            _(
                "Rows up to {row} were sealed without WARRANTY_AUDIT_SECRET: who may write to the database could have "
                "made them anew.",
                row=number(chain.without_key_to),
            )
        )
    if chain.rows:
        st.caption(_("The newest row, to be noted elsewhere: {row}", row=f"{chain.newest}:{chain.seal}"))

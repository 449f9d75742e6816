"""People: who may sign in, invited, locked and signed out by an administrator."""

import streamlit as st

from components import wiring
from components.gate import require
from components.people.administration.people import invitation, last_outcome, one_person, people_listed
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.ADMINISTER_ACCOUNTS)
runtime = wiring.runtime()
accounts = runtime.staff.accounts

st.title(_("People"), anchor=False)
last_outcome()
invitation(accounts, operator)
listed = accounts.accounts(operator)
picked = people_listed(listed, accounts)
if picked is None:
    st.caption(_("Press a row to change a role or a home store, to lock, to sign out, for a new password or a badge."))
else:
    one_person(picked, accounts, runtime.staff.tills, operator)

"""The script of every run: page config, sign-in, the menu for the role, the chosen screen.

It is not in the folder of pages/ on purpose: with pages/ beside the entry script a fresh server would open any
screen by its URL without this script, and so without sign-in (docs/decisions/gate.md).
"""

from functools import partial

import streamlit as st

from components import wiring
from components.keys.finding import Known, actions_found
from components.keys.router import key_router
from components.navigation import bound_address, continue_to_wanted, menu, remember_wanted
from components.people.own_password.choosing import (
    OWN_PASSWORD,
    OWN_PIN,
    changing_own_password,
    choosing_first_password,
    choosing_pin,
    second_factor,
)
from components.people.sign_in.training import training_box
from components.people.till.page import watch_till
from components.platform import session
from components.system.customer_screen.shown import OWN_SCREEN, connecting
from components.system.tour.guide import guide_of
from components.ui.frame.actions import own_actions
from components.ui.frame.choices import other_choices, take_up_choices
from components.ui.frame.failure_notice import journal_notice, tell_outage
from components.ui.frame.header import colour_bar, name_tab, person_menu, welcome
from components.ui.frame.polling import look_in
from warranty.desk.taking_away import note_look_up, take_away
from warranty.errors import JournalUnavailable, SignedOut

runtime = wiring.runtime()
environment, desk, staff = runtime.settings.environment, runtime.desk, runtime.staff
sign_in = staff.sign_in
name_tab(environment)
bound_address()
try:
    operator = sign_in.operator(
        above_form=lambda: welcome(runtime.settings.shop_name, environment),
        beside_form=lambda: training_box(staff.training),
    )
except JournalUnavailable as problem:
    colour_bar(environment)
    journal_notice(problem)
    st.stop()
if operator is None:
    session.set_operator(None)
    colour_bar(environment)
    remember_wanted()
    menu(None)
    st.stop()
session.set_operator(
    operator,
    still=sign_in.watch(),
    taking=partial(take_away, desk.audit, operator),
    looking=partial(note_look_up, desk.audit, operator),
    working=sign_in.works,
)

staff.guests.leave(session.handshake())
display = desk.preference(operator, "display")  # at every desk: `{"language": "es", "density": "compact"}`
take_up_choices(operator, display)  # before anything is said to this person
colour_bar(environment)
if operator.must_change_password:
    menu(None)
    choosing_first_password(staff.accounts, operator, sign_in.stay, sign_in.begin_sign_out)
    st.stop()
if second_factor(
    staff.second_step, operator, sign_in.began_at(), shop=runtime.settings.shop_name, sign_out=sign_in.begin_sign_out
):
    menu(None)
    st.stop()

page = menu(operator)
continue_to_wanted(operator, page)
guide = guide_of(operator, desk=desk, control=runtime.service.sandbox)
actions = own_actions(
    operator,
    customer_screen=OWN_SCREEN.open,
    change_password=OWN_PASSWORD.open,
    tour=guide.begin if guide else None,
    choose_pin=OWN_PIN.open,
    sign_out=sign_in.begin_sign_out,
)
person_menu(operator, actions, display=display)
key_router(
    page.url_path,
    operator,
    Known.to(desk, operator, runtime.shop_files),
    actions_found(operator, desk, [*actions, *other_choices(display)]),
)
look_in()
watch_till(  # first: a screen that is not for this person ends here
    operator, idle_seconds=runtime.settings.till_lock_seconds, after_sale=runtime.settings.till_lock_after_sale
)
try:
    tell_outage(updating=runtime.process.life.draining.is_set())
    changing_own_password(staff.accounts, operator, sign_in.stay)
    choosing_pin(staff.tills, operator)
    connecting(runtime.customer_screens, operator, sign_in.tries)
    if guide:
        guide.show(page.url_path)
    try:
        page.run()
    finally:  # a screen that shows what was done ends there
        if guide and guide.goes_on(page.url_path):
            st.rerun()
except SignedOut:  # between this run's look and what it did
    st.rerun()
except JournalUnavailable as problem:  # what the screen drew before stays above the sentence
    journal_notice(problem)

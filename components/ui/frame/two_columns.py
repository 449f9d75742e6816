"""Two columns on a PC, work and beside it what goes with it; one column on a tablet, in the order of work."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def work_and_aside() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two places, to be drawn in this order: the work, 2/3 of a PC's width, and the aside, 1/3; or one below the other.

    How wide a place has to be to stand beside the other is said in `desk.css`, so the browser alone decides, and
    nothing that was typed is lost when a tablet is turned.
    """
    with st.container(horizontal=True, gap="medium", key="work-and-aside"):
        return st.container(key="work"), st.container(key="aside")


def next_step() -> DeltaGenerator:
    """The place of the button that goes on when something is done: it has the focus then (page_head.js)."""
    return st.container(key="next-step")

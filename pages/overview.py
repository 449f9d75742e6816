"""Overview: what a manager asks first, each answer with its base and a press to what it counts."""

import streamlit as st

from components import wiring
from components.claims.trends.overview import overview
from components.gate import require
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.SEE_OVERVIEW)
st.title(_("Overview"), anchor=False)
overview(wiring.runtime(), operator)

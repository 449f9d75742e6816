"""Days in the platform's own date field, written and typed in the order of the reader's country."""

from datetime import date
from typing import Any, cast

import streamlit as st

from components.platform import session
from components.words.days import EARLIEST, LATEST
from warranty.claims.analysis import Period
from warranty.language.written import day_order


def day_field(label: str, value: Any, *, key: str, **options: Any) -> Any:
    """Draw the field of one day (or None), or of a range (a sequence of two days, or of none); give what it holds."""
    return st.date_input(label, value, key=key, min_value=EARLIEST, max_value=LATEST, format=day_order(), **options)


def days_field(label: str, days: Period | None, *, key: str, **options: Any) -> tuple[date, ...]:
    """Draw the field of a range that begins with `days`; give two days, one while the second is not picked, or none."""
    held = session.value_of(key, (days.first, days.last) if days else ())
    return cast(tuple[date, ...], day_field(label, held, key=key, **options))

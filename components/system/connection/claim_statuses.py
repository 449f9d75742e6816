"""Which words the service has for the status of a claim, which of them count as closed, and how to set that."""

import json
import re
from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.reading import claims_reading
from components.claims.screen.seal import seal_text
from components.platform import session
from components.platform.markup import plain
from components.ui.frame.table_view import table_view
from components.words.days import service_today
from warranty.claims.analysis import Selection, base_of, choices, shown_word
from warranty.claims.readings.readings import ClaimReadings
from warranty.language import _, pgettext
from warranty.language.written import number
from warranty.settings import variable

_READ: Final = "connection.claim-statuses-read"
_BUTTON: Final = "read-claim-statuses"
_EASY: Final = re.compile(r"\w(?:[\w -]*\w)?")


def claim_statuses(readings: ClaimReadings) -> None:
    """Draw the words of the claims that were read last, each open or closed, and the line that changes it."""
    if not session.is_filled(_BUTTON):  # the screen was left since, for the platform drops the keys of others
        session.forget(_READ)
    requested = session.recall(_READ, False)
    last_90_days = ClaimsFilter(period="90-days").query(service_today())
    cached = claims_reading(readings, last_90_days) if requested else readings.newest_whole()
    if cached is None:
        if not requested:
            closed = ", ".join(readings.closed)
            st.text(_("Closed: {statuses}. Any other word is counted as open.", statuses=closed))
            st.caption(_("No claims have been read since this desk started, so its words are not known yet."))
    else:
        counts = {**dict.fromkeys(readings.closed, 0), **choices(cached.claims.frame, "status")}
        base = base_of(cached.claims, Selection(), count=len(cached.claims.frame))
        summary = _("Of the {n} {claims}; {seal}.", n=number(base.count), claims=base.of, seal=seal_text(cached.claims))
        st.caption(plain(summary))
        _words_and_line(counts, readings.closed)
    st.button(
        _("Read the claims of the last 90 days"),
        key=_BUTTON,
        on_click=session.remember,
        args=(_READ, True),
        help=_("Reads them from the service unless they were read just now."),
    )


def setting_line(closed: Sequence[str]) -> str:
    """The line that makes these words the closed ones: for any place where settings stand, else for a TOML file."""
    if all(_EASY.fullmatch(word) for word in closed):
        return f'{variable("closed_statuses")}="{",".join(closed)}"'
    return f"{variable('closed_statuses')} = {json.dumps(list(closed), ensure_ascii=False)}"


def _words_and_line(counts: dict[str, int], closed: Sequence[str]) -> None:
    rows = [
        (shown_word(word), count, pgettext("claim", "closed") if word in closed else pgettext("claim", "open"))
        for word, count in counts.items()
    ]
    rows.sort(key=lambda row: -row[1])
    table_view(
        pd.DataFrame(rows, columns=[_("Status"), _("Claims"), _("Counted as")]),
        _("The statuses of these claims, how many have each, and whether it counts as open or closed"),
    )
    chosen = st.multiselect(
        _("Which of them mean that a claim is closed?"),
        list(counts),
        default=list(closed),
        format_func=shown_word,
        key="closed-statuses",
        filter_mode="contains",
    )
    if not chosen:
        st.caption(_("Choose at least one."))
        return
    st.code(setting_line(chosen), language=None, wrap_lines=True)
    st.caption(
        _(
            "Set this line in the environment, or in .streamlit/secrets.toml above the first section, and start "
            "the desk again. It applies to every figure, chart and filter of open claims."
        )
    )

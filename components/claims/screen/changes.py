"""What changed in the claims of a filter since the last night on record, and since the last reading."""

from typing import Final

import pandas as pd
import streamlit as st

from components.claims.screen.columns import LABELS, written_rows
from components.claims.screen.seal import read_at
from components.ui.frame.table_view import table_view
from warranty.claims.analysis import Changes, compare
from warranty.claims.analysis.comparison import STATUS_BEFORE
from warranty.claims.analysis.periods import day_words
from warranty.claims.readings.readings import KeptClaims
from warranty.claims.retrieval import ClaimSet
from warranty.language import _, ngettext, pgettext
from warranty.language.written import number

_SHOWN: Final = 200
_COLUMNS: Final = ("claim_date", "product_name", "status", "order_id")


def claims_changes(cached: KeptClaims) -> None:
    """Draw the changes since the last night on record, and since the last whole reading; nothing where nothing did."""
    earlier = cached.earlier
    if cached.claims.is_whole:
        _since_night(cached)
        if earlier is not None:
            changes = cached.derived("changes", lambda: compare(earlier.frame, cached.claims.frame))
            what = _("the reading at {when}", when=read_at(earlier.as_of))
            _changes(what, changes, odd=unreadable_words(earlier, cached.claims), key="reading")
    elif earlier is not None:
        st.caption(
            _(
                "Not all claims are here, so changes since the reading at {when} are not shown.",
                when=read_at(earlier.as_of),
            )
        )


def _since_night(cached: KeptClaims) -> None:
    try:
        found = cached.since_night()
    except OSError:
        st.caption(_("The last night on record cannot be read, so what changed since then is not told."))
        return
    if found is None:
        return
    day, unreadable, changes = found
    odd = ngettext(
        "; {n} claim could not be read in that night",
        "; {n} claims could not be read in that night",
        unreadable,
        n=number(unreadable),
    )
    _changes(_("the night of {day}", day=day_words(day)), changes, odd=odd if unreadable else "", key="night")


def _changes(what: str, changes: Changes, *, odd: str, key: str) -> None:
    """Draw the changes since something, with what is `odd` with comparing."""
    line = _("Since {what}: {changes}", what=what, changes=changes_words(changes) or _("nothing has changed")) + odd
    if not changes.any:
        if odd:
            st.caption(f"{line}.")
        return
    with st.expander(line, key=f"claims-changes:{key}", on_change="rerun") as box:
        if not box.open:
            return
        _part(pgettext("claims", "New"), changes.new, _COLUMNS)
        _part(_("Another status"), changes.changed, (*_COLUMNS[:2], STATUS_BEFORE, *_COLUMNS[2:]))
        _part(pgettext("claims", "Gone"), changes.vanished, _COLUMNS)
        if changes.edited:
            st.text(_("Another text or date: {n}", n=number(changes.edited)))


def changes_words(changes: Changes) -> str:
    """The changes in short: `3 new, 2 with another status, 1 gone`."""
    counts = {
        ngettext("{n} new", "{n} new", new := len(changes.new), n=number(new)): new,
        _("{n} with another status", n=number(len(changes.changed))): len(changes.changed),
        ngettext("{n} gone", "{n} gone", gone := len(changes.vanished), n=number(gone)): gone,
        _("{n} with another text or date", n=number(changes.edited)): changes.edited,
    }
    return ", ".join(words for words, count in counts.items() if count)


def unreadable_words(earlier: ClaimSet, now: ClaimSet) -> str:
    """Say where the number of unreadable claims changed: one that cannot be read any more looks as if it were gone."""
    before, after = len(earlier.rejected), len(now.rejected)
    if before == after:
        return ""
    return _("; {after} unreadable now, {before} before", after=number(after), before=number(before))


def _part(title: str, frame: pd.DataFrame, columns: tuple[str, ...]) -> None:
    if frame.empty:
        return
    st.markdown(f"**{title}: {number(len(frame))}**")
    labels = {name: _(LABELS[name]) for name in _COLUMNS} | {STATUS_BEFORE: _("Status before")}
    alt = ngettext(
        "{title}: {n} claim, as a table",
        "{title}: {n} claims, as a table",
        len(frame),
        title=title,
        n=number(len(frame)),
    )
    table_view(written_rows(frame.head(_SHOWN))[list(columns)].rename(columns=labels), alt)
    if len(frame) > _SHOWN:
        st.caption(_("The first {n} are listed.", n=_SHOWN))

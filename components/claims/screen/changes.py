"""What changed in the claims of a filter since the last night on record, and since the last reading."""

from typing import Final, NamedTuple

import pandas as pd
import streamlit as st

from components.claims.screen.columns import column_config
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


class _Since(NamedTuple):
    """What changed since something, and what is odd with comparing."""

    what: str
    changes: Changes
    odd: str = ""

    @property
    def words(self) -> str:
        changes = changes_words(self.changes) or _("nothing has changed")
        return _("since {what}: {changes}", what=self.what, changes=changes) + self.odd

    @property
    def tells(self) -> bool:
        return self.changes.any or bool(self.odd)


def claims_changes(cached: KeptClaims) -> None:
    """Draw the changes since the last night on record, and since the last whole reading; nothing where nothing did."""
    if not cached.claims.is_whole:
        if cached.earlier is not None:
            st.caption(
                _(
                    "Not all claims are here, so changes since the reading at {when} are not shown.",
                    when=read_at(cached.earlier.as_of),
                )
            )
        return
    shown = [each for each in (_since_night(cached), _since_reading(cached)) if each and each.tells]
    if not shown:
        return
    line = "; ".join(each.words for each in shown)
    line = line[:1].upper() + line[1:]
    some = {each.what: each.changes for each in shown if each.changes.any}
    if not some:
        st.caption(f"{line}.")
        return
    with st.expander(line, key="claims-changes", on_change="rerun") as box:
        if box.open:
            names = list(some)
            chosen = names[0]
            if len(names) > 1:
                chosen = (
                    st.segmented_control(
                        _("Changes since"), names, default=chosen, required=True, key="claims-changes-since"
                    )
                    or chosen
                )
            _list(some[chosen])


def _since_night(cached: KeptClaims) -> _Since | None:
    try:
        found = cached.since_night()
    except OSError:
        st.caption(_("The last night on record cannot be read, so what changed since then is not told."))
        return None
    if found is None:
        return None
    day, unreadable, changes = found
    odd = ngettext(
        "; {n} claim could not be read in that night",
        "; {n} claims could not be read in that night",
        unreadable,
        n=number(unreadable),
    )
    return _Since(_("the night of {day}", day=day_words(day)), changes, odd if unreadable else "")


def _since_reading(cached: KeptClaims) -> _Since | None:
    earlier = cached.earlier
    if earlier is None:
        return None
    changes = cached.derived("changes", lambda: compare(earlier.frame, cached.claims.frame))
    what = _("the reading at {when}", when=read_at(earlier.as_of))
    return _Since(what, changes, unreadable_words(earlier, cached.claims))


def _list(changes: Changes) -> None:
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
    before = {STATUS_BEFORE: st.column_config.TextColumn(_("Status before"), width=130)}
    alt = ngettext(
        "{title}: {n} claim, as a table",
        "{title}: {n} claims, as a table",
        len(frame),
        title=title,
        n=number(len(frame)),
    )
    table_view(frame.head(_SHOWN), alt, column_order=columns, column_config=column_config() | before)
    if len(frame) > _SHOWN:
        st.caption(_("The first {n} are listed.", n=_SHOWN))

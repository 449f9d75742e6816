"""Bundles on the screen: lines that are protected as one thing by one plan, grouped and taken apart."""

from collections.abc import Callable, Sequence

import streamlit as st

from components.selling.submit_order.basket import Bundle, Line, is_filled, name_of, price_of
from components.ui.forms.faults import problem_at
from components.words.amounts import money
from warranty.language import _, ngettext
from warranty.language.written import number


def bundle_head(bundle: Bundle, *, currency: str, ungroup: Callable[[], None] | None) -> None:
    """Draw what the members of a bundle are together, and the way to take it apart."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        words = _("**Bundle** · {sum} · one plan covers all of it", sum=_summed(bundle, currency))
        st.markdown(words, width="content")
        st.button(_("Ungroup"), key=f"ungroup-{bundle.id}", disabled=ungroup is None, on_click=ungroup)


def bundle_maker(lines: Sequence[Line], *, currency: str, key: str, group: Callable[[Sequence[str]], None]) -> None:
    """Offer to group lines, where there are two that can be grouped; `group` gets their ids, in a callback."""
    free = {line["id"]: line for line in lines if is_filled(line) and not line.get("bundle")}
    if len(free) < 2:
        return
    names = {line["id"]: name_of(line, place) for place, line in enumerate(lines, 1)}
    with st.popover(_("Group as bundle")):
        st.caption(_("A bundle is sold as one thing: one plan covers all of it, for one price."))
        chosen = st.multiselect(
            _("Items of the bundle"),
            list(free),
            format_func=lambda line_id: names.get(line_id, ""),
            key=key,
            filter_mode="contains",
        )
        members = [free[line_id] for line_id in chosen if line_id in free]
        unreadable = [line for line in members if price_of(line) is None]
        if unreadable:
            words = _(
                "{name} has no readable price, so the bundle has no total: enter its price first",
                name=names[unreadable[0]["id"]],
            )
            problem_at({"bundle": words}, "bundle")
        elif len(members) >= 2:
            st.text(_("Together: {sum}", sum=_summed(Bundle("", members), currency)))
        st.button(
            _("Create bundle"),
            key="make-bundle",
            disabled=len(members) < 2 or bool(unreadable),
            on_click=group,
            args=([line["id"] for line in members],),
        )


def _summed(bundle: Bundle, currency: str) -> str:
    total = bundle.total
    if total is None:
        return _("no total yet: check its prices and quantities")
    units = ngettext("{n} unit", "{n} units", bundle.units, n=number(bundle.units))
    return f"{units}, {money(total, currency)}"

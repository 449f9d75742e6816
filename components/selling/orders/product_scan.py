"""The scan field of a draft over the catalogue: what a code did is said below it, and a name is chosen from a list."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.system.camera.camera import camera_button
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.scan_field import scan_field
from warranty.files.catalogue import Catalogue
from warranty.language import N_, _
from warranty.language.written import price

NOT_IN_THE_CATALOGUE: Final = N_("{code} isn't in the catalogue. Type its title and price.")
NOTHING_CALLED: Final = N_("Nothing in the catalogue is called {code}")
WHICH_ONE: Final = N_("Which {code} is it? Choose it below")
OTHER_KEYBOARD: Final = N_("The scanner is set to another keyboard than this computer: set both to the same language")
QUESTIONS: Final = frozenset({NOTHING_CALLED, WHICH_ONE, OTHER_KEYBOARD})
"""Until one of these is answered it is not known what was meant."""
ONE_AT_A_TIME: Final = N_("One product at a time. Scan again: {codes}")
PRODUCTS_GO_TO: Final = "products-go-to"
"""What the tab remembers the screen by that had a scan field last."""
_MOST_OFFERED: Final = 50


def product_scan(
    form: DraftForm,
    catalogue: Catalogue,
    *,
    leads: Iterable[tuple[str, str]],
    take: Callable[[Sequence[str], Mapping[str, int]], None],
    add: Callable[[str], None] | None = None,
) -> None:
    """Draw the field and the camera's button; until it is known what was meant by a text, nothing is sent.

    `leads` and `take` are as in `scan_field`, the labels not translated yet; `add` takes a text as a new item. The
    draft holds what is taken as `scans_taken`, and a sentence with its values as `scan_said`.
    """
    session.remember(PRODUCTS_GO_TO, form.screen)
    text, values = form.content.get("scan_said", ("", {}))
    found = catalogue.named(values["code"])[:_MOST_OFFERED] if text == WHICH_ONE else ()
    with st.container(horizontal=True, vertical_alignment="top", gap=None, key="scan-line"):
        scan_field(
            draft=form.draft_id,
            taken=lambda: form.content.get("scans_taken", {}),
            message=_(text, **values) if text else "",
            heed=text in {NOT_IN_THE_CATALOGUE, ONE_AT_A_TIME, *QUESTIONS},
            found=[(one.sku, one.title + ("" if one.price is None else f" · {price(one.price)}")) for one in found],
            leads={field and _(field): _(following) for field, following in leads},
            key=f"{form.screen}:{form.draft_id}:scan",
            take=take,
        )
        camera_button()
    if text in QUESTIONS and not form.is_locked:
        form.faults.unsettled["scan"] = _("{code} is not in yet: choose what it is, or leave it out", **values)
        with st.container(horizontal=True):
            if text == NOTHING_CALLED and add is not None:
                label = _("Add {code} as a new item", code=plain(values["code"]))
                st.button(label, key="add-new", on_click=add, args=(values["code"],))
            st.button(_("Leave it out"), key="leave-it-out", on_click=form.keep, args=({"scan_said": ("", {})},))
        form.faults.draw("scan", alone=True)

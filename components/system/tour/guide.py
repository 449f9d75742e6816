"""The card that leads through the tour, on every screen, and stays until the person ends it.

Where somebody stands is kept in the journal, so that a reload, another screen or another day goes on there; only in the
sandbox, whose faults the tour puts up when their step comes.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from components.navigation import go_to
from components.platform import session
from components.platform.serving.sandbox_control import SandboxControl, Silent
from components.system.tour.steps import Seen, Step, steps_for
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.database.preferences import Preference
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter
from warranty.language import _

_TOUR: Final = "tour"
_GO: Final = "tour-go"
_CLAIMS_OPENED: Final = "claims-table.opening"
"""How many the tab has opened, as claims_table.py notes it; that would load pandas at sign-in."""


def guide_of(operator: Operator, *, desk: Desk, control: SandboxControl | None) -> "Guide | None":
    """The guide of this person; None where there is no sandbox to try things in, or nothing that they may try."""
    steps = steps_for(operator)
    return Guide(operator, desk, desk.preference(operator, "tour"), control, steps) if control and steps else None


@dataclass(frozen=True, slots=True)
class Guide:
    """One person's tour."""

    _operator: Operator
    _desk: Desk
    _preference: Preference
    _control: SandboxControl
    _steps: Sequence[Step]

    def begin(self) -> None:
        """Begin at the first step, whatever was done before; for callbacks."""
        self._control_faults(None)
        self._keep({"began": self._desk.now().isoformat(), "step": 0, "armed": -1})
        session.remember(_GO, self._steps[0].screen)

    def show(self, screen: str) -> None:
        """Draw the card, if a tour is on, at the screen of this name. May raise `JournalUnavailable`."""
        wanted = session.recall(_GO, "")
        session.forget(_GO)
        if wanted and wanted != screen:
            go_to(wanted)
        tour = self._tour()
        if not tour:
            return
        tour = self._as_far_as_done(tour, screen)
        with st.container(key="tour"):
            if tour["step"] < len(self._steps):
                self._card(tour, screen)
            else:
                self._end_card()

    def goes_on(self, screen: str) -> bool:
        """Whether the step whose card was drawn is done by now, by what the screen did after it."""
        tour = self._tour()
        return bool(tour) and self._as_far_as_done(dict(tour), screen)["step"] != tour["step"]

    def _tour(self) -> dict[str, Any]:
        """Where the person stands; read from the journal once in a tab."""
        nothing: dict[str, Any] = {}
        tour = session.recall(_TOUR, None)
        if tour is None:
            stored = self._preference.load()
            tour = stored if isinstance(stored, dict) else nothing
            session.remember(_TOUR, tour)
        return dict(tour)

    def _keep(self, tour: dict[str, Any]) -> None:
        session.remember(_TOUR, tour)
        self._preference.save(tour)

    def _as_far_as_done(self, tour: dict[str, Any], screen: str) -> dict[str, Any]:
        """Go past what was done since, and put up the fault of the step that comes then."""
        began = datetime.fromisoformat(tour["began"])
        query = AttemptFilter(start=began, username=self._operator.username, limit=None)
        seen = Seen(self._desk.activity.attempts(self._operator, query), screen, session.recall(_CLAIMS_OPENED, 0) > 0)
        before = dict(tour)
        while tour["step"] < len(self._steps) and (done := self._steps[tour["step"]].done) and done(seen):
            tour["step"] += 1
        if tour["step"] < len(self._steps) and tour["armed"] != tour["step"]:
            self._control_faults(self._steps[tour["step"]])
            tour["armed"] = tour["step"]
        if tour != before:
            self._keep(tour)
        return tour

    def _control_faults(self, step: Step | None) -> None:
        with suppress(Silent):  # a sandbox that is away is a fault of its own
            self._control.clear_faults()
            if step and step.fault:
                self._control.add_fault(**step.fault)

    def _card(self, tour: dict[str, Any], screen: str) -> None:
        number, step = tour["step"], self._steps[tour["step"]]
        title = _("Tour, step {number} of {all}: {title}", number=number + 1, all=len(self._steps), title=_(step.title))
        with st.expander(title, expanded=True, key="tour-card"):
            st.text(_(step.words))
            with st.container(horizontal=True, gap="small"):
                if screen != step.screen:
                    st.button(_("Go there"), key="tour-go", on_click=session.remember, args=(_GO, step.screen))
                elif step.done is None or step.not_yet:
                    is_pressed = st.button(
                        _("Done, next step"),
                        key=f"tour-next-{number}",
                        on_click=reporting_outage(partial(self._next, tour)),
                    )
                    if is_pressed and step.not_yet:
                        st.caption(_(step.not_yet), width="content")
                else:
                    st.caption(_("The next step opens when this one is done."), width="content")
                st.button(_("End the tour"), key="tour-end", type="tertiary", on_click=reporting_outage(self._end))

    def _end_card(self) -> None:
        with st.expander(_("The tour is done"), expanded=True, key="tour-card"):
            st.text(_("That's everything you need for a normal day. None of it was real."))
            with st.container(horizontal=True, gap="small"):
                st.button(_("Close"), key="tour-end", on_click=reporting_outage(self._end))
                st.button(_("Begin again"), key="tour-again", type="tertiary", on_click=reporting_outage(self.begin))

    def _next(self, tour: dict[str, Any]) -> None:
        if self._steps[tour["step"]].done is None:  # else it is done once that can be seen
            self._keep({**tour, "step": tour["step"] + 1})

    def _end(self) -> None:
        self._control_faults(None)
        self._keep({})

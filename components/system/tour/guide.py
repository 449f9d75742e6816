"""The guided tour: its steps, and the card that leads through them on every screen until the person ends it.

Where somebody stands is kept in the journal, so that a reload, another screen or another day goes on there; only in the
sandbox, whose faults the tour puts up when their step comes. What a step sees is what the journal holds of the person
since their tour began, the screen that they are at, and whether they opened a claim. What happens where none of it
looks (a customer's page) the person says by a press.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from components.navigation import SCREENS, go_to
from components.platform import session
from components.platform.serving.sandbox_control import SandboxControl, Silent
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.database.preferences import Preference
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState, Operation
from warranty.language import N_, _

_ORDER: Final = "submit_order"
_SALE: Final = "record_sale"


@dataclass(frozen=True, slots=True)
class Seen:
    """What there is of the person's tour so far: their attempts since it began, the screen, and what was opened."""

    attempts: Sequence[Attempt]
    screen: str
    opened_a_claim: bool = False

    def count(self, operation: Operation, *states: AttemptState) -> int:
        """How many attempts of an operation are in one of these states."""
        return sum(one.operation == operation and one.state in states for one in self.attempts)


@dataclass(frozen=True, slots=True)
class Step:
    """`done` is None where the person says so; `fault` is what the sandbox's next call meets, for `add_fault`.

    `not_yet` is for a step that is done without a run of the screen: its person says so, and reads this until it is.
    `permission` is what it takes where that is more than its screen does.
    """

    title: str
    words: str
    screen: str
    done: Callable[[Seen], bool] | None = None
    fault: Mapping[str, Any] | None = None
    not_yet: str = ""
    permission: Permission | None = None


def _was_at(screen: str) -> Callable[[Seen], bool]:
    return lambda seen: seen.screen == screen


def _was_silent(seen: Seen) -> bool:
    return seen.count(_SALE, AttemptState.UNKNOWN) > 0 or any(
        one.operation == _SALE and one.settled for one in seen.attempts
    )


def _is_settled(seen: Seen) -> bool:
    return _was_silent(seen) and not any(one.operation == _SALE and one.state.is_open for one in seen.attempts)


STEPS: Final[Sequence[Step]] = (
    Step(
        N_("Send an order"),
        N_("On New order, add two products, a name, an e-mail and a state, and send it. Try TV-55-OLED and LAMP-ARC."),
        "submit_order",
        done=lambda seen: seen.count(_ORDER, AttemptState.DONE) > 0,
    ),
    Step(
        N_("Be the customer"),
        N_("Open the link of the order, as the customer would at home, and buy a plan for one product there."),
        "submit_order",
    ),
    Step(
        N_("Sell at the counter"),
        N_("The customer is back and wants a plan for the other product. Find the order on Record sale and sell it."),
        "record_sale",
        done=lambda seen: seen.count(_SALE, AttemptState.DONE) > 0,
    ),
    Step(
        N_("Meet a refusal"),
        N_(
            "Press Next order and send another one: this time the service refuses it. "
            "Read what it says, and send the order again."
        ),
        "submit_order",
        done=lambda seen: seen.count(_ORDER, AttemptState.REFUSED) > 0 and seen.count(_ORDER, AttemptState.DONE) > 1,
        fault={"operation": "submit_order", "kind": "status", "status": 400},
    ),
    Step(
        N_("Meet an outage"),
        N_(
            "Press Next sale, and sell a plan on that order. The connection drops before the answer: we don't "
            "know yet if it went through."
        ),
        "record_sale",
        done=_was_silent,
        fault={"operation": "record_sale", "kind": "drop_after_write"},
    ),
    Step(
        N_("Settle it"),
        N_("On Activity, find out what became of the sale, and say so. Never charge a second time before that."),
        "activity",
        done=_is_settled,
    ),
    Step(
        N_("Look up a claim"),
        N_("On Claims, press a row: it shows what to tell the customer."),
        "claims",
        done=lambda seen: seen.opened_a_claim,
        not_yet=N_("Press a row first."),
    ),
    Step(
        N_("Take claims with you"),
        N_("Still on Claims, choose other days, look at the charts, and export the list."),
        "claims",
        permission=Permission.EXPORT_CLAIMS,
    ),
    Step(
        N_("See what changes"), N_("Open Overview: answers first, charts below."), "overview", done=_was_at("overview")
    ),
    Step(
        N_("Close the day"),
        N_("Open Shift report and find the sale that you recorded."),
        "shift_report",
        done=_was_at("shift_report"),
    ),
)


def steps_for(operator: Operator) -> list[Step]:
    """The steps that this person's role may do."""
    of_screens = {screen.name: screen.permission for screen in SCREENS}
    return [step for step in STEPS if operator.may(step.permission or of_screens[step.screen])]


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
                    done = reporting_outage(partial(self._next, tour))
                    if st.button(_("Done, next step"), key=f"tour-next-{number}", on_click=done) and step.not_yet:
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

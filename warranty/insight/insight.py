"""What claims were before and what is expected of them, for those who may see it: the door of this room."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warranty.access import Operator, Permission
from warranty.database.database import Database
from warranty.errors import JournalUnavailable
from warranty.insight.history.time_notes import TimeNote, TimeNotes
from warranty.insight.outlook.diary import ForecastDiary
from warranty.insight.plans.plans_sold import KeptPlans, PlansSold
from warranty.people.audit import AuditTrail

if TYPE_CHECKING:  # many shops have no nights, and so never load what reads them
    from warranty.insight.history.past import Past


@dataclass(frozen=True, slots=True)
class Insight:
    """That of one environment; each method raises `PermissionDenied`. `recorded_here`: the plans sold at this desk."""

    _database: Database
    _environment: str
    _audit: AuditTrail
    _recorded_here: Callable[[], PlansSold]
    _past: "Callable[[], Past]"

    def past(self, operator: Operator) -> "Past":
        """What the nights tell."""
        operator.require(Permission.SEE_TRENDS)
        return self._past()

    def time_notes(self, operator: Operator) -> list[TimeNote] | None:
        """The notes on days, for whoever sees charts of claims; None where the journal does not answer.

        Charts are drawn without them then, and say so.
        """
        operator.require(Permission.READ_CLAIMS)
        try:
            return self._notes.all()
        except JournalUnavailable:
            return None

    def write_note(self, operator: Operator, note: TimeNote) -> None:
        """Add a note on days; one with an id replaces that one. Raises `JournalUnavailable`."""
        operator.acts(Permission.WRITE_NOTES)
        self._notes.write(note, username=operator.username, operator_name=operator.name)

    def remove_note(self, operator: Operator, note_id: str) -> None:
        """Delete a note, whoever wrote it. Raises `JournalUnavailable`."""
        operator.acts(Permission.WRITE_NOTES)
        self._notes.remove(note_id)

    def plans_sold(self, operator: Operator) -> KeptPlans:
        """The plans sold; taking over a file asks once more."""
        operator.require(Permission.SEE_TRENDS)
        return KeptPlans(self._database, self._environment, operator, self._audit, self._recorded_here)

    def forecast_diary(self, operator: Operator) -> ForecastDiary:
        """What was foretold, and what came."""
        operator.require(Permission.SEE_TRENDS)
        return ForecastDiary(self._database, self._environment)

    @property
    def _notes(self) -> TimeNotes:
        return TimeNotes(self._database, self._environment)

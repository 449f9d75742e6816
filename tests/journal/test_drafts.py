"""Drafts and preferences, on both databases: whose they are, and how long they are kept."""

from typing import Any

from tests.journal.intents import MakeIntent, ended
from warranty.journal import (
    AttemptState,
    Journal,
    Outcome,
)


class TestDrafts:
    def save(self, journal: Journal, draft_id: str, **content: Any) -> bool:
        return journal.drafts.save(
            environment="sandbox", username="dana", screen="s", draft_id=draft_id, content=content
        )

    def load(self, journal: Journal, username: str = "dana") -> tuple[str, dict[str, Any]] | None:
        draft = journal.drafts.load(environment="sandbox", username=username, screen="s")
        return None if draft is None else (draft.draft_id, draft.content)

    def test_a_draft_is_one_persons_own_and_the_newest_counts(self, journal: Journal) -> None:
        assert self.save(journal, "a", zip="02134")
        assert self.save(journal, "b", zip="02135", lines=[{"title": "Café"}])
        assert self.load(journal) == ("b", {"zip": "02135", "lines": [{"title": "Café"}]})
        assert self.load(journal, username="eli") is None

    def test_a_draft_is_kept_until_done_and_then_erased_for_good(
        self, journal: Journal, intent: MakeIntent
    ) -> None:
        self.save(journal, "d", first_name="Ada")
        refused = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
        assert self.load(journal) is not None
        corrected = intent(draft_id="d")
        journal.begin(corrected, corrects=refused.attempt_id)
        journal.conclude(corrected.attempt_id, Outcome(state=AttemptState.UNKNOWN, recorded_at=journal.now()))
        assert self.load(journal) is not None
        journal.conclude(corrected.attempt_id, Outcome(state=AttemptState.DONE, recorded_at=journal.now()))
        assert self.load(journal) is None
        assert not self.save(journal, "d", first_name="Ada")  # another tab still shows the form
        assert self.load(journal) is None
        assert self.save(journal, "next", first_name="Bo")

    def test_a_discarded_draft_is_gone(self, journal: Journal) -> None:
        self.save(journal, "d", first_name="Ada")
        journal.drafts.discard("d")
        journal.drafts.discard("never seen")
        assert self.load(journal) is None


def test_preferences_are_kept_by_person_and_name(journal: Journal) -> None:
    assert journal.preferences.load("dana", "views") is None
    journal.preferences.save("dana", "views", {"mine": [1, "x"]})
    journal.preferences.save("dana", "views", {"mine": [2]})
    journal.preferences.save("eli", "views", [])
    assert journal.preferences.load("dana", "views") == {"mine": [2]}
    assert journal.preferences.load("eli", "views") == []
    assert journal.preferences.load("dana", "columns") is None

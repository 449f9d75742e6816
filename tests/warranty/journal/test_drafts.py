"""Drafts and preferences, on both databases: whose they are, and how long they are kept."""

from datetime import timedelta
from typing import Any

import pytest

from tests.warranty.conftest import Clock
from tests.warranty.journal.intents import MakeIntent, ended
from warranty.journal import (
    AttemptState,
    Journal,
    Outcome,
)


class TestDrafts:
    def save(self, journal: Journal, draft_id: str, **content: Any) -> bool:
        return journal.drafts("sandbox", "dana", "s").save(draft_id, content)

    def load(self, journal: Journal, username: str = "dana") -> tuple[str, dict[str, Any]] | None:
        drafts = journal.drafts("sandbox", username, "s").all()
        return (drafts[0].draft_id, drafts[0].content) if drafts else None

    def test_drafts_are_one_persons_own_and_stand_side_by_side_newest_first(
        self, journal: Journal, clock: Clock
    ) -> None:
        assert self.save(journal, "a", zip="02134")
        clock.advance(timedelta(seconds=1))
        assert self.save(journal, "b", zip="02135", lines=[{"title": "Café"}])
        assert self.load(journal) == ("b", {"zip": "02135", "lines": [{"title": "Café"}]})
        clock.advance(timedelta(seconds=1))
        assert self.save(journal, "a", zip="02136")
        assert self.load(journal) == ("a", {"zip": "02136"})
        assert self.load(journal, username="eli") is None

    @pytest.mark.parametrize("state", [AttemptState.UNKNOWN, None])
    def test_a_draft_stays_as_it_was_sent_while_that_is_open(
        self, journal: Journal, intent: MakeIntent, state: AttemptState | None
    ) -> None:
        self.save(journal, "d", email="ada@example.com")
        sent = intent(draft_id="d")
        journal.begin(sent)
        if state:
            journal.conclude(sent.attempt_id, Outcome(state=state, recorded_at=journal.now()))
        assert not self.save(journal, "d", email="other@example.com"), "another tab still shows the form"
        assert self.load(journal) == ("d", {"email": "ada@example.com"})

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

    def test_a_discarded_draft_is_gone_and_nobody_discards_anothers(self, journal: Journal) -> None:
        self.save(journal, "d", first_name="Ada")
        for username, draft_id in (("eli", "d"), ("dana", "never seen")):
            journal.drafts("sandbox", username, "s").discard(draft_id)
        assert self.load(journal) == ("d", {"first_name": "Ada"})
        journal.drafts("sandbox", "dana", "s").discard("d")
        assert self.load(journal) is None


def test_preferences_are_kept_by_person_and_name(journal: Journal) -> None:
    assert journal.preference("dana", "views").load() is None
    journal.preference("dana", "views").save({"mine": [1, "x"]})
    journal.preference("dana", "views").save({"mine": [2]})
    journal.preference("eli", "views").save([])
    assert journal.preference("dana", "views").load() == {"mine": [2]}
    assert journal.preference("eli", "views").load() == []
    assert journal.preference("dana", "columns").load() is None

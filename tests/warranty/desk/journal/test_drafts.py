"""Drafts and preferences: whose they are, and how long they are kept."""

from datetime import timedelta
from typing import Any

import pytest

from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, becomes, ended
from warranty.database.preferences import Preference
from warranty.desk.journal import AttemptState, Drafts, Journal


class TestDrafts:
    def save(self, journal: Journal, draft_id: str, **content: Any) -> bool:
        return Drafts(journal.database, "sandbox", "dana", "s").save(draft_id, content)

    def load(self, journal: Journal, username: str = "dana") -> tuple[str, dict[str, Any]] | None:
        drafts = Drafts(journal.database, "sandbox", username, "s").all()
        return (drafts[0].draft_id, drafts[0].content) if drafts else None

    def test_drafts_are_ones_own_and_stand_newest_first(self, journal: Journal, clock: Clock) -> None:
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
            becomes(journal, sent, state)
        assert not self.save(journal, "d", email="other@example.com"), "another tab still shows the form"
        assert self.load(journal) == ("d", {"email": "ada@example.com"})

    def test_a_draft_stays_until_done_and_is_then_gone(self, journal: Journal, intent: MakeIntent) -> None:
        self.save(journal, "d", first_name="Ada")
        refused = ended(journal, intent(draft_id="d"), AttemptState.REFUSED)
        assert self.load(journal) is not None
        corrected = intent(draft_id="d")
        journal.begin(corrected, corrects=refused.attempt_id)
        becomes(journal, corrected, AttemptState.UNKNOWN)
        assert self.load(journal) is not None
        becomes(journal, corrected, AttemptState.DONE)
        assert self.load(journal) is None
        assert not self.save(journal, "d", first_name="Ada")  # another tab still shows the form
        assert self.load(journal) is None
        assert self.save(journal, "next", first_name="Bo")

    def test_a_discarded_draft_is_gone_and_nobody_discards_anothers(self, journal: Journal) -> None:
        self.save(journal, "d", first_name="Ada")
        Drafts(journal.database, "sandbox", "eli", "s").discard("d")
        Drafts(journal.database, "sandbox", "dana", "s").discard("never seen")
        assert self.load(journal) == ("d", {"first_name": "Ada"})
        Drafts(journal.database, "sandbox", "dana", "s").discard("d")
        assert self.load(journal) is None


def test_preferences_are_kept_by_person_and_name(journal: Journal) -> None:
    assert Preference(journal.database, "dana", "views").load() is None
    Preference(journal.database, "dana", "views").save({"mine": [1, "x"]})
    Preference(journal.database, "dana", "views").save({"mine": [2]})
    Preference(journal.database, "eli", "views").save([])
    assert Preference(journal.database, "dana", "views").load() == {"mine": [2]}
    assert Preference(journal.database, "eli", "views").load() == []
    assert Preference(journal.database, "dana", "columns").load() is None

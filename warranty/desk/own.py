"""What people keep here for themselves: the drafts of a screen, and choices. Nobody is led to another's."""

from typing import Any

from warranty.journal import Draft, Journal, Preferences


class OwnChoice:
    """A choice of one person that outlives the session; every method may raise `JournalUnavailable`."""

    def __init__(self, preferences: Preferences, username: str, name: str) -> None:
        self._preferences = preferences
        self._username = username
        self._name = name

    def load(self) -> Any:
        """The JSON value, None where nothing was chosen."""
        return self._preferences.load(self._username, self._name)

    def save(self, value: Any) -> None:
        """Keep a JSON value in place of the one before."""
        self._preferences.save(self._username, self._name, value)


class OwnDrafts:
    """One person's drafts of one screen; every method may raise `JournalUnavailable`.

    `last_sent` is the id of the draft that this screen sent last.
    """

    def __init__(self, journal: Journal, *, environment: str, username: str, screen: str) -> None:
        self._drafts = journal.drafts
        self._mine = {"environment": environment, "username": username, "screen": screen}
        self.last_sent = OwnChoice(journal.preferences, username, f"last-sent.{environment}.{screen}")

    def all(self) -> list[Draft]:
        """Those that are not done, newest first."""
        return self._drafts.of(**self._mine)

    def save(self, draft_id: str, content: dict[str, Any]) -> None:
        """Keep what was typed, unless that was sent and is open or done."""
        self._drafts.save(**self._mine, draft_id=draft_id, content=content)

    def discard(self, draft_id: str) -> None:
        """Erase a draft; nothing happens when there is none."""
        self._drafts.discard(**self._mine, draft_id=draft_id)

"""The accounts as a desk knows them: those of the journal's database, and the sandbox's training accounts."""

from collections.abc import Iterable
from datetime import datetime

from warranty.journal.shared.people import Account, Accounts, People
from warranty.journal.shared.recent import Recent


class KnownAccounts:
    """The accounts as all desks of the journal have them, at most seconds old, and the `trainees` of the sandbox."""

    def __init__(self, people: People, trainees: Iterable[Account] = ()) -> None:
        self._people = people
        self._trainees = {trainee.username: trainee for trainee in trainees}
        self._recent = Recent(self._read)

    def __call__(self) -> Accounts:
        """As they were seconds ago at most; raises `JournalUnavailable` only where they were never read."""
        return self._recent()

    def fresh(self) -> Accounts:
        """As they are now, for who signs in. Raises `JournalUnavailable`."""
        return self._recent.fresh()

    def last(self) -> Accounts:
        """As they were seen last, without asking; raises `JournalUnavailable` only where they were never read."""
        return self._recent.last()

    def sign_out(self, username: str, moment: datetime) -> None:
        """Have a person signed out: at once here, within seconds at every other desk. Raises `JournalUnavailable`."""
        self._people.sign_out(username, moment)
        self._recent.fresh()

    def is_trainee(self, username: str) -> bool:
        """Whether this is an account of the sandbox, which stays as it is."""
        return username in self._trainees

    def _read(self) -> Accounts:
        kept = self._people.accounts()
        return Accounts({**self._trainees, **kept.by_username}, kept.cookie_key, kept.signed_out)

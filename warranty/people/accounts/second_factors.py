"""Second factors: the secret that a person's app shares with the desk, and the codes for the day without the app.

A step is a stretch of time for which the app shows one code, counted from the epoch. What is used is used: a code of
a step that is not later than the last one is nobody's, at any desk.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from warranty.database.database import Repository, insert_unless_there, now, upsert
from warranty.database.preferences import hash_of_secret
from warranty.people.accounts.tables import RECOVERY_CODES, SECOND_FACTORS, SIGN_INS


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """What a person's app was set up with; the secret never shows in a repr."""

    secret: str = field(repr=False)
    last_step: int


class SecondFactors(Repository):
    """Those of all people of a journal, for all its environments."""

    def of(self, username: str) -> SecondFactor | None:
        """That of a person, if they have set one up."""
        with self._database.read() as connection:
            row = connection.execute(select(SECOND_FACTORS).filter_by(username=username)).first()
        return SecondFactor(row.secret, row.last_step) if row else None

    def set_up(self, username: str, secret: str, *, step: int, codes: Iterable[str]) -> bool:
        """Keep a secret whose code of this step was given, and hashes of codes; gives whether there was none yet."""
        row = {"username": username, "secret": secret, "last_step": step, "set_up_at": self._clock()}
        with self._database.write() as connection:
            if not insert_unless_there(connection, SECOND_FACTORS, row):
                return False
            hashed = [{"username": username, "code_hash": hash_of_secret(code)} for code in codes]
            connection.execute(insert(RECOVERY_CODES), hashed)
            return True

    def use_step(self, username: str, step: int) -> bool:
        """Use the code of a step; gives whether it was not used yet, nor a later one."""
        unused = update(SECOND_FACTORS).filter_by(username=username).where(SECOND_FACTORS.c.last_step < step)
        with self._database.write() as connection:
            used = unused.values(last_step=step).returning(SECOND_FACTORS.c.username)
            return connection.execute(used).first() is not None

    def use_code(self, username: str, code: str) -> bool:
        """Use one of the codes for the day without the app; gives whether it was one."""
        used = delete(RECOVERY_CODES).filter_by(username=username, code_hash=hash_of_secret(code))
        with self._database.write() as connection:
            return connection.execute(used.returning(RECOVERY_CODES.c.username)).first() is not None

    def given(self, username: str, since: datetime) -> None:
        """Keep that the second factor was given under the sign-in that began at `since` (aware)."""
        with self._database.write() as connection:
            given = dict.fromkeys(("worked_at", "second_factor_at"), now(connection))
            upsert(connection, SIGN_INS, key={"username": username, "began_at": since}, values=given)

    def remove(self, username: str) -> bool:
        """Forget that of a person, with the codes; gives whether there was one."""
        with self._database.write(erases=True) as connection:
            connection.execute(delete(RECOVERY_CODES).filter_by(username=username))
            gone = delete(SECOND_FACTORS).filter_by(username=username).returning(SECOND_FACTORS.c.username)
            return connection.execute(gone).first() is not None

"""What nobody may sign in with where something is real: passwords that everybody knows, a key that can be guessed."""

from collections.abc import Iterator, Sequence
from typing import Final

import bcrypt

from components.people.sign_in.training import TrainingAccount
from warranty import COMMAND
from warranty.people.accounts import Accounts

_SHORTEST_KEY: Final = 32
_FEWEST_LETTERS: Final = 8


def account_faults(accounts: Accounts, training: Sequence[TrainingAccount]) -> Iterator[str]:
    """A sentence for each fault, with what to do about it."""
    for trainee in training:
        known = accounts.by_username.get(trainee.username)
        if known and bcrypt.checkpw(trainee.password.encode(), known.password_hash.encode()):
            yield (
                f"The account {trainee.username} has the password of the training account, which everybody knows: give "
                f"it another with `{COMMAND} accounts add {trainee.username} --role {known.role.value}`."
            )
    key = accounts.cookie_key
    if len(key) < _SHORTEST_KEY or len(set(key)) < _FEWEST_LETTERS:
        yield (
            "The key that sign-ins are signed with was taken over from an accounts file and can be guessed: make "
            f"another with `{COMMAND} accounts new-key`, which signs everybody out."
        )

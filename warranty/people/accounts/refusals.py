"""Why something about an account was not done."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from warranty.language import N_


class Refusal(StrEnum):
    """One reason; `SENTENCES` says it."""

    BAD_NAME = "bad name"
    TAKEN = "taken"
    UNKNOWN = "unknown"
    YOURSELF = "yourself"
    LAST = "last administrator"
    TRAINING = "training account"
    SHORT = "short"
    LONG = "long"
    SPACES = "spaces"
    COMMON = "common"
    SAME = "same"
    WRONG = "wrong"
    TOO_MANY = "too many tries"
    CHANGED = "changed meanwhile"
    CODE = "wrong code"
    NO_SECOND_FACTOR = "no second factor"
    PROVIDED = "provided"


SENTENCES: Final[Mapping[Refusal, str]] = {
    Refusal.BAD_NAME: N_("A login name has 1 to 60 letters, digits, dots, dashes and underscores only."),
    Refusal.TAKEN: N_("Somebody has this login name already. Choose another one."),
    Refusal.UNKNOWN: N_("This account no longer exists."),
    Refusal.YOURSELF: N_("This is your own account. Another administrator has to do that."),
    Refusal.LAST: N_("This is the last administrator who can sign in. Make another one first."),
    Refusal.TRAINING: N_("This is a training account, which stays as it is."),
    Refusal.SHORT: N_("A password has at least 10 characters."),
    Refusal.LONG: N_("A password has at most 72 bytes."),
    Refusal.SPACES: N_("A password does not begin or end with a space."),
    Refusal.COMMON: N_("This password is too easy to guess: it is common, or made of a name. Choose another one."),
    Refusal.SAME: N_("This is the password that you have. Choose another one."),
    Refusal.WRONG: N_("This is not your password."),
    Refusal.TOO_MANY: N_("Too many wrong tries. Try again in a few minutes."),
    Refusal.CODE: N_("This code is not right, or was used before. Wait for the next one and type that."),
    Refusal.NO_SECOND_FACTOR: N_("This person has not set up an app for codes."),
    Refusal.PROVIDED: N_(
        "This person signs in by the shop's identity provider: password and role are looked after there."
    ),
    Refusal.CHANGED: N_("This account was changed by somebody else just now. Look at it again."),
}
"""In English; a screen says them with `_`."""


class AccountRefused(ValueError):
    """Nothing was changed, for this reason."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(SENTENCES[reason])
        self.reason = reason

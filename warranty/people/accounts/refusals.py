"""Why something about an account was not done."""

from enum import StrEnum

from warranty.errors import DeskError
from warranty.language import N_, Sentence


class Refusal(StrEnum):
    """One reason, in the sentence that says it; a screen says it with `_`."""

    BAD_NAME = N_("A login name has 1 to 60 letters, digits, dots, dashes and underscores only.")
    TAKEN = N_("Somebody has this login name already. Choose another one.")
    UNKNOWN = N_("This account no longer exists.")
    YOURSELF = N_("This is your own account. Another administrator has to do that.")
    LAST = N_("This is the last administrator who can sign in. Make another one first.")
    TRAINING = N_("This is a training account, which stays as it is.")
    SHORT = N_("A password has at least 10 characters.")
    LONG = N_("A password has at most 72 bytes.")
    SPACES = N_("A password does not begin or end with a space.")
    COMMON = N_("This password is too easy to guess: it is common, or made of a name. Choose another one.")
    SAME = N_("This is the password that you have. Choose another one.")
    WRONG = N_("This is not your password.")
    TOO_MANY = N_("Too many wrong tries. Try again in a few minutes.")
    CHANGED = N_("This account was changed by somebody else just now. Look at it again.")
    CODE = N_("This code is not right, or was used before. Wait for the next one and type that.")
    NO_SECOND_FACTOR = N_("This person has not set up an app for codes.")
    PROVIDED = N_("This person signs in by the shop's identity provider: password and role are looked after there.")


class AccountRefused(DeskError, ValueError):
    """Nothing was changed, for this reason."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(Sentence(reason))
        self.reason = reason

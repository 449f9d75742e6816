"""What the pad says, in the language that its people choose on it; it fills in what stands in braces."""

from collections.abc import Mapping
from typing import Final

from warranty.language import N_

WORDS: Final[Mapping[str, str]] = {
    "who": N_("Who is at this till?"),
    "how": N_("Press your name, its number or its first letter. A badge can be scanned at any time."),
    "pin": N_("PIN of {name}"),
    "back": N_("Not me"),
    "erase": N_("Erase the last digit"),
    "wrong": N_("Wrong PIN. Tries left: {left}."),
    "wrong_badge": N_("This badge opens nothing here. Tries left: {left}."),
    "locked": N_("This pad is locked after five wrong tries. A sign-in with a password opens it again."),
    "spent": N_("This PIN was tried wrongly too often. Sign in with your password, and choose another one."),
    "away": N_("The desk does not answer at the moment. Try again in a minute."),
    "nobody": N_("Nobody here has a PIN yet. Sign in with your password, and set one in the menu behind your name."),
    "no_till": N_("This computer is no registered till. Sign in with your password."),
    "password": N_("Sign in with a password"),
    "in": N_("One moment, {name}"),
    "badge": N_("badge"),
}

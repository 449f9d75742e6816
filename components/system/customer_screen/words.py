"""What the customer's screen says, in the language that is chosen on it; it fills in what stands in braces."""

from collections.abc import Mapping
from typing import Final

from warranty.language import N_

WORDS: Final[Mapping[str, str]] = {
    "welcome": N_("Welcome"),
    "connect": N_("Connect this screen"),
    "how": N_("At the counter: press your name in the bar, then Customer's screen, and type this code."),
    "basket": N_("Your purchase"),
    "total": N_("Total"),
    "scan": N_("Scan to choose your warranty"),
    "later": N_("The page opens as soon as our service is back."),
    "no_code": N_("Ask us for the link to your warranty."),
    "offers": N_("Plans you can choose"),
    "plans": N_("Your protection plan"),
    "sold": N_("Thank you. Your protection plan:"),
    "months": N_("{n} months"),
    "month": N_("1 month"),
    "more": N_("and {n} more"),
    "plan": N_("Plan"),
    "away": N_("One moment, please"),
    "leave": N_("Disconnect"),
    "sure": N_("Disconnect this screen from the counter?"),
    "alt": N_("QR code of your warranty's page"),
}

"""What to tell the person at the counter: what happened, what it means, what to do next.

Words for a clerk with a customer waiting. The service's own sentences are not in here: they are shown beside,
unchanged. Interface: Errors; States and transitions for what a repeat would do.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from warranty.errors import Failure
from warranty.language import N_, _


@dataclass(frozen=True, slots=True)
class Guidance:
    """Three short texts: what happened, what it means at the counter, what to do next."""

    happened: str
    meaning: str
    next_step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """How a call is spoken of, in any of its endings; what is not said here is that of a read.

    `it` is the thing, as in "The service refused {it}", `nothing` what is so when nothing was written, `kept` where
    what was typed is, for a person to send. When the outcome is unknown, `doubt` is what we do not know, `a_repeat`
    what a repeat would do, `look` what to do.
    """

    it: str
    nothing: str
    doubt: str = N_("The service gave no answer that we can use.")
    silence: str = ""
    a_repeat: str = N_("Looking changes nothing, so trying again is safe.")
    look: str
    kept: str = ""
    access: str = N_("private")


_KEPT: Final = N_(" What was typed is kept here as a draft: send it when the service is back.")
_SENT: Final = N_(" It was sent, but no usable answer came.")
_CALLS: Final[Mapping[str, _Call]] = {
    "submit_order": _Call(
        it=N_("this order"),
        nothing=N_("The order was not stored, so there is no link for the customer yet."),
        doubt=N_("We don't know whether this order was stored."),
        silence=_SENT,
        a_repeat=N_(
            "Sending the same order again is harmless: it is kept once, and the link stays the same."
        ),
        look=N_("Send the order again."),
    ),
    "record_sale": _Call(
        it=N_("this sale"),
        nothing=N_("Nothing was recorded, not even a part of the sale. The customer is not covered yet."),
        doubt=N_("We don't know whether this sale was recorded."),
        silence=_SENT,
        a_repeat=N_("Do not send it again: that may sell the customer a second warranty, for the next unit."),
        look=N_(
            "Open the customer's landing page: it shows the plan as bought if the sale was recorded. "
            "Then say below what you found."
        ),
        kept=_KEPT,
    ),
    "notify_checkout": _Call(
        it=N_("this checkout"),
        nothing=N_("The checkout did not go through, and the customer gets no e-mail."),
        doubt=N_("We don't know whether this checkout went through."),
        silence=_SENT,
        a_repeat=N_("Do not send it again: the customer may get the welcome e-mail twice."),
        look=N_(
            "Ask the customer whether the welcome e-mail came, or ask a manager. Then say below what you found."
        ),
        kept=_KEPT,
    ),
    "claims": _Call(
        it=N_("this search for claims"),
        nothing=N_("No claims were read. Nothing was changed."),
        a_repeat=N_("Reading claims changes nothing, so trying again is safe."),
        look=N_("Try again in a moment. Until then the claims shown may be missing or old."),
        access=N_("public"),
    ),
    "verify_credentials": _Call(
        it=N_("this check"),
        nothing=N_("Nothing was changed."),
        a_repeat=N_("The check changes nothing, so trying again is safe."),
        look=N_("Try again in a moment."),
    ),
    "purchase_warranties": _Call(
        it=N_("this look at the order"),
        nothing=N_("Nothing was changed. What the order can still buy is not known here."),
        look=N_("Try again, or carry on with the terms that you know."),
    ),
    "offers": _Call(
        it=N_("this look for offers"),
        nothing=N_("Nothing was changed. The offers for the product are not known here."),
        look=N_("Try again, or enter the offer id by hand."),
        access=N_("public"),
    ),
}
_ANY: Final = _Call(
    it=N_("this request"),
    nothing=N_("Nothing was recorded."),
    doubt=N_("We don't know whether this was recorded."),
    silence=_SENT,
    a_repeat=N_("Do not send it again: it may be recorded twice."),
    look=N_("Ask a manager to settle it under Activity."),
)

_SILENCE: Final = Guidance("{doubt}{silence}", "{a_repeat}", "{look}")
_TERM_REFUSED: Final = Guidance(
    N_("The service refused {it}: the term fits none of the item's plans, or more than one."),
    "{nothing}",
    N_("Choose one of the plans that the service lists, then record the sale again."),
)
_WORDS: Final[Mapping[str, Guidance]] = {
    "NotSent": Guidance(
        N_("The service could not be reached."),
        N_("Nothing left this computer. {nothing}"),
        N_("Check the network, then try again. Trying again is safe.{kept}"),
    ),
    "OutcomeUnknown": _SILENCE,
    "CredentialRefused": Guidance(
        N_("The service does not accept this shop's access."),
        "{nothing}",
        N_(
            "Tell whoever looks after this program: the {access} token is wrong or was replaced. Try again once "
            "that is fixed."
        ),
    ),
    "RequestRefused": Guidance(
        N_("The service refused {it}."),
        "{nothing}",
        N_("Read what the service says, change that, and send it again."),
    ),
    "BillingAddressMissing": Guidance(
        N_("The service says that the order came without a billing address."),
        "{nothing}",
        N_(
            "Fill in the billing address and send the order again. If it is filled in, tell whoever looks after "
            "this program: the service's address in the settings may be wrong."
        ),
    ),
    "OrderNotFound": Guidance(
        N_("The service does not know this order."),
        N_("{nothing} A warranty is sold on an order that was submitted before."),
        N_("Check the order id. If the order was never submitted, submit it first."),
    ),
    "ServiceFailed": Guidance(N_("The service had a fault. {doubt}"), "{a_repeat}", "{look}"),
    "UnexpectedAnswer": Guidance(
        N_("The service gave an answer that we do not understand. {doubt}"), "{a_repeat}", "{look}"
    ),
}


def guidance(failure: Failure) -> Guidance:
    """Give the words for a failure, by kind and operation; an unknown kind reads as an unknown outcome."""
    words = _WORDS.get(failure.kind, _SILENCE)
    if words is _WORDS["RequestRefused"] and failure.plans:
        words = _TERM_REFUSED
    call = {name: said and _(said) for name, said in asdict(_CALLS.get(failure.operation, _ANY)).items()}
    return Guidance(*(_(text, **call) for text in (words.happened, words.meaning, words.next_step)))

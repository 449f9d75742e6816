"""What to tell the person at the counter, in two sentences: what happened and what it means, and what to do next.

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
    """Two short sentences: what happened, with what it means at the counter, and what to do next."""

    happened: str
    next_step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """How a call is spoken of, in any of its endings; what is not said here is that of a read.

    `it` is the thing, as in "The service refused {it}", `nothing` what is so when nothing was written. When the outcome
    is unknown, `doubt` begins the sentence, and `look` is what to do. `network` is what to do when nothing was sent.
    """

    it: str
    nothing: str
    doubt: str
    look: str
    network: str = N_("Check the network, then try again: that is safe.")
    access: str = N_("private")


_KEPT: Final = N_("Check the network, then try again: that is safe, and what was typed is kept here as a draft.")
_CALLS: Final[Mapping[str, _Call]] = {
    "submit_order": _Call(
        it=N_("this order"),
        nothing=N_("the order was not stored, so there is no link yet"),
        doubt=N_("We don't know yet if this order was stored"),
        look=N_("Try again: that is harmless, since the order is stored once and the link stays the same."),
    ),
    "record_sale": _Call(
        it=N_("this sale"),
        nothing=N_("nothing was recorded, and the customer is not covered yet"),
        doubt=N_("We don't know yet if this sale went through"),
        look=N_(
            "Don't record it again, or the customer could be charged for two plans: open the customer page, and "
            "say below whether it shows the plan as bought."
        ),
        network=_KEPT,
    ),
    "notify_checkout": _Call(
        it=N_("this checkout"),
        nothing=N_("the checkout did not go through, and the customer gets no e-mail"),
        doubt=N_("We don't know yet if this checkout went through"),
        look=N_(
            "Don't send it again, or the customer could get the welcome e-mail twice: ask the customer or a "
            "manager if it came, and say below what you found."
        ),
        network=_KEPT,
    ),
    "claims": _Call(
        it=N_("this search for claims"),
        nothing=N_("no claims were read"),
        doubt=N_("No claims were read"),
        look=N_("Try again in a moment; until then, claims shown here may not be up to date."),
        access=N_("public"),
    ),
    "verify_credentials": _Call(
        it=N_("this check"),
        nothing=N_("nothing was checked"),
        doubt=N_("Nothing was checked"),
        look=N_("Try again in a moment."),
    ),
    "purchase_warranties": _Call(
        it=N_("this look at the order"),
        nothing=N_("we cannot see what the order can still buy"),
        doubt=N_("We cannot see what the order can still buy"),
        look=N_("Try again, or carry on with the terms that you know."),
    ),
    "offers": _Call(
        it=N_("this look for offers"),
        nothing=N_("we cannot see the plans for the product"),
        doubt=N_("We cannot see the plans for the product"),
        look=N_("Try again, or enter the offer id by hand."),
        access=N_("public"),
    ),
}
_ANY: Final = _Call(
    it=N_("this request"),
    nothing=N_("nothing was recorded"),
    doubt=N_("We don't know yet if this was recorded"),
    look=N_("Don't send it again, it could be recorded twice: ask a manager to settle it under Activity."),
)

_SILENCE: Final = Guidance(N_("{doubt}: the service gave no usable answer."), "{look}")
_TERM_REFUSED: Final = Guidance(
    N_("The service refused {it} because of the term: {nothing}."),
    N_("Choose one of the plans that the service lists, then record the sale again."),
)
_WORDS: Final[Mapping[str, Guidance]] = {
    "NotSent": Guidance(N_("The service could not be reached: {nothing}."), "{network}"),
    "OutcomeUnknown": _SILENCE,
    "CredentialRefused": Guidance(
        N_("The service does not accept this shop's access: {nothing}."),
        N_("Call IT support to replace the {access} token, then try again."),
    ),
    "RequestRefused": Guidance(
        N_("The service refused {it}: {nothing}."), N_("Read what the service says, change that, and send it again.")
    ),
    "BillingAddressMissing": Guidance(
        N_("The service got no billing address: {nothing}."),
        N_(
            "Fill in the billing address and send the order again; if it is filled in, call IT support to check the "
            "service's address in the settings."
        ),
    ),
    "OrderNotFound": Guidance(
        N_("The service does not know this order: {nothing}."),
        N_("Check the order number; if the order was never sent, send it first at New order."),
    ),
    "ServiceFailed": Guidance(N_("{doubt}: the service had a fault."), "{look}"),
    "UnexpectedAnswer": Guidance(N_("{doubt}: the service gave an answer that we do not understand."), "{look}"),
}


def guidance(failure: Failure) -> Guidance:
    """Give the words for a failure, by kind and operation; an unknown kind reads as an unknown outcome."""
    words = _WORDS.get(failure.kind, _SILENCE)
    if words is _WORDS["RequestRefused"] and failure.plans:
        words = _TERM_REFUSED
    call = {name: _(sentence) for name, sentence in asdict(_CALLS.get(failure.operation, _ANY)).items()}
    return Guidance(_(words.happened, **call), _(words.next_step, **call))

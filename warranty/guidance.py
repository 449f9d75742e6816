"""What to tell the person at the counter: what happened, what it means, what to do next.

Words for a clerk with a customer waiting. The service's own sentences are not in here: they are shown beside,
unchanged. Interface: Errors; States and transitions for what a repeat would do.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from warranty.errors import Failure


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
    doubt: str = "The service gave no answer that we can use."
    silence: str = ""
    a_repeat: str = "Looking changes nothing, so trying again is safe."
    look: str
    kept: str = ""
    access: str = "private"


_KEPT: Final = " What was typed is kept here as a draft: send it when the service is back."
_SENT: Final = " It was sent, but no usable answer came."
_CALLS: Final[Mapping[str, _Call]] = {
    "submit_order": _Call(
        it="this order",
        nothing="The order was not stored, so there is no link for the customer yet.",
        doubt="We don't know whether this order was stored.",
        silence=_SENT,
        a_repeat="Sending the same order again is harmless: it is kept once, and the link stays the same.",
        look="Send the order again.",
    ),
    "record_sale": _Call(
        it="this sale",
        nothing="Nothing was recorded, not even a part of the sale. The customer is not covered yet.",
        doubt="We don't know whether this sale was recorded.",
        silence=_SENT,
        a_repeat="Do not send it again: that may sell the customer a second warranty, for the next unit.",
        look="Open the customer's landing page: it shows the plan as bought if the sale was recorded. "
        "Then say below what you found.",
        kept=_KEPT,
    ),
    "notify_checkout": _Call(
        it="this checkout",
        nothing="The checkout did not go through, and the customer gets no e-mail.",
        doubt="We don't know whether this checkout went through.",
        silence=_SENT,
        a_repeat="Do not send it again: the customer may get the welcome e-mail twice.",
        look="Ask the customer whether the welcome e-mail came, or ask a manager. Then say below what you found.",
        kept=_KEPT,
    ),
    "claims": _Call(
        it="this search for claims",
        nothing="No claims were read. Nothing was changed.",
        a_repeat="Reading claims changes nothing, so trying again is safe.",
        look="Try again in a moment. Until then the claims shown may be missing or old.",
        access="public",
    ),
    "verify_credentials": _Call(
        it="this check",
        nothing="Nothing was changed.",
        a_repeat="The check changes nothing, so trying again is safe.",
        look="Try again in a moment.",
    ),
    "purchase_warranties": _Call(
        it="this look at the order",
        nothing="Nothing was changed. What the order can still buy is not known here.",
        look="Try again, or carry on with the terms that you know.",
    ),
    "offers": _Call(
        it="this look for offers",
        nothing="Nothing was changed. The offers for the product are not known here.",
        look="Try again, or enter the offer id by hand.",
        access="public",
    ),
}
_ANY: Final = _Call(
    it="this request",
    nothing="Nothing was recorded.",
    doubt="We don't know whether this was recorded.",
    silence=_SENT,
    a_repeat="Do not send it again: it may be recorded twice.",
    look="Ask a manager to settle it under Activity.",
)

_SILENCE: Final = Guidance("{doubt}{silence}", "{a_repeat}", "{look}")
_TERM_REFUSED: Final = Guidance(
    "The service refused {it}: the term fits none of the item's plans, or more than one.",
    "{nothing}",
    "Choose one of the plans that the service lists, then record the sale again.",
)
_WORDS: Final[Mapping[str, Guidance]] = {
    "NotSent": Guidance(
        "The service could not be reached.",
        "Nothing left this computer. {nothing}",
        "Check the network, then try again. Trying again is safe.{kept}",
    ),
    "OutcomeUnknown": _SILENCE,
    "CredentialRefused": Guidance(
        "The service does not accept this shop's access.",
        "{nothing}",
        "Tell whoever looks after this program: the {access} token is wrong or was replaced. Trying again helps "
        "once that is put right.",
    ),
    "RequestRefused": Guidance(
        "The service refused {it}.",
        "{nothing}",
        "Read what the service says, change that, and send it again.",
    ),
    "BillingAddressMissing": Guidance(
        "The service says that the order came without a billing address.",
        "{nothing}",
        "Fill in the billing address and send the order again. If it is filled in, tell whoever looks after "
        "this program: the service's address in the settings may be wrong.",
    ),
    "OrderNotFound": Guidance(
        "The service does not know this order.",
        "{nothing} A warranty is sold on an order that was submitted before.",
        "Check the order id. If the order was never submitted, submit it first.",
    ),
    "ServiceFailed": Guidance("The service had a fault. {doubt}", "{a_repeat}", "{look}"),
    "UnexpectedAnswer": Guidance(
        "The service gave an answer that we do not understand. {doubt}", "{a_repeat}", "{look}"
    ),
}


def guidance(failure: Failure) -> Guidance:
    """Give the words for a failure, by kind and operation; an unknown kind reads as an unknown outcome."""
    words = _WORDS.get(failure.kind, _SILENCE)
    if words is _WORDS["RequestRefused"] and failure.plans:
        words = _TERM_REFUSED
    call = asdict(_CALLS.get(failure.operation, _ANY))
    return Guidance(*(text.format_map(call) for text in (words.happened, words.meaning, words.next_step)))

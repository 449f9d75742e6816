"""What to tell the person at the counter: what happened, what it means, what to do next.

Words for a clerk with a customer waiting. The service's own sentences are not in here: they are shown beside,
unchanged. Interface: Errors; States and transitions for what a repeat would do.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from warranty.errors import Failure


@dataclass(frozen=True, slots=True)
class Guidance:
    """Three short texts: what happened, what it means at the counter, what to do next."""

    happened: str
    meaning: str
    next_step: str


@dataclass(frozen=True, slots=True)
class _Call:
    """How a call is spoken of, in any of its endings."""

    it: str
    """The thing, as in "The service refused {it}"."""
    nothing: str
    """What is so when nothing was written."""
    doubt: str
    """What we do not know when the outcome is unknown."""
    a_repeat: str
    """What a repeat would do then."""
    look: str
    """What to do then."""


_READ_DOUBT: Final = "The service gave no answer that we can use."

_CALLS: Final[Mapping[str, _Call]] = MappingProxyType(
    {
        "submit_order": _Call(
            it="this order",
            nothing="The order was not stored, so there is no link for the customer yet.",
            doubt="We don't know whether this order was stored.",
            a_repeat="Sending the same order again is harmless: it is kept once, and the link stays the same.",
            look="Send the order again.",
        ),
        "record_sale": _Call(
            it="this sale",
            nothing="Nothing was recorded, not even a part of the sale. The customer is not covered yet.",
            doubt="We don't know whether this sale was recorded.",
            a_repeat="Do not send it again: that may sell the customer a second warranty, for the next unit.",
            look="Open the customer's landing page: it shows the plan as bought if the sale was recorded. "
            "Then say what you found; until then it stands on top of the Activity.",
        ),
        "notify_checkout": _Call(
            it="this checkout",
            nothing="The checkout was not taken, and the customer gets no e-mail.",
            doubt="We don't know whether this checkout was taken.",
            a_repeat="Do not send it again: the customer may get the welcome e-mail twice.",
            look="Ask the customer whether the welcome e-mail came, or ask a manager. "
            "Then say what you found; until then it stands on top of the Activity.",
        ),
        "claims": _Call(
            it="this search for claims",
            nothing="No claims were read. Nothing was changed.",
            doubt=_READ_DOUBT,
            a_repeat="Reading claims changes nothing, so trying again is safe.",
            look="Try again in a moment. Until then the claims shown may be missing or old.",
        ),
        "verify_credentials": _Call(
            it="this check",
            nothing="Nothing was changed.",
            doubt=_READ_DOUBT,
            a_repeat="The check changes nothing, so trying again is safe.",
            look="Try again in a moment.",
        ),
        "purchase_warranties": _Call(
            it="this look at the order",
            nothing="Nothing was changed. What the order can still buy is not known here.",
            doubt=_READ_DOUBT,
            a_repeat="Looking changes nothing, so trying again is safe.",
            look="Try again, or carry on with the terms that you know.",
        ),
        "offers": _Call(
            it="this look for offers",
            nothing="Nothing was changed. The offers for the product are not known here.",
            doubt=_READ_DOUBT,
            a_repeat="Looking changes nothing, so trying again is safe.",
            look="Try again, or enter the offer id by hand.",
        ),
    }
)
_ANY: Final = _Call(
    it="this request",
    nothing="Nothing was recorded.",
    doubt="We don't know whether this was recorded.",
    a_repeat="Do not send it again: it may be recorded twice.",
    look="Ask a manager to settle it under Activity.",
)


def guidance(failure: Failure) -> Guidance:
    """Give the words for a failure, by kind and operation; an unknown kind reads as an unknown outcome."""
    call = _CALLS.get(failure.operation, _ANY)
    return _WORDS.get(failure.kind, _silence)(failure, call)


def _not_sent(_: Failure, call: _Call) -> Guidance:
    return Guidance(
        "The service could not be reached.",
        f"Nothing left this computer. {call.nothing}",
        "Check the network, then try again. Trying again is safe.",
    )


def _credential_refused(failure: Failure, call: _Call) -> Guidance:
    token = "public" if failure.operation in _PUBLIC else "private"
    return Guidance(
        "The service does not accept this shop's access.",
        call.nothing,
        f"Tell whoever looks after this program: the {token} token is wrong or was replaced. Trying again helps once "
        "that is put right.",
    )


def _request_refused(failure: Failure, call: _Call) -> Guidance:
    if failure.plans:
        return Guidance(
            f"The service refused {call.it}: the term fits none of the item's plans, or more than one.",
            call.nothing,
            "Choose one of the plans that the service lists, then record the sale again.",
        )
    return Guidance(
        f"The service refused {call.it}.",
        call.nothing,
        "Read what the service says, change that, and send it again.",
    )


def _billing_address_missing(_: Failure, call: _Call) -> Guidance:
    return Guidance(
        "The service says that the order came without a billing address.",
        call.nothing,
        "Fill in the billing address and send the order again. If it is filled in, tell whoever looks after "
        "this program: the service's address in the settings may be wrong.",
    )


def _order_not_found(_: Failure, call: _Call) -> Guidance:
    return Guidance(
        "The service does not know this order.",
        f"{call.nothing} A warranty is sold on an order that was submitted before.",
        "Check the order id. If the order was never submitted, submit it first.",
    )


def _service_failed(_: Failure, call: _Call) -> Guidance:
    return _in_doubt(call, f"The service had a fault. {call.doubt}")


def _unexpected_answer(_: Failure, call: _Call) -> Guidance:
    return _in_doubt(call, f"The service gave an answer that we do not understand. {call.doubt}")


def _silence(_: Failure, call: _Call) -> Guidance:
    told = "" if call.doubt == _READ_DOUBT else " It was sent, but no usable answer came."
    return _in_doubt(call, call.doubt + told)


def _in_doubt(call: _Call, happened: str) -> Guidance:
    return Guidance(happened, call.a_repeat, call.look)


_PUBLIC: Final = frozenset({"claims", "offers"})
_WORDS: Final[Mapping[str, Callable[[Failure, _Call], Guidance]]] = MappingProxyType(
    {
        "NotSent": _not_sent,
        "OutcomeUnknown": _silence,
        "CredentialRefused": _credential_refused,
        "RequestRefused": _request_refused,
        "BillingAddressMissing": _billing_address_missing,
        "OrderNotFound": _order_not_found,
        "ServiceFailed": _service_failed,
        "UnexpectedAnswer": _unexpected_answer,
    }
)

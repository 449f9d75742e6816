"""Bodies of answers, read: receipts out of a success, the service's own words out of anything else.

Interface: Responses of each endpoint, Errors. Two shapes of a 400 are documented (`message.validation_errors`
and `error`); either is understood on any call, and where neither is found the text itself is kept, bounded.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from warranty.client.resources import CheckoutReceipt, ClaimPage, Offer, OrderReceipt, PurchaseWarranties, SaleReceipt

LONGEST_SENTENCE: Final = 1000
MOST_SENTENCES: Final = 50

_R = TypeVar("_R")
_CLAIMS_LIST: Final = re.compile(rb'"data"\s*:\s*\[')
_CLAIMS_TOTAL: Final = re.compile(rb'"total_count"\s*:\s*[0-9]')
_ANYTHING: Final = TypeAdapter[Any](Any)
_OFFERS: Final = TypeAdapter(tuple[Offer, ...])


class Unreadable(ValueError):
    """A body of a success that is not what the interface shows; `cut_off` where it ends in the middle."""

    def __init__(self, *, cut_off: bool = False) -> None:
        super().__init__("cut off" if cut_off else "outside the written interface")
        self.cut_off = cut_off


def read_order_receipt(body: bytes) -> OrderReceipt:
    """Read the 200 of POST /api/carts: without `warrantable_products` the order id was known already."""
    answer = _object(body)
    url = answer.get("url")
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise Unreadable
    warrantable = answer.get("warrantable_products")
    said = warrantable if isinstance(warrantable, bool) else None
    return OrderReceipt(url=url, warrantable_products=said, already_known="warrantable_products" not in answer)


def read_sale_receipt(body: bytes) -> SaleReceipt:
    """Read the 200 of POST /api/post-purchase-checkout: the id of the warranty order."""
    identifier = _object(body).get("id")
    if isinstance(identifier, bool) or not isinstance(identifier, (str, int)) or not str(identifier).strip():
        raise Unreadable
    return SaleReceipt(id=str(identifier))


def read_checkout_receipt(body: bytes) -> CheckoutReceipt:
    """Read the success of POST /api/checkout, whose body is not shown: any JSON or none; an `id` is kept."""
    answer = _json(body) if body.strip() else {}
    identifier = answer.get("id") if isinstance(answer, dict) else None
    return CheckoutReceipt(id=identifier if isinstance(identifier, str) else None)


def read_verification(body: bytes) -> None:
    """Read the success of GET /api/verify-auth, whose body is not shown: any JSON or none."""
    if body.strip():
        _json(body)


def read_claim_page(body: bytes) -> ClaimPage:
    """Read the 200 of POST /api/warranty-claim-customer-status, every record typed."""
    return _received(ClaimPage.model_validate_json, body)


def read_claims_body(body: bytes) -> bytes:
    """Pass the same body on unread, for parsing in columns; only that it is one whole object of claims is seen to."""
    text = body.strip()
    if not text.startswith(b"{"):
        raise Unreadable
    if not text.endswith(b"}"):
        raise Unreadable(cut_off=True)
    if not (_CLAIMS_LIST.search(text) and _CLAIMS_TOTAL.search(text)):
        raise Unreadable
    return body


def read_purchase_warranties(body: bytes) -> PurchaseWarranties:
    """Read the success of GET /api/purchase-warranties, by our assumption of its shape."""
    return _received(PurchaseWarranties.model_validate_json, body)


def read_offers(body: bytes) -> tuple[Offer, ...]:
    """Read the success of the warranty offers endpoint, by our assumption: a list of offers."""
    return _received(_OFFERS.validate_json, body)


def says_no(body: bytes) -> bool:
    """Whether the body of a success says that it is none: `success` is false, or there is an `error`."""
    try:
        answer = from_json(body)
    except ValueError:
        return False
    if not isinstance(answer, dict):
        return False
    return str(answer.get("success", True)).lower() in {"false", "0"} or bool(answer.get("error"))


def service_words(body: bytes) -> tuple[str, ...]:
    """Give what the service said in an answer that is no success: its sentences, else its text, bounded."""
    if not body.strip():
        return ()
    try:
        answer = from_json(body)
    except ValueError:
        return _bounded([" ".join(body.decode("utf-8", "replace").split())])
    sentences = list(_sentences(answer))
    return _bounded(sentences or ([] if answer in ({}, [], None, "") else [_as_text(answer)]))


def _sentences(answer: Any) -> Iterator[str]:
    if isinstance(answer, str):
        yield answer
    if not isinstance(answer, dict):
        return
    message = answer.get("message")
    listed = message.get("validation_errors") if isinstance(message, dict) else answer.get("validation_errors")
    if isinstance(listed, list):
        yield from (_as_text(sentence) for sentence in listed)
    elif listed is not None:
        yield _as_text(listed)
    elif message:
        yield _as_text(message)
    if answer.get("error"):
        yield _as_text(answer["error"])


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else _ANYTHING.dump_json(value).decode()


def _bounded(sentences: list[str]) -> tuple[str, ...]:
    stripped = [sentence.strip() for sentence in sentences if sentence.strip()][:MOST_SENTENCES]
    return tuple(one if len(one) <= LONGEST_SENTENCE else f"{one[:LONGEST_SENTENCE]}…" for one in stripped)


def _received(read: Callable[[bytes], _R], body: bytes) -> _R:
    try:
        return read(body)
    except ValidationError as problem:
        fault = problem.errors(include_input=False, include_url=False)[0]
    # A body that began as JSON and ended in the middle, as a connection closed early leaves it.
    began = fault["type"] == "json_invalid" and body.lstrip()[:1] in {b"{", b"["}
    raise Unreadable(cut_off=began and "EOF while parsing" in fault["msg"])


def _json(body: bytes) -> Any:
    return _received(_ANYTHING.validate_json, body)


def _object(body: bytes) -> dict[str, Any]:
    answer = _json(body)
    if not isinstance(answer, dict):
        raise Unreadable
    return answer

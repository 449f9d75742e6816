"""The clauses that are tried: access, claims and calls that name no order without writing anything; then orders, sales
and checkouts, whose tries store orders, sell warranties or mail, or might.
"""

import re
import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from warranty.client.credentials import Credential
from warranty.client.operations import CLAIMS, NOTIFY_CHECKOUT, OFFERS, RECORD_SALE, SUBMIT_ORDER, VERIFY_CREDENTIALS
from warranty.client.plans import read_plans
from warranty.watch.conformance.bench import (
    LAMP,
    NO_SUCH_TERM,
    TELEVISION,
    Bench,
    Call,
    CannotBeTried,
    Clause,
    Differs,
    Json,
    Probe,
    Reply,
    Unreachable,
    given,
    selector,
)

ALL: Final[list[Clause]] = []


def clause(section: str, says: str, *, writes: bool) -> Callable[[Probe], Probe]:
    """Add the clause that the decorated function tries."""

    def decorate(probe: Probe) -> Probe:
        ALL.append(Clause(section, says, probe, writes))
        return probe

    return decorate


_read, _write = partial(clause, writes=False), partial(clause, writes=True)
_VERIFY: Final = "GET /api/verify-auth"
_CLAIMS: Final = "POST /api/warranty-claim-customer-status"

_UNKNOWN: Final = Credential("unknown", "conformance-unknown-token")
_EMPTY_SALE: Final = {"id": "conformance", "line_items": []}
_WITHOUT_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}")
_WITH_OFFSET: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)")
_TEXT: Final = re.compile(r".*", re.DOTALL)
_FORMATS: Final[Mapping[str, re.Pattern[str]]] = {
    "claim_date": _WITHOUT_ZONE,
    "order_date": _WITH_OFFSET,
    "warranty_start_date": _WITH_OFFSET,
    **dict.fromkeys(("description", "order_id", "product_name", "status", "warranty_id"), _TEXT),
}
_CARTS: Final = "POST /api/carts"
_REFUSED_ORDERS: Final = "Errors: POST /api/carts"
_ADDRESS: Final = "Billing address"
_LINE_ITEM: Final = "Line item of an order"
_SALES: Final = "POST /api/post-purchase-checkout"
_REFUSED_SALES: Final = "Errors: POST /api/post-purchase-checkout"
_TV: Final = str(TELEVISION["product_id"])
_LAMP: Final = str(LAMP["product_id"])
_NO_SUCH_PRODUCT: Final = "CONFORMANCE-NO-SUCH-PRODUCT"


@_read("Authentication 2", "Every request must use HTTPS; plain HTTP calls fail")
def _plain_http_fails(bench: Bench) -> str | None:
    bench.call(VERIFY_CREDENTIALS)  # a host that does not answer at all shows nothing
    try:
        plain = f"http://{bench.base_url.partition('://')[2]}"
        reply = bench.call_as(None, VERIFY_CREDENTIALS, at=plain)
    except Unreachable:
        return None
    if reply.status < 400:
        raise Differs(f"plain HTTP is answered with {reply.seen}")
    return f"plain HTTP is answered with {reply.status}"


@_read(_VERIFY, "The private token is accepted")
def _private_token_is_accepted(bench: Bench) -> str:
    reply = bench.call(VERIFY_CREDENTIALS).expect(200, 299)
    return f"its body, which the document does not show, is: {reply.seen[4:] or 'empty'}"


@_read(_VERIFY, "An unrecognised token is not accepted")
def _unknown_token_is_not_verified(bench: Bench) -> str:
    reply = bench.call_as(_UNKNOWN, VERIFY_CREDENTIALS)
    if 200 <= reply.status <= 299:
        raise Differs(f"answers {reply.seen}")
    return f"answers {reply.status}, which the document does not show"


def _refused_as_401(section: str, says: str, credential: Credential | None, call: Call, body: object) -> None:
    @_read(section, says)
    def _is_refused(bench: Bench) -> None:
        bench.call_as(credential, call, body).expect(401)


_refused_as_401(_REFUSED_ORDERS, "A token that is not recognised: 401", _UNKNOWN, SUBMIT_ORDER, {})
_refused_as_401("Authentication 6", "No Authorization header: 401 (orders)", None, SUBMIT_ORDER, {})
_refused_as_401(_REFUSED_SALES, "A token that is not recognised: 401", _UNKNOWN, RECORD_SALE, _EMPTY_SALE)
_refused_as_401(_REFUSED_SALES, "No Authorization header: 401", None, RECORD_SALE, _EMPTY_SALE)


@_read(_REFUSED_SALES, "An order that was never sent: 404")
def _unknown_order_is_404(bench: Bench) -> None:
    bench.sell(uuid.uuid4().hex, {"product_id": TELEVISION["product_id"]}).expect(404)


def _claims_reply(bench: Bench, **query: object) -> Reply:
    reply = bench.call(CLAIMS, query).expect(200)
    numbers = [reply.field(name) for name in ("page", "per_page", "total_count")]
    if not isinstance(reply.field("data"), list) or not all(type(number) is int for number in numbers):
        # Its text is not shown: it may be a customer's.
        raise Differs("answers 200 without a list data and whole numbers page, per_page and total_count")
    return reply


def _all_claims(bench: Bench) -> list[Any]:
    records: list[Any] = _claims_reply(bench).field("data")
    if not records:
        raise CannotBeTried("the account has no claims")
    return records


@_read(_CLAIMS, "The public token is accepted; data, page, per_page and total_count are answered")
def _claims_answer(bench: Bench) -> str:
    reply = _claims_reply(bench)
    return ", ".join(f"{name} {reply.field(name)}" for name in ("page", "per_page", "total_count"))


@_read("Claim record", "A record has its eight fields in their formats")
def _claim_records(bench: Bench) -> str:
    records = _all_claims(bench)
    for record in records:
        for name, form in _FORMATS.items():
            value = record.get(name) if isinstance(record, dict) else None
            if not isinstance(value, str) or not form.fullmatch(value):
                raise Differs(f"{name} is not as documented in a record")
    statuses = sorted({record["status"] for record in records})
    return f"{len(records)} records; status: {', '.join(statuses)}"


def _selected_by_range(parameter: str, field: str) -> None:
    @_read(_CLAIMS, f"{parameter} selects by {field}")
    def _is_selected(bench: Bench) -> str:
        moment = datetime.fromisoformat(_all_claims(bench)[0][field])
        first, last = ((moment + timedelta(days=days)).replace(tzinfo=None) for days in (-2, 2))
        start, end = (time.isoformat(timespec="microseconds") for time in (first, last))
        found = _claims_reply(bench, **{parameter: {"startDate": start, "endDate": end}}).field("data")
        # A day's margin: the document does not say in which zone a range without one is meant.
        margin = timedelta(days=1)
        for record in found:
            time = datetime.fromisoformat(record[field]).replace(tzinfo=None)
            if not first - margin <= time <= last + margin:
                raise Differs(f"a record's {field} is outside the range asked for")
        if not found:
            raise Differs(f"no record is found around the {field} of a record")
        return f"{len(found)} records"


_selected_by_range("claimDateRange", "claim_date")
_selected_by_range("warrantyStartDateRange", "warranty_start_date")


@_read(_CLAIMS, "customerEmail selects by the customer")
def _claims_of_a_stranger(bench: Bench) -> None:
    if found := _claims_reply(bench, customerEmail=f"{uuid.uuid4().hex}@example.com").field("data"):
        raise Differs(f"{len(found)} records are found for an address that nobody has")


@_read("Limits: per_page", "An answer holds per_page records at most")
def _answer_size(bench: Bench) -> str:
    reply = _claims_reply(bench)
    returned, per_page, total = len(reply.field("data")), reply.field("per_page"), reply.field("total_count")
    if returned > per_page or returned > total:
        raise Differs(f"{returned} records with per_page {per_page} and total_count {total}")
    return f"{returned} of {total} records, per_page {per_page}"


@_read("Warranty offers endpoint (our assumption)", "A product gets a list of offers")
def _offers(bench: Bench) -> str:
    call = bench.assumed(OFFERS, bench.settings.offers_path)
    product = {"title": TELEVISION["product_title"], "id": TELEVISION["product_id"], "price": "899.00"}
    reply = bench.call(call, product | {"meta": TELEVISION["meta"]}).expect(200)
    if not isinstance(reply.json, list) or not all("warranty_offer_id" in offer for offer in reply.json):
        raise Differs(f"answers {reply.seen}")
    return f"{len(reply.json)} offers"


def bundle(**changes: object) -> Json:
    """Make a line item that is a bundle of two products; the changes go into the second."""
    return {
        "product_id": "CONFORMANCE-SET",
        "product_title": "Conformance set",
        "product_price": "1088.50",
        "meta": TELEVISION["meta"],
        "products": [TELEVISION, given(**{**LAMP, **changes})],
    }


@_write(_CARTS, "A new order: 200 with success, url and warrantable_products")
def _new_order(bench: Bench) -> str:
    reply = bench.call(SUBMIT_ORDER, bench.order()).expect(200)
    if reply.field("success") is not True or not isinstance(reply.field("url"), str):
        raise Differs(f"answers {reply.seen}")
    if not isinstance(reply.field("warrantable_products"), bool):
        raise Differs(f"warrantable_products is not true or false: {reply.seen}")
    return f"warrantable_products {reply.field('warrantable_products')}".lower()


@_write(_CARTS, "The URL is {landing_url}/carts/<retailer_uuid>/checkout/<order_id>")
def _url_is_as_built(bench: Bench) -> None:
    landing_page = bench.settings.landing_page
    if landing_page is None:
        raise CannotBeTried("WARRANTY_LANDING_URL and WARRANTY_RETAILER_UUID are not set")
    order = bench.order()
    reply = bench.call(SUBMIT_ORDER, order).expect(200)
    built = landing_page(order["order_id"])
    if reply.field("url") != built:
        raise Differs(f"the service gives {reply.field('url')}, built is {built}")


@_write(
    "States and transitions", "The same order id again, also with other items: the same URL, no warrantable_products"
)
def _the_same_order_again(bench: Bench) -> None:
    order = bench.order()
    first = bench.call(SUBMIT_ORDER, order).expect(200)
    again = bench.call(SUBMIT_ORDER, order).expect(200)
    other = bench.call(SUBMIT_ORDER, {**order, "line_items": [LAMP]}).expect(200)
    for reply in (again, other):
        if reply.field("url") != first.field("url"):
            raise Differs(f"another URL: {reply.seen}")
        if "warrantable_products" in (reply.json or {}):
            raise Differs(f"warrantable_products is answered again: {reply.seen}")


def _refused(section: str, says: str, order: Callable[[Bench], Json]) -> None:
    """Add the clause that an order is refused with sentences and not stored."""

    @_write(section, says)
    def _is_refused(bench: Bench) -> str:
        body = order(bench)
        reply = bench.call(SUBMIT_ORDER, body).expect(400)
        message = reply.field("message")
        sentences = message.get("validation_errors") if isinstance(message, dict) else None
        if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
            raise Differs(f"no message.validation_errors of sentences: {reply.seen}")
        stored = bench.sell(body["order_id"], {"product_id": TELEVISION["product_id"]})
        stored.expect(404, what="the order seems to be stored: a sale on it answers")
        return " / ".join(sentences)


def _refused_address(section: str, says: str, **changes: str | None) -> None:
    _refused(section, says, lambda bench: bench.order(billing_address=bench.address(**changes)))


_refused_address(_REFUSED_ORDERS, "No state: 400 and not stored", state=None)
_refused_address(_ADDRESS, "A state is required whatever the country", state="", country="France", country_code="FR")
_refused_address(_REFUSED_ORDERS, "Neither e-mail nor phone: 400 and not stored", email=None)
_refused_address(_ADDRESS, "An empty phone does not count as provided", email=None, phone="")
_refused(
    _REFUSED_ORDERS,
    "A merchant that the account does not have: 400 and not stored",
    lambda bench: bench.order(merchant_external_id="conformance-no-such-merchant"),
)
_refused(
    _REFUSED_ORDERS,
    "A bundle with a price that cannot be read: 400 and not stored",
    lambda bench: bench.order(bundle(product_price="abc")),
)
_refused(_LINE_ITEM, "A bundle with a price missing is refused", lambda bench: bench.order(bundle(product_price=None)))


@_write(_REFUSED_ORDERS, "No billing address: 404 without a message")
def _without_billing_address(bench: Bench) -> None:
    reply = bench.call(SUBMIT_ORDER, bench.order(billing_address=None)).expect(404)
    if reply.field("message") or reply.field("error"):
        raise Differs(f"the body has a message: {reply.seen}")


@_write(_LINE_ITEM, "Two or more products make a bundle")
def _bundle_is_taken(bench: Bench) -> None:
    bench.call(SUBMIT_ORDER, bench.order(bundle())).expect(200)


@_write("Limits: quantity above 20", "An order line of more than 20 is taken")
def _large_quantity_is_taken(bench: Bench) -> None:
    bench.call(SUBMIT_ORDER, bench.order({**TELEVISION, "quantity": 25})).expect(200)


def _sold(reply: Reply) -> None:
    identifier = reply.expect(200).field("id")
    if not isinstance(identifier, str) or not identifier:
        raise Differs(f"no id of the warranty order: {reply.seen}")


def _refusal(reply: Reply) -> str:
    message = reply.expect(400).field("error")
    if not isinstance(message, str):
        raise Differs(f"no sentence in the field error: {reply.seen}")
    return message


def _item(bench: Bench, order_id: str, product_id: str = _TV) -> Json:
    """A line item that can be sold on an order, by product and a term that it has."""
    return {"product_id": product_id, "warranty": selector(bench.a_term(order_id, product_id))}


def _refused_sale(section: str, says: str, *line_items: Json) -> None:
    """Add the clause that a sale of these line items is refused with a sentence."""
    _write(section, says)(lambda bench: _refusal(bench.sell(bench.submitted(), *line_items)))


@_write(_SALES, "A sale by product and term: 200 with the id of the warranty order")
def _sale_by_term(bench: Bench) -> str:
    order_id = bench.submitted()
    item = _item(bench, order_id)
    _sold(bench.sell(order_id, item))
    return f"{item['warranty']['warranty_duration']} months"


@_write("Rules 2", "A sale by warranty_offer_id")
def _sale_by_offer(bench: Bench) -> None:
    order_id = bench.submitted()
    _sold(bench.sell(order_id, {"warranty_offer_id": bench.an_offer(order_id)}))


@_write("Rules 1", "A request is all or nothing")
def _all_or_nothing(bench: Bench) -> None:
    order_id = bench.submitted(TELEVISION, LAMP)
    item = _item(bench, order_id)
    _refusal(bench.sell(order_id, item, {"product_id": _NO_SUCH_PRODUCT}))
    bench.sell(order_id, item).expect(200, what="after a refused request the good item cannot be sold:")


_refused_sale(_REFUSED_SALES, "An item that identifies no offer: 400", {"quantity": 1})
_TERM_ALONE: Final = {"warranty_offer_id": str(uuid.UUID(int=1)), "warranty": selector(12)}
_refused_sale(_REFUSED_SALES, "A term without an item: 400", _TERM_ALONE)


@_write(_REFUSED_SALES, "A term that is not offered: 400, naming the term and the plans")
def _term_not_offered(bench: Bench) -> str:
    message = _refusal(bench.sell(bench.submitted(), {"product_id": _TV, "warranty": selector(NO_SUCH_TERM)}))
    if str(NO_SUCH_TERM) not in message:
        raise Differs(f"the message does not name the term: {message}")
    if not read_plans([message]):
        raise Differs(f"the message lists no plans that can be read as months and type: {message}")
    return message


@_write(_REFUSED_SALES, "A product without an offer: 400, naming product and order")
def _unknown_product(bench: Bench) -> str:
    order_id = bench.submitted()
    message = _refusal(bench.sell(order_id, {"product_id": _NO_SUCH_PRODUCT}))
    if _NO_SUCH_PRODUCT not in message or order_id not in message:
        raise Differs(f"the message does not name the product and the order: {message}")
    return message


@_write(_REFUSED_SALES, "An offer that was bought cannot be bought again: 400")
def _sold_once(bench: Bench) -> str:
    order_id = bench.submitted()
    item = _item(bench, order_id)
    _sold(bench.sell(order_id, item))
    return _refusal(bench.sell(order_id, item))


@_write("Limits: one offer bought once per request", "A second item for the same offer: 400")
def _offer_once_in_a_request(bench: Bench) -> str:
    order_id = bench.submitted()
    item = _item(bench, order_id)
    message = _refusal(bench.sell(order_id, item, item))
    _sold(bench.sell(order_id, item))
    return message


_refused_sale(_REFUSED_SALES, "The same line_item_id twice: 400", *[{"product_id": _TV, "line_item_id": 1}] * 2)
_refused_sale(_REFUSED_SALES, "No line items: 400")


@_write("Limits: quantity", '2, 2.0 and "2" are the same quantity')
def _quantity_is_the_same(bench: Bench) -> None:
    for quantity in (2, 2.0, "2"):
        order_id = bench.submitted({**TELEVISION, "quantity": 2})
        reply = bench.sell(order_id, {**_item(bench, order_id), "quantity": quantity})
        reply.expect(200, what=f"quantity {quantity!r}:")


@_write("Limits: quantity", "0, -1, 1.5 and 21 are refused")
def _quantity_is_refused_sale(bench: Bench) -> None:
    order_id = bench.submitted({**TELEVISION, "quantity": 2})
    item = _item(bench, order_id)
    for quantity in (0, -1, 1.5, 21):
        bench.sell(order_id, {**item, "quantity": quantity}).expect(400, what=f"quantity {quantity!r}:")


@_write("Rules 5", "A bundled offer is bought by any one of its products")
def _bundle_by_a_member(bench: Bench) -> None:
    order_id = bench.submitted(bundle())
    _sold(bench.sell(order_id, _item(bench, order_id, _LAMP)))


@_write("Rules 5", "A bundled offer is bought by the list of its members")
def _bundle_by_its_members(bench: Bench) -> None:
    order_id = bench.submitted(bundle())
    members = [{"product_id": _TV}, {"product_id": _LAMP}]
    _sold(bench.sell(order_id, {"products": members, "warranty": _item(bench, order_id, _LAMP)["warranty"]}))


@_write("Rules 5", "A bundle's products as separate items: 400")
def _bundle_as_separate_items(bench: Bench) -> str:
    order_id = bench.submitted(bundle())
    lamp = _item(bench, order_id, _LAMP)
    return _refusal(bench.sell(order_id, {**lamp, "product_id": _TV}, lamp))


@_write("GET /api/purchase-warranties (our assumption)", "An order's items and offers are answered")
def _still_buyable(bench: Bench) -> None:
    reply = bench.purchase_warranties(bench.submitted())
    items = reply.field("line_items")
    if not isinstance(items, list) or not items or "offers" not in items[0]:
        raise Differs(f"answers {reply.seen}")


@_write("POST /api/checkout", "A completed sale is taken (and the customer is mailed)")
def _checkout(bench: Bench) -> str:
    offer = bench.an_offer(bench.submitted())
    sold = {"id": uuid.uuid4().hex, "line_items": [{"warranty_offer_id": offer, "quantity": 1}]}
    customer = {"email": bench.email, "billing_address": bench.address(email=None)}
    reply = bench.call(NOTIFY_CHECKOUT, sold | customer).expect(200, 299)
    return f"answers {reply.seen}, which the document does not show; was the mail received?"

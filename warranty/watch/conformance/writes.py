"""Clauses about orders, sales and checkouts: trying them stores orders, sells warranties or mails, or might."""

import uuid
from collections.abc import Callable
from typing import Final

from warranty.client.operations import NOTIFY_CHECKOUT, SUBMIT_ORDER
from warranty.client.plans import read_plans
from warranty.watch.conformance.bench import (
    LAMP,
    NO_SUCH_TERM,
    TELEVISION,
    Bench,
    CannotBeTried,
    Clauses,
    Differs,
    Json,
    Reply,
    given,
    selector,
)

_CARTS: Final = "POST /api/carts"
_REFUSED_ORDERS: Final = "Errors: POST /api/carts"
_ADDRESS: Final = "Billing address"
_LINE_ITEM: Final = "Line item of an order"
ORDERS: Final = Clauses(write=True)
_SALES: Final = "POST /api/post-purchase-checkout"
_REFUSED_SALES: Final = "Errors: POST /api/post-purchase-checkout"
_TV: Final = str(TELEVISION["product_id"])
_LAMP: Final = str(LAMP["product_id"])
_NO_SUCH_PRODUCT: Final = "CONFORMANCE-NO-SUCH-PRODUCT"
SALES: Final = Clauses(write=True)


def bundle(**changes: object) -> Json:
    """Make a line item that is a bundle of two products; the changes go into the second."""
    return {
        "product_id": "CONFORMANCE-SET",
        "product_title": "Conformance set",
        "product_price": "1088.50",
        "meta": TELEVISION["meta"],
        "products": [TELEVISION, given(**{**LAMP, **changes})],
    }


@ORDERS.clause(_CARTS, "A new order: 200 with success, url and warrantable_products")
def _new_order(bench: Bench) -> str:
    reply = bench.call(SUBMIT_ORDER, bench.order()).expect(200)
    if reply.field("success") is not True or not isinstance(reply.field("url"), str):
        raise Differs(f"answers {reply.seen}")
    if not isinstance(reply.field("warrantable_products"), bool):
        raise Differs(f"warrantable_products is not true or false: {reply.seen}")
    return f"warrantable_products {reply.field('warrantable_products')}".lower()


@ORDERS.clause(_CARTS, "The URL is {landing_url}/carts/<retailer_uuid>/checkout/<order_id>")
def _url_is_as_built(bench: Bench) -> None:
    landing_page = bench.settings.landing_page
    if landing_page is None:
        raise CannotBeTried("WARRANTY_LANDING_URL and WARRANTY_RETAILER_UUID are not set")
    order = bench.order()
    reply = bench.call(SUBMIT_ORDER, order).expect(200)
    built = landing_page(order["order_id"])
    if reply.field("url") != built:
        raise Differs(f"the service gives {reply.field('url')}, built is {built}")


@ORDERS.clause(
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

    @ORDERS.clause(section, says)
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


@ORDERS.clause(_REFUSED_ORDERS, "No billing address: 404 without a message")
def _without_billing_address(bench: Bench) -> None:
    reply = bench.call(SUBMIT_ORDER, bench.order(billing_address=None)).expect(404)
    if reply.field("message") or reply.field("error"):
        raise Differs(f"the body has a message: {reply.seen}")


@ORDERS.clause(_LINE_ITEM, "Two or more products make a bundle")
def _bundle_is_taken(bench: Bench) -> None:
    bench.call(SUBMIT_ORDER, bench.order(bundle())).expect(200)


@ORDERS.clause("Limits: quantity above 20", "An order line of more than 20 is taken")
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
    SALES.clause(section, says)(lambda bench: _refusal(bench.sell(bench.submitted(), *line_items)))


@SALES.clause(_SALES, "A sale by product and term: 200 with the id of the warranty order")
def _sale_by_term(bench: Bench) -> str:
    order_id = bench.submitted()
    item = _item(bench, order_id)
    _sold(bench.sell(order_id, item))
    return f"{item['warranty']['warranty_duration']} months"


@SALES.clause("Rules 2", "A sale by warranty_offer_id")
def _sale_by_offer(bench: Bench) -> None:
    order_id = bench.submitted()
    _sold(bench.sell(order_id, {"warranty_offer_id": bench.an_offer(order_id)}))


@SALES.clause("Rules 1", "A request is all or nothing")
def _all_or_nothing(bench: Bench) -> None:
    order_id = bench.submitted(TELEVISION, LAMP)
    item = _item(bench, order_id)
    _refusal(bench.sell(order_id, item, {"product_id": _NO_SUCH_PRODUCT}))
    bench.sell(order_id, item).expect(200, what="after a refused request the good item cannot be sold:")


_refused_sale(_REFUSED_SALES, "An item that identifies no offer: 400", {"quantity": 1})
_refused_sale(
    _REFUSED_SALES,
    "A term without an item: 400",
    {"warranty_offer_id": str(uuid.UUID(int=1)), "warranty": selector(12)},
)


@SALES.clause(_REFUSED_SALES, "A term that is not offered: 400, naming the term and the plans")
def _term_not_offered(bench: Bench) -> str:
    message = _refusal(bench.sell(bench.submitted(), {"product_id": _TV, "warranty": selector(NO_SUCH_TERM)}))
    if str(NO_SUCH_TERM) not in message:
        raise Differs(f"the message does not name the term: {message}")
    if not read_plans([message]):
        raise Differs(f"the message lists no plans that can be read as months and type: {message}")
    return message


@SALES.clause(_REFUSED_SALES, "A product without an offer: 400, naming product and order")
def _unknown_product(bench: Bench) -> str:
    order_id = bench.submitted()
    message = _refusal(bench.sell(order_id, {"product_id": _NO_SUCH_PRODUCT}))
    if _NO_SUCH_PRODUCT not in message or order_id not in message:
        raise Differs(f"the message does not name the product and the order: {message}")
    return message


@SALES.clause(_REFUSED_SALES, "An offer that was bought cannot be bought again: 400")
def _sold_once(bench: Bench) -> str:
    order_id = bench.submitted()
    item = _item(bench, order_id)
    _sold(bench.sell(order_id, item))
    return _refusal(bench.sell(order_id, item))


@SALES.clause("Limits: one offer bought once per request", "A second item for the same offer: 400")
def _offer_once_in_a_request(bench: Bench) -> str:
    order_id = bench.submitted()
    item = _item(bench, order_id)
    message = _refusal(bench.sell(order_id, item, item))
    _sold(bench.sell(order_id, item))
    return message


_refused_sale(_REFUSED_SALES, "The same line_item_id twice: 400", *[{"product_id": _TV, "line_item_id": 1}] * 2)
_refused_sale(_REFUSED_SALES, "No line items: 400")


@SALES.clause("Limits: quantity", '2, 2.0 and "2" are the same quantity')
def _quantity_is_the_same(bench: Bench) -> None:
    for quantity in (2, 2.0, "2"):
        order_id = bench.submitted({**TELEVISION, "quantity": 2})
        reply = bench.sell(order_id, {**_item(bench, order_id), "quantity": quantity})
        reply.expect(200, what=f"quantity {quantity!r}:")


@SALES.clause("Limits: quantity", "0, -1, 1.5 and 21 are refused")
def _quantity_is_refused_sale(bench: Bench) -> None:
    order_id = bench.submitted({**TELEVISION, "quantity": 2})
    item = _item(bench, order_id)
    for quantity in (0, -1, 1.5, 21):
        bench.sell(order_id, {**item, "quantity": quantity}).expect(400, what=f"quantity {quantity!r}:")


@SALES.clause("Rules 5", "A bundled offer is bought by any one of its products")
def _bundle_by_a_member(bench: Bench) -> None:
    order_id = bench.submitted(bundle())
    _sold(bench.sell(order_id, _item(bench, order_id, _LAMP)))


@SALES.clause("Rules 5", "A bundled offer is bought by the list of its members")
def _bundle_by_its_members(bench: Bench) -> None:
    order_id = bench.submitted(bundle())
    members = [{"product_id": _TV}, {"product_id": _LAMP}]
    _sold(bench.sell(order_id, {"products": members, "warranty": _item(bench, order_id, _LAMP)["warranty"]}))


@SALES.clause("Rules 5", "A bundle's products as separate items: 400")
def _bundle_as_separate_items(bench: Bench) -> str:
    order_id = bench.submitted(bundle())
    lamp = _item(bench, order_id, _LAMP)
    return _refusal(bench.sell(order_id, {**lamp, "product_id": _TV}, lamp))


@SALES.clause("GET /api/purchase-warranties (our assumption)", "An order's items and offers are answered")
def _still_buyable(bench: Bench) -> None:
    reply = bench.purchase_warranties(bench.submitted())
    items = reply.field("line_items")
    if not isinstance(items, list) or not items or "offers" not in items[0]:
        raise Differs(f"answers {reply.seen}")


@SALES.clause("POST /api/checkout", "A completed sale is taken (and the customer is mailed)")
def _checkout(bench: Bench) -> str:
    offer = bench.an_offer(bench.submitted())
    checkout = {
        "id": uuid.uuid4().hex,
        "email": bench.email,
        "line_items": [{"warranty_offer_id": offer, "quantity": 1}],
        "billing_address": bench.address(email=None),
    }
    reply = bench.call(NOTIFY_CHECKOUT, checkout).expect(200, 299)
    return f"answers {reply.seen}, which the document does not show; was the mail received?"

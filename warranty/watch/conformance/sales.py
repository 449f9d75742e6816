"""Clauses about post-purchase sales and checkouts: trying them sells warranties, or might, or mails."""

import uuid
from typing import Final

from warranty.client.operations import NOTIFY_CHECKOUT
from warranty.client.plans import read_plans
from warranty.watch.conformance.bench import (
    LAMP,
    NO_SUCH_TERM,
    TELEVISION,
    Bench,
    Clauses,
    Differs,
    Json,
    Reply,
    selector,
)
from warranty.watch.conformance.orders import bundle

_SALES: Final = "POST /api/post-purchase-checkout"
_REFUSALS: Final = "Errors: POST /api/post-purchase-checkout"
_TV: Final = str(TELEVISION["product_id"])
_LAMP: Final = str(LAMP["product_id"])
_NO_SUCH_PRODUCT: Final = "CONFORMANCE-NO-SUCH-PRODUCT"
SALES: Final = Clauses(write=True)


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


def _refused(section: str, says: str, *line_items: Json) -> None:
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


_refused(_REFUSALS, "An item that identifies no offer: 400", {"quantity": 1})
_refused(
    _REFUSALS, "A term without an item: 400", {"warranty_offer_id": str(uuid.UUID(int=1)), "warranty": selector(12)}
)


@SALES.clause(_REFUSALS, "A term that is not offered: 400, naming the term and the plans")
def _term_not_offered(bench: Bench) -> str:
    message = _refusal(bench.sell(bench.submitted(), {"product_id": _TV, "warranty": selector(NO_SUCH_TERM)}))
    if str(NO_SUCH_TERM) not in message:
        raise Differs(f"the message does not name the term: {message}")
    if not read_plans([message]):
        raise Differs(f"the message lists no plans that can be read as months and type: {message}")
    return message


@SALES.clause(_REFUSALS, "A product without an offer: 400, naming product and order")
def _unknown_product(bench: Bench) -> str:
    order_id = bench.submitted()
    message = _refusal(bench.sell(order_id, {"product_id": _NO_SUCH_PRODUCT}))
    if _NO_SUCH_PRODUCT not in message or order_id not in message:
        raise Differs(f"the message does not name the product and the order: {message}")
    return message


@SALES.clause(_REFUSALS, "An offer that was bought cannot be bought again: 400")
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


_refused(_REFUSALS, "The same line_item_id twice: 400", *[{"product_id": _TV, "line_item_id": 1}] * 2)
_refused(_REFUSALS, "No line items: 400")


@SALES.clause("Limits: quantity", '2, 2.0 and "2" are the same quantity')
def _quantity_is_the_same(bench: Bench) -> None:
    for quantity in (2, 2.0, "2"):
        order_id = bench.submitted({**TELEVISION, "quantity": 2})
        reply = bench.sell(order_id, {**_item(bench, order_id), "quantity": quantity})
        reply.expect(200, what=f"quantity {quantity!r}:")


@SALES.clause("Limits: quantity", "0, -1, 1.5 and 21 are refused")
def _quantity_is_refused(bench: Bench) -> None:
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

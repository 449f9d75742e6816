"""Clauses about post-purchase sales and checkouts: trying them sells warranties, or might, or mails."""

import uuid
from collections.abc import Callable
from typing import Final

from warranty.client.operations import NOTIFY_CHECKOUT, PURCHASE_WARRANTIES
from warranty.client.plans import read_plans
from warranty.conformance.bench import (
    LAMP,
    NO_SUCH_TERM,
    TELEVISION,
    Bench,
    CannotBeTried,
    Differs,
    Json,
    Reply,
    selector,
)
from warranty.conformance.clause import Clause
from warranty.conformance.orders import bundle

_SALES: Final = "POST /api/post-purchase-checkout"
_REFUSALS: Final = "Errors: POST /api/post-purchase-checkout"
_TV: Final = str(TELEVISION["product_id"])
_LAMP: Final = str(LAMP["product_id"])


def _sold(reply: Reply) -> str:
    reply.expect(200)
    identifier = reply.field("id")
    if not isinstance(identifier, str) or not identifier:
        raise Differs(f"no id of the warranty order: {reply.seen}")
    return identifier


def _refusal(reply: Reply) -> str:
    reply.expect(400)
    said = reply.field("error")
    if not isinstance(said, str):
        raise Differs(f"no sentence in the field error: {reply.seen}")
    return said


def _refused(*line_items: Json) -> Callable[[Bench], str | None]:
    """Make the try of a sale that is refused with a sentence."""

    def probe(bench: Bench) -> str | None:
        return _refusal(bench.sell(bench.submitted(), *line_items))

    return probe


def _sale_by_term(bench: Bench) -> str | None:
    order_id = bench.submitted()
    term = bench.a_term(order_id, _TV)
    _sold(bench.sell(order_id, {"product_id": _TV, "warranty": selector(term)}))
    return f"{term} months"


def _sale_by_offer(bench: Bench) -> str | None:
    order_id = bench.submitted()
    _sold(bench.sell(order_id, {"warranty_offer_id": bench.an_offer(order_id)}))
    return None


def _term_not_offered(bench: Bench) -> str | None:
    said = _refusal(bench.sell(bench.submitted(), {"product_id": _TV, "warranty": selector(NO_SUCH_TERM)}))
    if str(NO_SUCH_TERM) not in said:
        raise Differs(f"the message does not name the term: {said}")
    if not read_plans([said]):
        raise Differs(f"the message lists no plans that can be read as months and type: {said}")
    return said


def _unknown_product(bench: Bench) -> str | None:
    order_id = bench.submitted()
    said = _refusal(bench.sell(order_id, {"product_id": "CONFORMANCE-NO-SUCH-PRODUCT"}))
    if "CONFORMANCE-NO-SUCH-PRODUCT" not in said or order_id not in said:
        raise Differs(f"the message does not name the product and the order: {said}")
    return said


def _sold_once(bench: Bench) -> str | None:
    order_id = bench.submitted()
    item = {"product_id": _TV, "warranty": selector(bench.a_term(order_id, _TV))}
    _sold(bench.sell(order_id, item))
    return _refusal(bench.sell(order_id, item))


def _offer_once_in_a_request(bench: Bench) -> str | None:
    order_id = bench.submitted()
    item = {"product_id": _TV, "warranty": selector(bench.a_term(order_id, _TV))}
    said = _refusal(bench.sell(order_id, item, item))
    _sold(bench.sell(order_id, item))
    return said


def _all_or_nothing(bench: Bench) -> str | None:
    order_id = bench.submitted(TELEVISION, LAMP)
    item = {"product_id": _TV, "warranty": selector(bench.a_term(order_id, _TV))}
    _refusal(bench.sell(order_id, item, {"product_id": "CONFORMANCE-NO-SUCH-PRODUCT"}))
    reply = bench.sell(order_id, item)
    if reply.status != 200:
        raise Differs(f"after a refused request the good item cannot be sold: {reply.seen}")
    return None


def _quantity_is_the_same(bench: Bench) -> str | None:
    for quantity in (2, 2.0, "2"):
        order_id = bench.submitted({**TELEVISION, "quantity": 2})
        item = {"product_id": _TV, "warranty": selector(bench.a_term(order_id, _TV)), "quantity": quantity}
        reply = bench.sell(order_id, item)
        if reply.status != 200:
            raise Differs(f"quantity {quantity!r}: {reply.seen}")
    return None


def _quantity_is_refused(bench: Bench) -> str | None:
    order_id = bench.submitted({**TELEVISION, "quantity": 2})
    term = bench.a_term(order_id, _TV)
    for quantity in (0, -1, 1.5, 21):
        reply = bench.sell(order_id, {"product_id": _TV, "warranty": selector(term), "quantity": quantity})
        if reply.status != 400:
            raise Differs(f"quantity {quantity!r}: {reply.seen}")
    return None


def _bundle_by_a_member(bench: Bench) -> str | None:
    order_id = bench.submitted(bundle())
    _sold(bench.sell(order_id, {"product_id": _LAMP, "warranty": selector(bench.a_term(order_id, _LAMP))}))
    return None


def _bundle_by_its_members(bench: Bench) -> str | None:
    order_id = bench.submitted(bundle())
    term = bench.a_term(order_id, _LAMP)
    members = [{"product_id": _TV}, {"product_id": _LAMP}]
    _sold(bench.sell(order_id, {"products": members, "warranty": selector(term)}))
    return None


def _bundle_as_separate_items(bench: Bench) -> str | None:
    order_id = bench.submitted(bundle())
    chosen = selector(bench.a_term(order_id, _LAMP))
    items: list[Json] = [{"product_id": _TV, "warranty": chosen}, {"product_id": _LAMP, "warranty": chosen}]
    return _refusal(bench.sell(order_id, *items))


def _still_buyable(bench: Bench) -> str | None:
    path = bench.settings.purchase_warranties_path
    if path is None:
        raise CannotBeTried("WARRANTY_PURCHASE_WARRANTIES_PATH is not set")
    order_id = bench.submitted()
    reply = bench.call(PURCHASE_WARRANTIES.at(path), query={"order_id": order_id}).expect(200)
    items = reply.field("line_items")
    if not isinstance(items, list) or not items or "offers" not in items[0]:
        raise Differs(f"answers {reply.seen}")
    return None


def _checkout(bench: Bench) -> str | None:
    offer = bench.an_offer(bench.submitted())
    reply = bench.call(
        NOTIFY_CHECKOUT,
        {
            "id": uuid.uuid4().hex,
            "email": bench.email,
            "line_items": [{"warranty_offer_id": offer, "quantity": 1}],
            "billing_address": bench.address(email=None),
        },
    )
    if not 200 <= reply.status <= 299:
        raise Differs(f"answers {reply.seen}")
    return f"answers {reply.seen}, which the document does not show; was the mail received?"


SALES: Final = (
    Clause(_SALES, "A sale by product and term: 200 with the id of the warranty order", _sale_by_term, True),
    Clause("Rules 2", "A sale by warranty_offer_id", _sale_by_offer, True),
    Clause("Rules 1", "A request is all or nothing", _all_or_nothing, True),
    Clause(_REFUSALS, "An item that identifies no offer: 400", _refused({"quantity": 1}), True),
    Clause(
        _REFUSALS,
        "A term without an item: 400",
        _refused({"warranty_offer_id": str(uuid.UUID(int=1)), "warranty": selector(12)}),
        True,
    ),
    Clause(
        _REFUSALS, "A term that is not offered: 400, naming the term and the plans", _term_not_offered, True
    ),
    Clause(_REFUSALS, "A product without an offer: 400, naming product and order", _unknown_product, True),
    Clause(_REFUSALS, "An offer that was bought cannot be bought again: 400", _sold_once, True),
    Clause(
        "Limits: one offer bought once per request",
        "A second item for the same offer: 400",
        _offer_once_in_a_request,
        True,
    ),
    Clause(
        _REFUSALS,
        "The same line_item_id twice: 400",
        _refused({"product_id": _TV, "line_item_id": 1}, {"product_id": _TV, "line_item_id": 1}),
        True,
    ),
    Clause(_REFUSALS, "No line items: 400", _refused(), True),
    Clause("Limits: quantity", '2, 2.0 and "2" are the same quantity', _quantity_is_the_same, True),
    Clause("Limits: quantity", "0, -1, 1.5 and 21 are refused", _quantity_is_refused, True),
    Clause("Rules 5", "A bundled offer is bought by any one of its products", _bundle_by_a_member, True),
    Clause("Rules 5", "A bundled offer is bought by the list of its members", _bundle_by_its_members, True),
    Clause("Rules 5", "A bundle's products as separate items: 400", _bundle_as_separate_items, True),
    Clause(
        "GET /api/purchase-warranties (our assumption)",
        "An order's items and offers are answered",
        _still_buyable,
        True,
    ),
    Clause("POST /api/checkout", "A completed sale is taken (and the customer is mailed)", _checkout, True),
)

"""Clauses about orders: trying them stores orders, or might."""

from collections.abc import Callable
from typing import Final

from warranty.client.operations import SUBMIT_ORDER
from warranty.watch.conformance.bench import LAMP, TELEVISION, Bench, CannotBeTried, Clauses, Differs, Json, given

_CARTS: Final = "POST /api/carts"
_REFUSALS: Final = "Errors: POST /api/carts"
_ADDRESS: Final = "Billing address"
_LINE_ITEM: Final = "Line item of an order"
ORDERS: Final = Clauses(write=True)


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


_refused_address(_REFUSALS, "No state: 400 and not stored", state=None)
_refused_address(_ADDRESS, "A state is required whatever the country", state="", country="France", country_code="FR")
_refused_address(_REFUSALS, "Neither e-mail nor phone: 400 and not stored", email=None)
_refused_address(_ADDRESS, "An empty phone does not count as provided", email=None, phone="")
_refused(
    _REFUSALS,
    "A merchant that the account does not have: 400 and not stored",
    lambda bench: bench.order(merchant_external_id="conformance-no-such-merchant"),
)
_refused(
    _REFUSALS,
    "A bundle with a price that cannot be read: 400 and not stored",
    lambda bench: bench.order(bundle(product_price="abc")),
)
_refused(_LINE_ITEM, "A bundle with a price missing is refused", lambda bench: bench.order(bundle(product_price=None)))


@ORDERS.clause(_REFUSALS, "No billing address: 404 without a message")
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

"""Clauses about orders: trying them stores orders, or might."""

from collections.abc import Callable
from typing import Final

from warranty.client.operations import SUBMIT_ORDER
from warranty.conformance.bench import LAMP, TELEVISION, Bench, CannotBeTried, Differs, Json
from warranty.conformance.clause import Clause
from warranty.landing import landing_page_url

_CARTS: Final = "POST /api/carts"
_REFUSALS: Final = "Errors: POST /api/carts"


def bundle(**changes: object) -> Json:
    """Make a line item that is a bundle of two products; the changes go into the second."""
    members = [TELEVISION, {**LAMP, **changes}]
    return {
        "product_id": "CONFORMANCE-SET",
        "product_title": "Conformance set",
        "product_price": "1088.50",
        "meta": TELEVISION["meta"],
        "products": [
            {name: value for name, value in member.items() if value is not None} for member in members
        ],
    }


def _new_order(bench: Bench) -> str | None:
    reply = bench.call(SUBMIT_ORDER, bench.order()).expect(200)
    if reply.field("success") is not True or not isinstance(reply.field("url"), str):
        raise Differs(f"answers {reply.seen}")
    if not isinstance(reply.field("warrantable_products"), bool):
        raise Differs(f"warrantable_products is not true or false: {reply.seen}")
    return f"warrantable_products {reply.field('warrantable_products')}".lower()


def _url_is_as_built(bench: Bench) -> str | None:
    landing_url, retailer = bench.settings.landing_url, bench.settings.retailer_uuid
    if landing_url is None or retailer is None:
        raise CannotBeTried("WARRANTY_LANDING_URL and WARRANTY_RETAILER_UUID are not set")
    order = bench.order()
    reply = bench.call(SUBMIT_ORDER, order).expect(200)
    built = landing_page_url(landing_url, retailer, order["order_id"])
    if reply.field("url") != built:
        raise Differs(f"the service gives {reply.field('url')}, built is {built}")
    return None


def _the_same_order_again(bench: Bench) -> str | None:
    order = bench.order()
    first = bench.call(SUBMIT_ORDER, order).expect(200)
    again = bench.call(SUBMIT_ORDER, order).expect(200)
    other = bench.call(SUBMIT_ORDER, {**order, "line_items": [LAMP]}).expect(200)
    for reply in (again, other):
        if reply.field("url") != first.field("url"):
            raise Differs(f"another URL: {reply.seen}")
        if "warrantable_products" in (reply.json or {}):
            raise Differs(f"warrantable_products is answered again: {reply.seen}")
    return None


def _taken(order: Callable[[Bench], Json]) -> Callable[[Bench], str | None]:
    def probe(bench: Bench) -> str | None:
        bench.call(SUBMIT_ORDER, order(bench)).expect(200)
        return None

    return probe


def _refused(order: Callable[[Bench], Json]) -> Callable[[Bench], str | None]:
    """Make the try of an order that is refused with sentences and not stored."""

    def probe(bench: Bench) -> str | None:
        body = order(bench)
        reply = bench.call(SUBMIT_ORDER, body).expect(400)
        message = reply.field("message")
        sentences = message.get("validation_errors") if isinstance(message, dict) else None
        if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
            raise Differs(f"no message.validation_errors of sentences: {reply.seen}")
        stored = bench.sell(body["order_id"], {"product_id": TELEVISION["product_id"]})
        if stored.status != 404:
            raise Differs(f"the order seems to be stored: a sale on it answers {stored.seen}")
        return " / ".join(sentences)

    return probe


def _without_billing_address(bench: Bench) -> str | None:
    reply = bench.call(SUBMIT_ORDER, bench.order(billing_address=None)).expect(404)
    if reply.field("message") or reply.field("error"):
        raise Differs(f"the body has a message: {reply.seen}")
    return None


ORDERS: Final = (
    Clause(_CARTS, "A new order: 200 with success, url and warrantable_products", _new_order, True),
    Clause(
        _CARTS, "The URL is {landing_url}/carts/<retailer_uuid>/checkout/<order_id>", _url_is_as_built, True
    ),
    Clause(
        "States and transitions",
        "The same order id again, also with other items: the same URL, no warrantable_products",
        _the_same_order_again,
        True,
    ),
    Clause(
        _REFUSALS,
        "No state: 400 and not stored",
        _refused(lambda bench: bench.order(billing_address=bench.address(state=None))),
        True,
    ),
    Clause(
        "Billing address",
        "A state is required whatever the country",
        _refused(
            lambda bench: bench.order(
                billing_address=bench.address(state="", country="France", country_code="FR")
            )
        ),
        True,
    ),
    Clause(
        _REFUSALS,
        "Neither e-mail nor phone: 400 and not stored",
        _refused(lambda bench: bench.order(billing_address=bench.address(email=None))),
        True,
    ),
    Clause(
        "Billing address",
        "An empty phone does not count as provided",
        _refused(lambda bench: bench.order(billing_address=bench.address(email=None, phone=""))),
        True,
    ),
    Clause(
        _REFUSALS,
        "A merchant that the account does not have: 400 and not stored",
        _refused(lambda bench: bench.order(merchant_external_id="conformance-no-such-merchant")),
        True,
    ),
    Clause(
        _REFUSALS,
        "A bundle with a price that cannot be read: 400 and not stored",
        _refused(lambda bench: bench.order(bundle(product_price="abc"))),
        True,
    ),
    Clause(
        "Line item of an order",
        "A bundle with a price missing is refused",
        _refused(lambda bench: bench.order(bundle(product_price=None))),
        True,
    ),
    Clause(_REFUSALS, "No billing address: 404 without a message", _without_billing_address, True),
    Clause(
        "Line item of an order",
        "Two or more products make a bundle",
        _taken(lambda bench: bench.order(bundle())),
        True,
    ),
    Clause(
        "Limits: quantity above 20",
        "An order line of more than 20 is taken",
        _taken(lambda bench: bench.order({**TELEVISION, "quantity": 25})),
        True,
    ),
)

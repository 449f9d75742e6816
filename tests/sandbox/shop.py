"""A shop as the sandbox's tests play it: bare HTTP, as written in the interface, and nothing of our client."""

import copy
import ssl
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import httpx

from sandbox import SandboxServer

CARTS = "/api/carts"
SALE = "/api/post-purchase-checkout"
CHECKOUT = "/api/checkout"
CLAIMS = "/api/warranty-claim-customer-status"
VERIFY = "/api/verify-auth"
CARRIED = "/api/purchase-warranties"
OFFERS = "/api/warranty-offers"

ALL = (("GET", VERIFY), ("GET", CARRIED), *(("POST", path) for path in (CARTS, SALE, CHECKOUT, CLAIMS, OFFERS)))

EMAIL = "josephine.clark@example.com"
ADDRESS = {
    "first_name": "Josephine", "last_name": "Clark", "address1": "123 Mint St. Apt 3F", "city": "Brooklyn",
    "state": "NY", "zip": "11231", "country": "United States", "country_code": "US",
}  # fmt: skip


def product(sku: str = "TV-55", price: Any = "899.99", *categories: str, **more: Any) -> dict[str, Any]:
    crumbs = [{"category": category} for category in categories or ("Electronics",)]
    named = {"product_id": sku, "product_title": f"Product {sku}", "product_price": price}
    return {**named, "meta": {"breadcrumbs": crumbs}, **more}


def order(*line_items: dict[str, Any], **more: Any) -> dict[str, Any]:
    address = {"first_name": "Josephine", "state": "NY", "country": "United States", "email": EMAIL}
    lines = list(line_items) or [product()]
    return {"order_id": uuid.uuid4().hex, "line_items": lines, "billing_address": address, **more}


def addressed(**changes: Any) -> dict[str, Any]:
    """An order whose billing address is changed; `...` takes a field out."""
    changed = order()
    changed["billing_address"].update(changes)
    changed["billing_address"] = {name: value for name, value in changed["billing_address"].items() if value is not ...}
    return changed


def checkout(*offer_ids: str, **more: Any) -> dict[str, Any]:
    return {
        "id": uuid.uuid4().hex, "email": EMAIL,
        "line_items": [{"warranty_offer_id": offer_id} for offer_id in offer_ids or (str(uuid.uuid4()),)],
        "billing_address": copy.deepcopy(ADDRESS), **more,
    }  # fmt: skip


def term(months: int, price: Any = "79.99", **more: Any) -> dict[str, Any]:
    return {"warranty_duration": months, "warranty_price": price, **more}


class Shop:
    """Calls a sandbox with the token that each endpoint takes."""

    def __init__(self, sandbox: SandboxServer) -> None:
        self.sandbox = sandbox
        self.http = httpx.Client(
            base_url=sandbox.base_url, verify=ssl.create_default_context(cafile=sandbox.ca_file), timeout=20
        )
        self.pages = httpx.Client(base_url=sandbox.landing_url, timeout=20, trust_env=False)
        """A customer's browser, before the landing pages."""
        self.private = {"Authorization": f"Bearer {sandbox.private_token}"}
        self.public = {"Authorization": f"Bearer {sandbox.public_token}"}

    def close(self) -> None:
        self.http.close()
        self.pages.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def headers(self, path: str) -> dict[str, str]:
        return self.public if path in {CLAIMS, OFFERS} else self.private

    def post(self, path: str, content: Any) -> httpx.Response:
        return self.http.post(path, json=content, headers=self.headers(path))

    def submit(self, content: dict[str, Any]) -> httpx.Response:
        return self.post(CARTS, content)

    def stored(self, *line_items: dict[str, Any], **more: Any) -> str:
        content = order(*line_items, **more)
        answer = self.submit(content)
        assert answer.status_code == 200, answer.text
        return str(content["order_id"])

    def sell(self, order_id: Any, *line_items: dict[str, Any]) -> httpx.Response:
        return self.post(SALE, {"id": order_id, "line_items": list(line_items)})

    def look(self, order_id: Any) -> httpx.Response:
        return self.http.get(CARRIED, params={"order_id": order_id}, headers=self.private)

    def refusal(self, order_id: Any, *line_items: dict[str, Any]) -> str:
        """The message of a refused sale, of which nothing must have been written."""
        before = self.look(order_id).text
        answer = self.sell(order_id, *line_items)
        assert answer.status_code == 400, answer.text
        assert list(answer.json()) == ["error"]
        assert self.look(order_id).text == before
        return str(answer.json()["error"])

    def faults(self, content: dict[str, Any]) -> list[str]:
        """The validation errors of a refused order, which must not have been stored."""
        answer = self.submit(content)
        assert answer.status_code == 400, answer.text
        assert list(answer.json()) == ["message"]
        assert list(answer.json()["message"]) == ["validation_errors"]
        assert self.look(content.get("order_id")).status_code in {400, 404}
        return list(answer.json()["message"]["validation_errors"])

    def carried(self, order_id: str) -> list[dict[str, Any]]:
        answer = self.look(order_id)
        assert answer.status_code == 200, answer.text
        return list(answer.json()["line_items"])

    def offers(self, order_id: str, item: int = 1) -> list[dict[str, Any]]:
        return list(self.carried(order_id)[item - 1]["offers"])

    def offer_id(self, order_id: str, months: int, item: int = 1, kind: str = "") -> str:
        of_term = [offer for offer in self.offers(order_id, item) if offer["warranty_duration"] == months]
        return next(str(offer["warranty_offer_id"]) for offer in of_term if kind in offer["warranty_type"])

    def warranties(self, order_id: str, item: int = 1) -> list[dict[str, Any]]:
        return list(self.carried(order_id)[item - 1]["warranties"])

    def claims(self, **filters: Any) -> dict[str, Any]:
        answer = self.post(CLAIMS, filters)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def outbox(self, order_id: str) -> list[dict[str, Any]]:
        return [message for message in self.sandbox.outbox() if message["order_id"] == order_id]

    def at_once(self, count: int, path: str, *contents: Any) -> list[httpx.Response]:
        """The same request `count` times at the same moment, each on a connection of its own."""

        def send(number: int) -> httpx.Response:
            with httpx.Client(verify=self._context, timeout=20) as http:
                return http.post(
                    f"{self.sandbox.base_url}{path}", json=contents[number % len(contents)], headers=self.headers(path)
                )

        self._context = ssl.create_default_context(cafile=self.sandbox.ca_file)
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(send, range(count)))

"""What a try works with: calls that the client itself would refuse to make, orders to make them with, and the clauses.

The client checks before it sends, so it cannot ask the service what it does with a wrong request. These calls are
made beside it, once, without repeats; orders carry a random id and the person that the command names.
"""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

import httpx

from warranty.client.credentials import Credential
from warranty.client.operations import PURCHASE_WARRANTIES, RECORD_SALE, SUBMIT_ORDER, Operation, Token
from warranty.client.plans import read_plans
from warranty.client.tls import pool, trust
from warranty.settings import Settings, variable

Json = dict[str, Any]
Call = Operation[Any]

TELEVISION: Final[Json] = {
    "product_id": "CONFORMANCE-TV",
    "product_title": "Conformance television",
    "product_price": "899.00",
    "meta": {"breadcrumbs": [{"category": "Electronics"}, {"category": "Televisions"}]},
}
LAMP: Final[Json] = {
    "product_id": "CONFORMANCE-LAMP",
    "product_title": "Conformance lamp",
    "product_price": "189.50",
    "meta": {"breadcrumbs": [{"category": "Furniture"}, {"category": "Lighting"}]},
}
NO_SUCH_TERM: Final = 599


class Differs(Exception):
    """The service does otherwise than the document says; the text says what it did."""


class CannotBeTried(Exception):
    """The clause could not be tried; the text says why."""


class Unreachable(CannotBeTried):
    """No answer came."""


class Reply:
    """An answer: its status, and its body as JSON where it is JSON."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        self.body = body
        try:
            self.json: Any = json.loads(body)
        except ValueError:
            self.json = None

    def expect(self, status: int, last: int | None = None, *, what: str = "answers") -> Self:
        """Go on with this status, or one from it to `last`; raise `Differs` with any other."""
        if not status <= self.status <= (last or status):
            raise Differs(f"{what} {self.seen}")
        return self

    def field(self, name: str) -> Any:
        """Give a field of the body, None where it has none."""
        return self.json.get(name) if isinstance(self.json, dict) else None

    @property
    def seen(self) -> str:
        """The status and the beginning of the body, for a person."""
        text = " ".join(self.body.decode("utf-8", "replace").split())
        return f"{self.status} {text[:200]}".strip()


class Bench:
    """Calls to one account; a context manager. `email` is where mails to the customer of a test order go."""

    def __init__(self, settings: Settings, *, email: str, transport: httpx.BaseTransport | None = None) -> None:
        access = settings.service_access()
        read, connect = (each.total_seconds() for each in (settings.read_timeout, settings.connect_timeout))
        self.settings = settings
        self.email = email
        self.base_url = access.base_url
        self._credentials = {
            Token.PRIVATE: Credential("private", access.private_token),
            Token.PUBLIC: Credential("public", access.public_token, header=settings.public_token_header),
        }
        self._http = httpx.Client(
            transport=transport or pool(trust(settings.ca_file), keep=16, proxy=settings.outbound_proxy),
            trust_env=False,
            headers={"Content-Type": "application/json", "Accept": "application/json"},
            timeout=httpx.Timeout(read, connect=connect),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def call(self, operation: Call, body: object = None, **query: str) -> Reply:
        """Make a call with the token that it takes; raises `Unreachable` where no answer comes."""
        return self.call_as(self._credentials[operation.token], operation, body, **query)

    def call_as(self, by: Credential | None, call: Call, body: object = None, *, at: str = "", **query: str) -> Reply:
        """Make a call with another token or with none, or to another address."""
        headers = [by.header()] if by else []
        url = (at or self.base_url) + call.path
        try:
            response = self._http.request(call.method, url, json=body, headers=headers, params=query)
        except httpx.RequestError:
            raise Unreachable("the service could not be reached") from None
        return Reply(response.status_code, response.content)

    def assumed(self, operation: Call, path: str | None, *, so: str = "") -> Call:
        """Give a call that the interface does not show, at the path of the settings, which it cannot do without."""
        if path is None:
            raise CannotBeTried(f"{so}{variable(operation.name)}_PATH is not set")
        return operation.at(path)

    def purchase_warranties(self, order_id: str, *, so: str = "") -> Reply:
        """Read what an order can still buy and carries."""
        call = self.assumed(PURCHASE_WARRANTIES, self.settings.purchase_warranties_path, so=so)
        return self.call(call, order_id=order_id).expect(200)

    def order(self, *line_items: Json, **changes: Any) -> Json:
        """Make the body of an order with a fresh id; a field changed to None is left out."""
        lines = list(line_items or (TELEVISION,))
        body = {"order_id": uuid.uuid4().hex, "line_items": lines, "billing_address": self.address()}
        return given(**{**body, **changes})

    def address(self, **changes: Any) -> Json:
        """Make the billing address of a test order; a field changed to None is left out."""
        address = {
            "first_name": "Conformance",
            "last_name": "Check",
            "address1": "1 Main St",
            "city": "Boston",
            "state": "MA",
            "zip": "02108",
            "country": "United States",
            "country_code": "US",
            "email": self.email,
        }
        return given(**{**address, **changes})

    def submitted(self, *line_items: Json) -> str:
        """Store an order and give its id; raises `CannotBeTried` where that fails."""
        body = self.order(*line_items)
        reply = self.call(SUBMIT_ORDER, body)
        if reply.status != 200:
            raise CannotBeTried(f"an order could not be stored: {reply.seen}")
        return str(body["order_id"])

    def sell(self, order_id: str, *line_items: Json) -> Reply:
        """Record a sale on an order."""
        return self.call(RECORD_SALE, {"id": order_id, "line_items": list(line_items)})

    def a_term(self, order_id: str, product_id: str) -> int:
        """Find a term in months that one plan alone has on the item, from the refusal of a term that none has."""
        reply = self.sell(order_id, {"product_id": product_id, "warranty": selector(NO_SUCH_TERM)})
        terms = [plan.months for plan in read_plans([str(reply.field("error") or "")])]
        for term in terms:
            if terms.count(term) == 1:
                return term
        raise CannotBeTried(f"no term is known that the item has: {reply.seen}")

    def an_offer(self, order_id: str) -> str:
        """Find the id of an unsold offer of an order; raises `CannotBeTried` where no path for that is named."""
        reply = self.purchase_warranties(order_id, so="no offer id is known: ")
        for item in reply.field("line_items") or ():
            for offer in item.get("offers", ()):
                if offer.get("status") != "bought":
                    return str(offer["warranty_offer_id"])
        raise CannotBeTried(f"the order has no unsold offer: {reply.seen}")


def given(**fields: Any) -> Json:
    """Make an object of the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def selector(months: int) -> Json:
    """Make a warranty selector."""
    return {"warranty_duration": months, "warranty_price": "79.99"}


Probe = Callable[[Bench], str | None]
"""Gives what is worth telling, or None; raises `Differs` or `CannotBeTried`."""


class Shown(StrEnum):
    """What a try has shown."""

    HOLDS = "holds"
    DIFFERS = "differs"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Trial:
    """What was shown of one clause, with what was seen or why it was not run."""

    shown: Shown
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of the document: its section, what it says, the try, and whether that may write or mail."""

    section: str
    says: str
    probe: Probe
    writes: bool

"""A service that gives prepared answers, a clock that never waits, and one call of every kind."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.builders import LAMP, checkout_of, one_of_each, order_of, sale_of
from warranty.client import Pacing, WarrantyClient
from warranty.errors import WarrantyError

ORDER = order_of(LAMP, order_id="7689dde5c0f64fffa7ad217f6f73")
SALE = sale_of(ORDER.order_id)
CHECKOUT = checkout_of(ORDER.order_id)
CALLS = one_of_each(ORDER, SALE, CHECKOUT)
NEVER_REPEATED = ["record_sale", "notify_checkout"]
REPEATED = [name for name in CALLS if name not in NEVER_REPEATED]
SUCCESS: dict[str, Any] = {
    "verify_credentials": {},
    "submit_order": {"success": True, "url": "https://pages.example.com/1", "warrantable_products": True},
    "record_sale": {"id": "64fa"}, "notify_checkout": {},
    "claims": {"data": [], "page": 1, "per_page": 50, "total_count": 0},
}  # fmt: skip

TOKEN = "-token-1234567890/abc"
"""How both end."""

Answer = httpx.Response | Exception | type[Exception]


class Service:
    """A service that gives prepared answers in turn, the last one for ever, and keeps the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, httpx.Response):
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        raise answer("made by the test") if isinstance(answer, type) else answer


@dataclass
class Pauses:
    """A clock that stands still except while sleeping, so that no test waits."""

    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def clock(self) -> float:
        return sum(self.slept)


def client(service: Callable[[httpx.Request], httpx.Response], pauses: Pauses | None = None) -> WarrantyClient:
    pauses = pauses or Pauses()
    pacing = Pacing(sleep=pauses.sleep, clock=pauses.clock, jitter=lambda: 1.0)
    reads = {"purchase_warranties_path": "/api/purchase-warranties", "offers_path": "/api/warranty-offers"}
    return client_of(
        service, "https://service.example/base", f"private{TOKEN}", f"public{TOKEN}", pacing=pacing, **reads
    )


def client_of(
    service: Callable[[httpx.Request], httpx.Response], url: str = "https://service.example",
    private_token: str = "private-token", public_token: str = "public-token", **more: Any,
) -> WarrantyClient:  # fmt: skip
    tokens: dict[str, Any] = {"private_token": private_token, "public_token": public_token}
    return WarrantyClient(url, **tokens, transport=httpx.MockTransport(service), **more)


def raised(call: str, service: Service) -> WarrantyError:
    with pytest.raises(WarrantyError) as ending:
        CALLS[call](client(service))
    return ending.value

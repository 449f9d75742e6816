"""A service that repeats what it was asked with brings no token of ours to anybody (docs/security.md: L3)."""

import json
from collections.abc import Callable

import httpx
import pytest

from tests.warranty.client.prepared_service import CALLS
from warranty.client import Pacing, WarrantyClient
from warranty.errors import WarrantyError

SECRET = "-token-1234567890/abc"


def slashed(text: str) -> str:
    """As some programs write JSON: with its slashes escaped."""
    return text.replace("/", "\\/")


def echoing(body: str, write: Callable[[str], str]) -> Callable[[httpx.Request], httpx.Response]:
    def answer(request: httpx.Request) -> httpx.Response:
        token = request.headers["Authorization"].removeprefix("Bearer ")
        return httpx.Response(400, text=body.format(write(token), write(token)))

    return answer


def spelled(text: str) -> str:
    """As JSON may write it: each letter by its number."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "body", ['{{"message": "Bad header {}"}}', '{{"validation_errors": ["{}", {{"seen": "{}"}}]}}', '{{"{}": 1}}']
)
def test_a_refusal_that_repeats_our_token_is_told_without_it(call: str, body: str) -> None:
    for write in (str, spelled, slashed):
        service = echoing(body, write)
        secretive = WarrantyClient(
            "https://service.example",
            private_token=f"private{SECRET}",
            public_token=f"public{SECRET}",
            transport=httpx.MockTransport(service),
            pacing=Pacing(sleep=lambda _: None),
            purchase_warranties_path="/api/purchase-warranties",
            offers_path="/api/warranty-offers",
        )
        with pytest.raises(WarrantyError) as refusal:
            CALLS[call](secretive)
        told = json.dumps([refusal.value.service_words, str(refusal.value), repr(refusal.value.trace)])
        assert "[token]" in told
        assert SECRET not in told.replace("\\/", "/").replace("\\", "")

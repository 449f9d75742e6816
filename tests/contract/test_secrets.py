"""Tokens and customers' data are planted in every call, and looked for in everything that is left behind."""

import copy
import logging
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from sandbox import SandboxServer
from tests.builders import checkout_of, client_at, one_of_each, order_of
from warranty.client import WarrantyClient
from warranty.client.credentials import Credential, token_hint
from warranty.client.resources import ClaimQuery, Order, Sale
from warranty.errors import WarrantyError

PLANTED = (
    "Plantedfirst", "Plantedlast", "planted.mail", "Planted Street", "555-0199", "ZQ1 9ZZ", "Plantedtown",
)  # fmt: skip
ADDRESS: dict[str, Any] = {
    "first_name": PLANTED[0], "last_name": PLANTED[1], "address1": f"1 {PLANTED[3]}", "city": PLANTED[6], "state": "MA",
    "zip": PLANTED[5], "country": "United States", "country_code": "US",
}  # fmt: skip
EMAIL, PHONE = f"{PLANTED[2]}@example.com", f"+1 212-{PLANTED[4]}"
ORDER = order_of(**ADDRESS, email=EMAIL, phone=PHONE)
SALE = Sale.model_validate({"id": ORDER.order_id, "line_items": [{"product_id": "TV-55"}]})
CHECKOUT = checkout_of(ORDER.order_id, email=EMAIL, phone=PHONE, billing_address=ADDRESS)
CALLS = one_of_each(ORDER, SALE, CHECKOUT, ClaimQuery(customer_email=EMAIL))
FAULTS: list[dict[str, Any] | None] = [
    None, {"kind": "status", "status": 400}, {"kind": "status", "status": 500}, {"kind": "drop_before_write"},
    {"kind": "truncated_body"}, {"kind": "not_json"},
]  # fmt: skip


class Everything(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(f"{record.getMessage()} {record.__dict__!r}")


@pytest.mark.parametrize("header", ["Authorization", "X-Public-Token"])
def test_nothing_that_is_left_behind_holds_a_token_or_a_customer(sandbox: SandboxServer, header: str) -> None:
    everything = Everything()
    logging.getLogger().addHandler(everything)
    loggers = [logging.getLogger(), *(logging.getLogger(name) for name in ("httpx", "httpcore", "warranty"))]
    levels = [logger.level for logger in loggers]
    left: list[str] = []
    client = client_at(sandbox, public_token_header=header)
    try:
        for logger in loggers:
            logger.setLevel(logging.DEBUG)
        for operation, call in CALLS.items():
            for fault in FAULTS:
                if fault:
                    sandbox.add_fault(operation, times=3, **fault)
                left += traces(client, call)
                sandbox.clear_faults()
        left += [repr(client), repr(vars(client)), str(client), *shown_inside(client)]
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        logging.getLogger().removeHandler(everything)
        client.close()
    found = "\n".join(left + everything.said)
    assert any("record_sale" in said for said in everything.said), "nothing was logged, so nothing is shown"
    assert "RequestRefused" in found
    for secret in (sandbox.private_token, sandbox.public_token, *PLANTED):
        assert secret not in found
    assert "/api/" not in "\n".join(everything.said), "a full URL is in the log"


def shown_inside(thing: object, depth: int = 4) -> list[str]:
    inside = list(vars(thing).values()) if hasattr(thing, "__dict__") else []
    if isinstance(thing, dict):
        inside += thing.values()
    deeper = [text for part in inside for text in shown_inside(part, depth - 1)] if depth else []
    return [repr(thing), repr(getattr(thing, "__dict__", "")), *deeper]


def traces(client: WarrantyClient, call: Callable[[WarrantyClient], object]) -> list[str]:
    """Make one call and give all that its error could leave in a log or a report, with every local value."""
    error = ending(client, call)
    if error is None:
        return []
    assert (error.__cause__, error.__context__) == (None, None)
    frames = traceback.TracebackException.from_exception(error, capture_locals=True)
    return [
        repr(error), str(error), repr(error.args), repr(error.failure),
        "".join(traceback.format_exception(error)), "".join(frames.format()), repr(pickle.dumps(error)),
        repr(vars(error)),
    ]  # fmt: skip


def ending(client: WarrantyClient, call: Callable[[WarrantyClient], object]) -> WarrantyError | None:
    try:
        call(client)
    except WarrantyError as error:
        return error
    return None


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_client_and_token_are_not_copied(client: WarrantyClient, copied: Callable[[object], object]) -> None:
    credential = Credential("private", "planted-token-1234567890")
    assert "planted-token" not in repr(credential)
    for secretive in (client, credential):
        with pytest.raises(TypeError, match="not pickled"):
            copied(secretive)


@pytest.mark.parametrize(
    ("token", "hint"),
    [(None, "not set"), (SecretStr("a-token-that-is-long-3f"), "set, ends in …3f"), (SecretStr("short-3f"), "set")],
)
def test_two_characters_of_a_token_are_told_if_it_has_enough(token: SecretStr | None, hint: str) -> None:
    assert token_hint(token) == hint


def test_a_wrong_address_is_refused_without_being_printed() -> None:
    wrong = {"state": "", "phone": PHONE, "first_name": PLANTED[0], "email": f"{PLANTED[2]}@", "zip": 9999}
    with pytest.raises(ValueError, match="state") as refused:
        Order.model_validate(ORDER.model_dump() | {"billing_address": wrong})
    for planted in PLANTED:
        assert planted not in f"{refused.value} {refused.value!r}"

"""Clauses that are tried without writing anything: access, claims, and calls that name no order."""

import re
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from warranty.client.operations import (
    CLAIMS,
    OFFERS,
    RECORD_SALE,
    SUBMIT_ORDER,
    VERIFY_CREDENTIALS,
    Operation,
)
from warranty.conformance.bench import TELEVISION, UNKNOWN_TOKEN, Bench, CannotBeTried, Differs, Unreachable
from warranty.conformance.clause import Clause
from warranty.settings.credentials import Credential

_UNKNOWN: Final = Credential("unknown", UNKNOWN_TOKEN)
_WITHOUT_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}")
_WITH_OFFSET: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)")
_TEXT: Final = re.compile(r".*", re.DOTALL)
_FORMATS: Final[Mapping[str, re.Pattern[str]]] = {
    "claim_date": _WITHOUT_ZONE,
    "description": _TEXT,
    "order_date": _WITH_OFFSET,
    "order_id": _TEXT,
    "product_name": _TEXT,
    "status": _TEXT,
    "warranty_id": _TEXT,
    "warranty_start_date": _WITH_OFFSET,
}


def _plain_http_fails(bench: Bench) -> str | None:
    bench.call(VERIFY_CREDENTIALS)  # a host that does not answer at all shows nothing
    try:
        reply = bench.plain_http()
    except Unreachable:
        return None
    if reply.status < 400:
        raise Differs(f"plain HTTP is answered with {reply.seen}")
    return f"plain HTTP is answered with {reply.status}"


def _private_token_is_accepted(bench: Bench) -> str | None:
    reply = bench.call(VERIFY_CREDENTIALS)
    if not 200 <= reply.status <= 299:
        raise Differs(f"answers {reply.seen}")
    return f"its body, which the document does not show, is: {reply.seen[4:] or 'empty'}"


def _unknown_token_is_not_verified(bench: Bench) -> str | None:
    reply = bench.call_as(VERIFY_CREDENTIALS, credential=_UNKNOWN)
    if 200 <= reply.status <= 299:
        raise Differs(f"answers {reply.seen}")
    return f"answers {reply.status}, which the document does not show"


def _refused_as_401(operation: Operation[Any], body: object, credential: Credential | None) -> Any:
    def probe(bench: Bench) -> str | None:
        bench.call_as(operation, body, credential=credential).expect(401)
        return None

    return probe


def _unknown_order_is_404(bench: Bench) -> str | None:
    bench.sell(uuid.uuid4().hex, {"product_id": TELEVISION["product_id"]}).expect(404)
    return None


def _claims(bench: Bench, query: Mapping[str, object]) -> list[Any]:
    reply = bench.call(CLAIMS, query).expect(200)
    data = reply.field("data")
    numbers = [reply.field(name) for name in ("page", "per_page", "total_count")]
    if not isinstance(data, list) or not all(type(number) is int for number in numbers):
        # Its text is not shown: it may be a customer's.
        raise Differs("answers 200 without a list data and whole numbers page, per_page and total_count")
    return data


def _claims_answer(bench: Bench) -> str | None:
    reply = bench.call(CLAIMS, {}).expect(200)
    _claims(bench, {})
    return f"page {reply.field('page')}, per_page {reply.field('per_page')}, total_count {reply.field('total_count')}"


def _claim_records(bench: Bench) -> str | None:
    records = _claims(bench, {})
    if not records:
        raise CannotBeTried("the account has no claims")
    for record in records:
        for name, form in _FORMATS.items():
            value = record.get(name) if isinstance(record, dict) else None
            if not isinstance(value, str) or not form.fullmatch(value):
                raise Differs(f"{name} is not as documented in a record")
    statuses = sorted({record["status"] for record in records})
    return f"{len(records)} records; status: {', '.join(statuses)}"


def _claims_by_range(parameter: str, field: str) -> Any:
    def probe(bench: Bench) -> str | None:
        records = _claims(bench, {})
        if not records:
            raise CannotBeTried("the account has no claims")
        moment = datetime.fromisoformat(records[0][field])
        first, last = ((moment + timedelta(days=days)).replace(tzinfo=None) for days in (-2, 2))
        found = _claims(
            bench,
            {
                parameter: {
                    "startDate": first.isoformat(timespec="microseconds"),
                    "endDate": last.isoformat(timespec="microseconds"),
                }
            },
        )
        # A day's margin: the document does not say in which zone a range without one is meant.
        margin = timedelta(days=1)
        for record in found:
            if (
                not first - margin
                <= datetime.fromisoformat(record[field]).replace(tzinfo=None)
                <= last + margin
            ):
                raise Differs(f"a record's {field} is outside the range asked for")
        if not found:
            raise Differs(f"no record is found around the {field} of a record")
        return f"{len(found)} records"

    return probe


def _claims_of_a_stranger(bench: Bench) -> str | None:
    found = _claims(bench, {"customerEmail": f"{uuid.uuid4().hex}@example.com"})
    if found:
        raise Differs(f"{len(found)} records are found for an address that nobody has")
    return None


def _answer_size(bench: Bench) -> str | None:
    _claims(bench, {})
    reply = bench.call(CLAIMS, {}).expect(200)
    returned, per_page, total = (
        len(reply.field("data") or ()),
        reply.field("per_page"),
        reply.field("total_count"),
    )
    if returned > per_page or returned > total:
        raise Differs(f"{returned} records with per_page {per_page} and total_count {total}")
    return f"{returned} of {total} records, per_page {per_page}"


def _offers(bench: Bench) -> str | None:
    path = bench.settings.offers_path
    if path is None:
        raise CannotBeTried("WARRANTY_OFFERS_PATH is not set")
    product = {"title": TELEVISION["product_title"], "id": TELEVISION["product_id"], "price": "899.00"}
    reply = bench.call(OFFERS.at(path), product | {"meta": TELEVISION["meta"]}).expect(200)
    if not isinstance(reply.json, list) or not all("warranty_offer_id" in offer for offer in reply.json):
        raise Differs(f"answers {reply.seen}")
    return f"{len(reply.json)} offers"


_EMPTY_SALE: Final = {"id": "conformance", "line_items": []}

READS: Final = (
    Clause("Authentication 2", "Every request must use HTTPS; plain HTTP calls fail", _plain_http_fails),
    Clause("GET /api/verify-auth", "The private token is accepted", _private_token_is_accepted),
    Clause("GET /api/verify-auth", "An unrecognised token is not accepted", _unknown_token_is_not_verified),
    Clause(
        "Errors: POST /api/carts",
        "A token that is not recognised: 401",
        _refused_as_401(SUBMIT_ORDER, {}, _UNKNOWN),
    ),
    Clause(
        "Authentication 6", "No Authorization header: 401 (orders)", _refused_as_401(SUBMIT_ORDER, {}, None)
    ),
    Clause(
        "Errors: POST /api/post-purchase-checkout",
        "A token that is not recognised: 401",
        _refused_as_401(RECORD_SALE, _EMPTY_SALE, _UNKNOWN),
    ),
    Clause(
        "Errors: POST /api/post-purchase-checkout",
        "No Authorization header: 401",
        _refused_as_401(RECORD_SALE, _EMPTY_SALE, None),
    ),
    Clause(
        "Errors: POST /api/post-purchase-checkout",
        "An order that was never sent: 404",
        _unknown_order_is_404,
    ),
    Clause(
        "POST /api/warranty-claim-customer-status",
        "The public token is accepted; data, page, per_page and total_count are answered",
        _claims_answer,
    ),
    Clause("Claim record", "A record has its eight fields in their formats", _claim_records),
    Clause(
        "POST /api/warranty-claim-customer-status",
        "claimDateRange selects by claim_date",
        _claims_by_range("claimDateRange", "claim_date"),
    ),
    Clause(
        "POST /api/warranty-claim-customer-status",
        "warrantyStartDateRange selects by warranty_start_date",
        _claims_by_range("warrantyStartDateRange", "warranty_start_date"),
    ),
    Clause(
        "POST /api/warranty-claim-customer-status",
        "customerEmail selects by the customer",
        _claims_of_a_stranger,
    ),
    Clause("Limits: per_page", "An answer holds per_page records at most", _answer_size),
    Clause("Warranty offers endpoint (our assumption)", "A product gets a list of offers", _offers),
)

"""Clauses that are tried without writing anything: access, claims, and calls that name no order."""

import re
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from warranty.client.credentials import Credential
from warranty.client.operations import CLAIMS, OFFERS, RECORD_SALE, SUBMIT_ORDER, VERIFY_CREDENTIALS, Operation
from warranty.watch.conformance.bench import TELEVISION, Bench, CannotBeTried, Clauses, Differs, Reply, Unreachable

_VERIFY: Final = "GET /api/verify-auth"
_CLAIMS: Final = "POST /api/warranty-claim-customer-status"
_SALE_REFUSALS: Final = "Errors: POST /api/post-purchase-checkout"
READS: Final = Clauses(write=False)

_UNKNOWN: Final = Credential("unknown", "conformance-unknown-token")
_EMPTY_SALE: Final = {"id": "conformance", "line_items": []}
_WITHOUT_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}")
_WITH_OFFSET: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)")
_TEXT: Final = re.compile(r".*", re.DOTALL)
_FORMATS: Final[Mapping[str, re.Pattern[str]]] = {
    "claim_date": _WITHOUT_ZONE,
    "order_date": _WITH_OFFSET,
    "warranty_start_date": _WITH_OFFSET,
    **dict.fromkeys(("description", "order_id", "product_name", "status", "warranty_id"), _TEXT),
}


@READS.clause("Authentication 2", "Every request must use HTTPS; plain HTTP calls fail")
def _plain_http_fails(bench: Bench) -> str | None:
    bench.call(VERIFY_CREDENTIALS)  # a host that does not answer at all shows nothing
    try:
        plain = f"http://{bench.base_url.partition('://')[2]}"
        reply = bench.call_as(None, VERIFY_CREDENTIALS, at=plain)
    except Unreachable:
        return None
    if reply.status < 400:
        raise Differs(f"plain HTTP is answered with {reply.seen}")
    return f"plain HTTP is answered with {reply.status}"


@READS.clause(_VERIFY, "The private token is accepted")
def _private_token_is_accepted(bench: Bench) -> str:
    reply = bench.call(VERIFY_CREDENTIALS).expect(200, 299)
    return f"its body, which the document does not show, is: {reply.seen[4:] or 'empty'}"


@READS.clause(_VERIFY, "An unrecognised token is not accepted")
def _unknown_token_is_not_verified(bench: Bench) -> str:
    reply = bench.call_as(_UNKNOWN, VERIFY_CREDENTIALS)
    if 200 <= reply.status <= 299:
        raise Differs(f"answers {reply.seen}")
    return f"answers {reply.status}, which the document does not show"


def _refused_as_401(
    section: str, says: str, credential: Credential | None, operation: Operation[Any], body: object
) -> None:
    @READS.clause(section, says)
    def _is_refused(bench: Bench) -> None:
        bench.call_as(credential, operation, body).expect(401)


_refused_as_401("Errors: POST /api/carts", "A token that is not recognised: 401", _UNKNOWN, SUBMIT_ORDER, {})
_refused_as_401("Authentication 6", "No Authorization header: 401 (orders)", None, SUBMIT_ORDER, {})
_refused_as_401(_SALE_REFUSALS, "A token that is not recognised: 401", _UNKNOWN, RECORD_SALE, _EMPTY_SALE)
_refused_as_401(_SALE_REFUSALS, "No Authorization header: 401", None, RECORD_SALE, _EMPTY_SALE)


@READS.clause(_SALE_REFUSALS, "An order that was never sent: 404")
def _unknown_order_is_404(bench: Bench) -> None:
    bench.sell(uuid.uuid4().hex, {"product_id": TELEVISION["product_id"]}).expect(404)


def _claims_reply(bench: Bench, **query: object) -> Reply:
    reply = bench.call(CLAIMS, query).expect(200)
    numbers = [reply.field(name) for name in ("page", "per_page", "total_count")]
    if not isinstance(reply.field("data"), list) or not all(type(number) is int for number in numbers):
        # Its text is not shown: it may be a customer's.
        raise Differs("answers 200 without a list data and whole numbers page, per_page and total_count")
    return reply


def _all_claims(bench: Bench) -> list[Any]:
    records: list[Any] = _claims_reply(bench).field("data")
    if not records:
        raise CannotBeTried("the account has no claims")
    return records


@READS.clause(_CLAIMS, "The public token is accepted; data, page, per_page and total_count are answered")
def _claims_answer(bench: Bench) -> str:
    reply = _claims_reply(bench)
    return ", ".join(f"{name} {reply.field(name)}" for name in ("page", "per_page", "total_count"))


@READS.clause("Claim record", "A record has its eight fields in their formats")
def _claim_records(bench: Bench) -> str:
    records = _all_claims(bench)
    for record in records:
        for name, form in _FORMATS.items():
            value = record.get(name) if isinstance(record, dict) else None
            if not isinstance(value, str) or not form.fullmatch(value):
                raise Differs(f"{name} is not as documented in a record")
    statuses = sorted({record["status"] for record in records})
    return f"{len(records)} records; status: {', '.join(statuses)}"


def _selected_by_range(parameter: str, field: str) -> None:
    @READS.clause(_CLAIMS, f"{parameter} selects by {field}")
    def _is_selected(bench: Bench) -> str:
        moment = datetime.fromisoformat(_all_claims(bench)[0][field])
        first, last = ((moment + timedelta(days=days)).replace(tzinfo=None) for days in (-2, 2))
        start, end = (time.isoformat(timespec="microseconds") for time in (first, last))
        found = _claims_reply(bench, **{parameter: {"startDate": start, "endDate": end}}).field("data")
        # A day's margin: the document does not say in which zone a range without one is meant.
        margin = timedelta(days=1)
        for record in found:
            time = datetime.fromisoformat(record[field]).replace(tzinfo=None)
            if not first - margin <= time <= last + margin:
                raise Differs(f"a record's {field} is outside the range asked for")
        if not found:
            raise Differs(f"no record is found around the {field} of a record")
        return f"{len(found)} records"


_selected_by_range("claimDateRange", "claim_date")
_selected_by_range("warrantyStartDateRange", "warranty_start_date")


@READS.clause(_CLAIMS, "customerEmail selects by the customer")
def _claims_of_a_stranger(bench: Bench) -> None:
    if found := _claims_reply(bench, customerEmail=f"{uuid.uuid4().hex}@example.com").field("data"):
        raise Differs(f"{len(found)} records are found for an address that nobody has")


@READS.clause("Limits: per_page", "An answer holds per_page records at most")
def _answer_size(bench: Bench) -> str:
    reply = _claims_reply(bench)
    returned, per_page, total = len(reply.field("data")), reply.field("per_page"), reply.field("total_count")
    if returned > per_page or returned > total:
        raise Differs(f"{returned} records with per_page {per_page} and total_count {total}")
    return f"{returned} of {total} records, per_page {per_page}"


@READS.clause("Warranty offers endpoint (our assumption)", "A product gets a list of offers")
def _offers(bench: Bench) -> str:
    call = bench.assumed(OFFERS, bench.settings.offers_path)
    product = {"title": TELEVISION["product_title"], "id": TELEVISION["product_id"], "price": "899.00"}
    reply = bench.call(call, product | {"meta": TELEVISION["meta"]}).expect(200)
    if not isinstance(reply.json, list) or not all("warranty_offer_id" in offer for offer in reply.json):
        raise Differs(f"answers {reply.seen}")
    return f"{len(reply.json)} offers"

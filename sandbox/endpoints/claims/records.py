"""Claim records on their way in: from the seeds, and from the control route, also misshapen on purpose.

Section of the interface: "Claim record".
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sandbox.endpoints.claims.request import is_email, microseconds, read_timestamp, timestamp
from sandbox.store.model import Claim

FIELDS = (
    "claim_date",
    "description",
    "order_date",
    "order_id",
    "product_name",
    "status",
    "warranty_id",
    "warranty_start_date",
)

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class ClaimProblem(ValueError):
    """A claim that cannot be added; the sentence says why."""


def claim(record: Mapping[str, Any], *, customer_email: str) -> Claim:
    """A claim from a record in the interface's form."""
    return Claim(
        claim_date=record["claim_date"],
        warranty_started=microseconds(datetime.fromisoformat(record["warranty_start_date"])),
        customer_email=customer_email,
        record=_ENCODER.encode(record),
    )


def read_claim(content: object, *, number: int, now: datetime) -> Claim:
    """A claim from the control route; every field has a default, so that a test says only what it is about.

    Beside the record's fields: `customer_email` or `customerEmail` (what the filter finds it by), `served_as` (an
    object whose members replace or join what is served) and `served_without` (names of fields that are left out),
    for records that break the interface. What a claim is found by is not changed by these two.
    """
    if not isinstance(content, dict):
        raise ClaimProblem(f"claims[{number}] must be an object.")
    given = dict(content)
    email = given.pop("customerEmail", "customer@example.com")
    email = given.pop("customer_email", email)
    served_as, left_out = given.pop("served_as", {}), given.pop("served_without", [])
    unknown = set(given) - set(FIELDS)
    if unknown:
        raise ClaimProblem(
            f"claims[{number}] has fields that no claim has: {', '.join(sorted(unknown))}; put them into served_as."
        )
    if not isinstance(email, str) or not is_email(email):
        raise ClaimProblem(f"claims[{number}].customer_email must be a valid e-mail address.")
    if not isinstance(served_as, dict) or not isinstance(left_out, list):
        raise ClaimProblem(f"claims[{number}]: served_as must be an object and served_without a list.")
    record = {name: given.get(name, default) for name, default in _defaults(now).items()}
    wrong = [name for name, value in record.items() if not isinstance(value, str)]
    if wrong:
        raise ClaimProblem(f"claims[{number}].{wrong[0]} must be text; put anything else into served_as.")
    claimed = read_timestamp(record["claim_date"])
    if claimed is None:
        raise ClaimProblem(f"claims[{number}].claim_date must be of the form YYYY-MM-DDTHH:MM:SS.ffffff.")
    record["claim_date"] = timestamp(claimed)
    for name in ("order_date", "warranty_start_date"):
        if not _is_zoned(record[name]):
            raise ClaimProblem(f"claims[{number}].{name} must be a timestamp with its UTC offset.")
    stored = claim(record, customer_email=email)
    served = {name: value for name, value in {**record, **served_as}.items() if name not in left_out}
    return Claim(stored.claim_date, stored.warranty_started, email, _ENCODER.encode(served))


def _is_zoned(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _defaults(now: datetime) -> dict[str, str]:
    today = now.astimezone(UTC).replace(microsecond=0)
    return {
        "claim_date": timestamp(today),
        "description": "It stopped working.",
        "order_date": today.isoformat(),
        "order_id": "0f4c2a9e7d5b41b0a6d3c8e1f2a4b6d8",
        "product_name": "Arc floor lamp",
        "status": "RESOLVED",
        "warranty_id": "9b1c7d2e4f6a8b0c1d3e5f7a",
        "warranty_start_date": today.isoformat(),
    }

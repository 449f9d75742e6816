"""What the service does beyond its document, as JSON for support."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Final

from warranty import VERSION
from warranty.language import N_
from warranty.settings import Settings
from warranty.watch.observed.assumptions import ASSUMPTIONS, contradicted
from warranty.watch.observed.observations import Sighting

CALLS: Final = {
    "submit_order": N_("Orders"),
    "record_sale": N_("Sales"),
    "notify_checkout": N_("Checkouts"),
    "claims": N_("Claims"),
    "purchase_warranties": N_("Plans"),
    "offers": N_("Offers"),
    "verify_credentials": N_("Tokens"),
}
"""Each call in a word of the shop."""


def drift_json(seen: Sequence[Sighting], settings: Settings, *, made: datetime) -> bytes:
    """All that was seen beside the document, and what became of each assumption; no value of a customer is in it."""
    first = {name: moment.isoformat() for name, moment in contradicted(seen).items()}
    report = {
        "program": f"Warranty Desk {VERSION}",
        "environment": settings.environment,
        "made": made.isoformat(),
        "seen": [
            {
                **asdict(each.oddity),
                "first_seen": each.first_seen.isoformat(),
                "last_seen": each.last_seen.isoformat(),
                "answers": each.times,
            }
            for each in seen
        ],
        "assumptions": {
            one.name: {"cannot_be_seen_because": one.unseen}
            if one.unseen
            else {"first_contradicted": first.get(one.name)}
            for one in ASSUMPTIONS
        },
    }
    return json.dumps(report, indent=1, ensure_ascii=False).encode()

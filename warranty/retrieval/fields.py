"""The eight fields of a claim record, and how each is typed (interface: Claim record)."""

from typing import Final

import pyarrow as pa

FIELDS: Final = (
    "claim_date",
    "description",
    "order_date",
    "order_id",
    "product_name",
    "status",
    "warranty_id",
    "warranty_start_date",
)

SERVICE_TIME: Final = pa.timestamp("us")
"""claim_date: no zone, microseconds. Called service time and never shifted."""

INSTANT: Final = pa.timestamp("us", "UTC")
"""order_date and warranty_start_date: their offset is applied, so that two of them compare as instants."""

TIMESTAMPS: Final = {"claim_date": SERVICE_TIME, "order_date": INSTANT, "warranty_start_date": INSTANT}

RECORD: Final = pa.struct([(name, pa.string()) for name in FIELDS])

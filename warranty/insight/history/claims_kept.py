"""The columns in which claims are kept: those of the interface, without the customer's words."""

import hashlib
from datetime import datetime
from typing import Final

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

INSTANT: Final = pa.timestamp("us", "UTC")
SCHEMA: Final = pa.schema(
    [
        ("claim_date", pa.timestamp("us")),  # service time: no zone, never shifted
        ("description_hash", pa.int64()),
        ("order_date", INSTANT),
        ("order_id", pa.string()),
        ("product_name", pa.string()),
        ("status", pa.string()),
        ("warranty_id", pa.string()),
        ("warranty_start_date", INSTANT),
        ("read_at", INSTANT),
    ]
)
"""`read_at` is as of when the service gave this claim as it stands here; a status may be younger, never older.

A description is what a customer wrote: it is not kept, only a number that differs where the words do.
"""
SCHEMA_VERSION: Final = 1
_ORDER: Final = [("claim_date", "ascending"), ("order_id", "ascending"), ("warranty_id", "ascending")]


def stored_claims(frame: pd.DataFrame, read_at: datetime) -> pa.Table:
    """Give claims as they are kept, `SCHEMA`, from a frame of `ClaimSet`, as of `read_at` (aware)."""
    hashes = [
        int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), signed=True)
        for words in frame["description"]
    ]
    return pa.table(
        {
            name: hashes
            if name == "description_hash"
            else pa.array([read_at] * len(frame), INSTANT)
            if name == "read_at"
            else pa.array(frame[name].astype("str") if name == "status" else frame[name])
            for name in SCHEMA.names
        }
    ).cast(SCHEMA)


def in_order(claims: pa.Table) -> pa.Table:
    """Give them oldest first; where claims are alike, in the order in which they are."""
    return claims.take(pc.sort_indices(claims.select([name for name, _ in _ORDER]), sort_keys=_ORDER))


def frame_of(claims: pa.Table) -> pd.DataFrame:
    """Give claims as a frame: moments as `ClaimSet.frame` has them, status as a category."""
    words = [name for name in ("status",) if name in claims.column_names]
    frame: pd.DataFrame = claims.to_pandas(categories=words)
    return frame

"""Claims of a seed of the sandbox as a reading gives them, without a server."""

import json
from datetime import date
from random import Random

import pandas as pd

from sandbox.seeds.lemon import lemon_claims


def lemon(today: date) -> pd.DataFrame:
    """What `python -m sandbox --seed lemon` holds on a day: the columns of `ClaimSet.frame` that are counted."""
    records = [json.loads(claim.record) for claim in lemon_claims(Random("1|lemon"), today)]
    frame = pd.DataFrame(records)[["claim_date", "warranty_start_date", "product_name"]]
    frame["claim_date"] = pd.to_datetime(frame["claim_date"]).astype("datetime64[us]")
    started = pd.to_datetime(frame["warranty_start_date"], utc=True)
    frame["warranty_start_date"] = started.astype("datetime64[us, UTC]")
    return frame.sort_values("claim_date", ascending=False, ignore_index=True)

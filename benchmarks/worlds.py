"""What is told of shops in which nothing changes, and of shops in which claims double: shares, no speeds.

A change is one of a month that is over, against the month before or the same one last year, as Overview and the monthly
report tell it on each day after it; "told" is called unlikely to be chance. Each line is the worst of five sizes, 30 to
2,000 claims a month, of 120 shops each (of 30 claims a month 240). The first two years are those of a shop whose plans
last as long. Warnings are of 200 products for a quarter, and of 30 claims a month in a shop of three products.
"""

from functools import partial

import numpy as np

from benchmarks.harness import Result
from tests.warranty.claims.analysis.test_still_and_moved_worlds import changes_told, doubling_told
from tests.warranty.insight.statistics.test_in_worlds import false_alarms_a_quarter, found_in_month
from tests.worlds import RHYTHMS, SIZES

SHOPS = 120
_MOVED = "shops with 30 claims a month whose claims double"


def measure() -> list[Result]:
    changes = []
    for rhythm in RHYTHMS:
        shares = {size: changes_told(rhythm, size, SHOPS * (2 if size == SIZES[0] else 1)) for size in SIZES}
        by_size = ", ".join(f"{share:.1%} of {size:,}" for size, share in shares.items())
        changes.append(
            Result(f"changes told: {rhythm.name}", "all changes judged", max(shares.values()), 0.05, detail=by_size)
        )
    doubled = doubling_told(400)
    alone = f"in the first by the change alone {doubled['Overview']:.1%}, by a warning {doubled['early warning']:.1%}"
    found = [found_in_month(200, month)[0] for month in range(12)]
    by_month = " ".join(f"{share:.0%}" for share in found)
    told = partial(Result, baseline=_MOVED, at_least=True)
    alarms = {season: false_alarms_a_quarter(1_000, 35, season) for season in (0.0, 0.3)}
    return [
        *changes,
        told("told within two whole months", ratio=doubled["within two months"], goal=0.9, detail=alone),
        told("warned in the first one, season of 30 %, worst month", ratio=min(found), goal=0.85, detail=by_month),
        *(
            Result(
                f"false warnings of 200 products, season of {season:.0%}", "one a quarter", float(np.round(rung, 3)), 1
            )
            for season, rung in alarms.items()
        ),
    ]

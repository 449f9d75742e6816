"""Products side by side: parts of a whole counted by hand, and a difference told only beyond chance."""

from datetime import date

import numpy as np
import pandas as pd

from warranty.claims.analysis.side_by_side import claimed_plans, of_rates, of_shares, side_by_side

AS_OF = date(2026, 11, 22)


def claims(*rows: tuple[str, str, int]) -> pd.DataFrame:
    """Claims of (product, start, age in days), each on a warranty of its own."""
    started = pd.to_datetime([start for _, start, _ in rows]).as_unit("us")
    return pd.DataFrame(
        {
            "product_name": pd.Series([name for name, *_ in rows], dtype="str"),
            "warranty_start_date": started.tz_localize("UTC"),
            "claim_date": started + pd.to_timedelta([age for *_, age in rows], unit="D"),
            "warranty_id": [f"w-{number}" for number in range(len(rows))],
        }
    )


def test_a_plan_that_was_claimed_on_twice_is_one_of_the_plans_sold() -> None:
    frame = claims(
        ("Kettle", "2026-09-10", 1),
        ("Kettle", "2026-09-10", 2),
        ("Kettle", "2026-09-11", 31),
        ("Kettle", "2026-10-24", 1),
    )
    frame["warranty_id"] = ["w-1", "w-1", "w-2", "w-3"]
    plans = {"Kettle": {"2026-09": 40, "2026-10": 60}, "Toaster": {"2026-09": 7}}
    assert claimed_plans(frame, as_of=AS_OF, days=30, plans=plans) == {"Kettle": (1, 40), "Toaster": (0, 7)}
    a_day_before = claimed_plans(frame, as_of=date(2026, 11, 30), days=30, plans=plans)
    assert a_day_before["Kettle"] == (1, 40)
    in_december = claimed_plans(frame, as_of=date(2026, 12, 1), days=30, plans=plans)
    assert in_december["Kettle"] == (2, 100), "31 October and 30 days are over on 1 December"


def test_what_differs_more_than_chance_stands_on_top_and_the_rest_by_its_whole() -> None:
    rows = side_by_side({"A": (10, 100), "B": (12, 110), "Lemon": (40, 100), "C": (11, 300), "None": (0, 0)}, of_shares)
    assert [row.product for row in rows if row.differs] == ["Lemon", "C"]
    assert [row.product for row in rows] == ["Lemon", "C", "B", "A"]
    assert rows[0].low < 0.4 < rows[0].high
    assert round(rows[0].low, 4) == 0.3033, "Clopper and Pearson"
    assert side_by_side({"Alone": (3, 10)}, of_shares)[0].differs is False


def test_a_plan_may_claim_more_than_once_so_rates_may_be_over_1() -> None:
    (row,) = side_by_side({"Kettle": (12, 10)}, of_rates)
    assert (row.share, round(row.low, 4), round(row.high, 4)) == (1.2, 0.6201, 2.0962)


def test_of_tables_of_products_that_are_alike_at_most_5_in_100_tell_that_one_differs() -> None:
    rng = np.random.default_rng(14)
    told = 0
    for _ in range(200):
        wholes = rng.integers(20, 200, 12)
        parts = rng.binomial(wholes, 0.3)
        both = {
            str(place): (int(part), int(whole)) for place, (part, whole) in enumerate(zip(parts, wholes, strict=True))
        }
        told += any(row.differs for row in side_by_side(both, lambda _part, _whole: (0, 1)))
    assert told <= 10

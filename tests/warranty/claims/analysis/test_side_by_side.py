"""Products side by side: parts of a whole counted by hand, and a difference told only beyond chance."""

import numpy as np

from warranty.claims.analysis.side_by_side import side_by_side


def test_what_differs_more_than_chance_stands_on_top_and_the_rest_by_its_whole() -> None:
    rows = side_by_side({"A": (10, 100), "B": (12, 110), "Lemon": (40, 100), "C": (11, 300), "None": (0, 0)})
    assert [row.product for row in rows if row.differs] == ["Lemon", "C"]
    assert [row.product for row in rows] == ["Lemon", "C", "B", "A"]
    assert rows[0].low < 0.4 < rows[0].high
    assert side_by_side({"Alone": (3, 10)})[0].differs is False


def test_a_plan_may_claim_more_than_once_so_rates_may_be_over_1() -> None:
    (row,) = side_by_side({"Kettle": (12, 10)})
    assert (row.share, round(row.low, 4), round(row.high, 4)) == (1.2, 0.6201, 2.0962)


def test_of_tables_of_products_that_are_alike_at_most_5_in_100_tell_that_one_differs() -> None:
    rng = np.random.default_rng(14)
    told = 0
    for _ in range(200):
        wholes = rng.integers(20, 200, 12)
        parts = rng.poisson(wholes * 0.3)
        both = {
            str(place): (int(part), int(whole)) for place, (part, whole) in enumerate(zip(parts, wholes, strict=True))
        }
        told += any(row.differs for row in side_by_side(both))
    assert told <= 10

"""The statistics written by hand against the libraries that compute the same, on 20 data sets: how far they differ.

Not a speed: the ratio is the largest difference, of values above 1 in proportion to them. chainladder has the factors,
the months ahead and the rates a plan; surpyval Turnbull's curve and the mean cumulative claims; reliability the latter
and Kaplan-Meier; scipy, which they bring, what chance does. Intervals of forecasts and of the mean cumulative claims
are not compared: there the libraries take other ways (Mack's normal errors, variances that need to know each plan);
tests hold those against simulated truth. ORACLES_PYTHON names the interpreter (see the Makefile).
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.harness import Result
from warranty.claims.analysis.chance import binomial_at_least, count_interval, poisson_at_least
from warranty.insight.statistics.cumulative import mean_cumulative
from warranty.insight.statistics.interval_censored import resolution_curve
from warranty.insight.statistics.triangle import Forecast, developed, forecast

SETS: Final = 20
_ANSWERS: Final = Path(__file__).parent / "oracles" / "answers.py"


def data_sets() -> list[dict[str, Any]]:
    return [_data(np.random.default_rng([14, seed]), seed) for seed in range(SETS)]


def _data(rng: np.random.Generator, seed: int) -> dict[str, Any]:
    starts = 8 + 2 * seed
    ages = starts - 2
    plans = rng.poisson(50 + 20 * seed, starts) + 1
    pattern = 0.2 * 0.9 ** np.arange(ages)
    claims = 80 + 20 * seed
    after = rng.integers(0, 12, claims)
    until = (after + rng.choice([1, 1, 1, 2, 3, 5], claims)).astype(float)
    until[rng.random(claims) < 0.2] = np.inf
    is_open = rng.random(claims) < 0.3
    took = 2 * rng.integers(1, 30, claims) + is_open  # on no day both: reliability takes such as they come
    seen = rng.integers(1, ages + 1, 60)
    of_plans = [(sorted((np.flatnonzero(rng.random(each) < 0.15) + 0.5).tolist()), int(each)) for each in seen]
    whole = int(10 ** rng.uniform(1, 6))
    count = max(1, int(whole * rng.uniform(0.1, 0.9)))
    return {
        # One at least in each cell: chainladder's additive method takes none for not seen.
        "still_to_come": {"counts": (1 + rng.poisson(plans[:, None] * pattern)).tolist(), "plans": plans.tolist()},
        "days": {
            "after": after.tolist(),
            "until": [str(each) for each in until],
            "at": sorted({int(each) for each in until[np.isfinite(until)]}),
            "closed": took[~is_open].tolist(),
            "open": took[is_open].tolist(),
            "known_at": sorted({int(each) for each in took[~is_open]}),
        },
        "cumulative": {"plans": of_plans, "ages": list(range(1, int(seen.max()) + 1))},
        "chance": {"count": count, "whole": whole, "p": count / whole * 0.97, "mean": count * 1.02},
    }


def ours(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give the same figures of one data set, by hand."""
    counts, plans = np.array(data["still_to_come"]["counts"]), np.array(data["still_to_come"]["plans"])
    starts, ages = counts.shape
    reached = np.add.outer(np.arange(starts), np.arange(ages)) < starts
    before, at = developed(np.where(reached, counts, 0).astype(float), reached)
    told = forecast(counts, reached, months_ahead=ages - 1, draws=9)
    assert isinstance(told, Forecast)
    rates = (np.where(reached, counts, 0).sum(axis=0) / (plans[:, None] * reached).sum(axis=0)).tolist()
    curve = resolution_curve(data["days"]["after"], [float(each) for each in data["days"]["until"]])
    closed, still = data["days"]["closed"], data["days"]["open"]
    known = resolution_curve([*closed, *still], [*closed, *[np.inf] * len(still)])
    assert curve is not None
    assert known is not None
    count, whole = data["chance"]["count"], data["chance"]["whole"]
    mean = _mean_cumulative(data["cumulative"])
    return {
        "still_to_come": {
            "factors": ((before + at)[1:] / before[1:]).tolist(),
            "ahead": told.expected.tolist(),
            "rates": rates,
        },
        "days": {
            "resolved": [curve.resolved_by(day) for day in data["days"]["at"]],
            "known": [known.resolved_by(day) for day in data["days"]["known_at"]],
        },
        "cumulative": {"surpyval": mean, "reliability": mean},
        "chance": {
            "count": count_interval(count, 0.90),
            "binomial": binomial_at_least(count, whole, data["chance"]["p"]),
            "poisson": poisson_at_least(count, data["chance"]["mean"]),
        },
    }


def _mean_cumulative(data: dict[str, Any]) -> list[float]:
    """Each plan as a start month of its own."""
    ages = np.arange(len(data["ages"]))
    claims = np.array([np.isin(ages + 0.5, at) for at, _ in data["plans"]]).astype(np.int64)
    seen = np.array([ages < last for _, last in data["plans"]])
    return mean_cumulative(claims, np.ones(len(claims), dtype=np.int64), seen).mean.tolist()


def measure() -> list[Result]:
    sets = data_sets()
    asked = subprocess.run(
        [os.environ["ORACLES_PYTHON"], str(_ANSWERS)],
        input=json.dumps(sets),
        capture_output=True,
        text=True,
        check=True,
    )
    answers, made = json.loads(asked.stdout), [ours(data) for data in sets]

    def apart(kind: str, name: str, library: str, what: str) -> Result:
        pairs = [
            (np.ravel(mine[kind][name]), np.ravel(theirs[kind][name]))
            for mine, theirs in zip(made, answers, strict=True)
        ]
        most = np.max([(abs(mine - theirs) / np.maximum(1, abs(theirs))).max() for mine, theirs in pairs])
        values = sum(len(mine) for mine, _ in pairs)
        return Result(what, library, float(most), 1e-9, detail=f"{values:,} values of {len(pairs)} data sets")

    return [
        apart("still_to_come", "factors", "chainladder", "factors of the chain ladder"),
        apart("still_to_come", "ahead", "chainladder", "claims in each month ahead"),
        apart("still_to_come", "rates", "chainladder", "claims a plan by age, plans sold known"),
        apart("days", "resolved", "surpyval", "share resolved by each day, nights known (Turnbull)"),
        apart("days", "known", "reliability", "share resolved by each day, days known (Kaplan-Meier)"),
        apart("cumulative", "surpyval", "surpyval", "mean cumulative claims"),
        apart("cumulative", "reliability", "reliability", "mean cumulative claims"),
        apart("chance", "count", "scipy", "interval of a count, to a million"),
        apart("chance", "binomial", "scipy", "chance of two counts"),
        apart("chance", "poisson", "scipy", "chance of a count"),
    ]

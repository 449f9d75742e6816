"""The libraries' own answers. Run in their environment: data sets as JSON in, answers as JSON out, nothing of ours."""

import json
import sys
import warnings
from typing import Any

import chainladder
import numpy as np
import pandas as pd
import surpyval
from reliability.Nonparametric import KaplanMeier
from reliability.Repairable_systems import MCF_nonparametric
from scipy import stats
from surpyval.recurrent import NonParametricCounting

warnings.simplefilter("ignore")


def still_to_come(data: dict[str, Any]) -> dict[str, Any]:
    """chainladder: factors, and the months ahead of its full triangle; rates a plan of its additive method."""
    counts = np.array(data["counts"])
    starts, ages = counts.shape
    first = pd.Period("2020-01", "M")
    rows = [
        (first + start, first + start + age, counts[start, age])
        for start in range(starts)
        for age in range(ages)
        if start + age < starts
    ]
    table = pd.DataFrame(rows, columns=["origin", "valued", "claims"])
    for name in ("origin", "valued"):
        table[name] = table[name].dt.to_timestamp()
    triangle = chainladder.Triangle(table, origin="origin", development="valued", columns="claims", cumulative=False)
    whole = triangle.incr_to_cum()
    ladder = chainladder.Development(average="volume").fit(whole)
    full = chainladder.Chainladder().fit(ladder.transform(whole)).full_triangle_.values[0, 0, :, :ages]
    sold = whole.latest_diagonal * 0 + np.array(data["plans"], dtype=float)[None, None, :, None]
    rates = chainladder.IncrementalAdditive().fit(whole, sample_weight=sold)
    return {
        "factors": ladder.ldf_.values.ravel()[: ages - 1].tolist(),
        "ahead": _ahead(np.diff(full, prepend=0, axis=1)),
        "rates": np.ravel(rates.zeta_.values)[:ages].tolist(),
    }


def _ahead(cells: Any) -> list[float]:
    starts, ages = cells.shape
    return [
        float(sum(cells[start, starts - start + month] for start in range(starts) if starts - start + month < ages))
        for month in range(ages - 1)
    ]


def days(data: dict[str, Any]) -> dict[str, Any]:
    """surpyval: Turnbull's curve of interval-censored days at `at`; reliability: Kaplan-Meier of days known exactly."""
    after, until = (np.array([float(each) for each in data[name]]) for name in ("after", "until"))
    curve = surpyval.Turnbull.fit(
        xl=after, xr=until, turnbull_estimator="Kaplan-Meier", turnbull_algorithm="EM", tol=1e-15, max_iter=100_000
    )
    at = np.array(data["at"])
    known = KaplanMeier(failures=data["closed"], right_censored=data["open"], print_results=False, show_plot=False)
    return {
        "resolved": [float(1 - curve.R[np.searchsorted(curve.x, day)]) for day in at],
        "known": [_resolved(known, day) for day in data["known_at"]],
    }


def _resolved(known: Any, day: float) -> float:
    table = known.results
    times, survival = (table.iloc[:, place].to_numpy(dtype=float) for place in (0, 3))
    return float(1 - survival[times <= day][-1])


def cumulative(data: dict[str, Any]) -> dict[str, Any]:
    """surpyval and reliability: mean cumulative function of plans, each with the ages of its claims and its last."""
    at, who, censored, lists = [], [], [], []
    for plan, (claims, seen) in enumerate(data["plans"]):
        at += [*claims, seen]
        who += [plan] * (len(claims) + 1)
        censored += [0] * len(claims) + [1]
        lists.append([*claims, seen])
    counted = NonParametricCounting.fit(at, i=who, c=censored)
    told = MCF_nonparametric(data=lists, print_results=False, show_plot=False)
    steps = np.array(told.time, dtype=float), np.array(told.MCF, dtype=float)
    return {
        "surpyval": [float(counted.mcf_hat[counted.x <= age][-1]) for age in data["ages"]],
        "reliability": [float(steps[1][steps[0] <= age][-1]) for age in data["ages"]],
    }


def chance(data: dict[str, Any]) -> dict[str, Any]:
    """scipy: the interval of a count, the two-sided chance of two counts, the tail of a negative binomial."""
    count, whole, tail = data["count"], data["whole"], 0.05
    return {
        "count": [stats.chi2.ppf(tail, 2 * count) / 2, stats.chi2.isf(tail, 2 * count + 2) / 2],
        "binomial": stats.binom.sf(count - 1, whole, data["p"]),
        "poisson": stats.poisson.sf(count - 1, data["mean"]),
    }


def main() -> None:
    """Answer each data set with what was asked of it."""
    asked = json.load(sys.stdin)
    ways = {"still_to_come": still_to_come, "days": days, "cumulative": cumulative, "chance": chance}
    json.dump([{name: ways[name](data[name]) for name in data} for data in asked], sys.stdout)


if __name__ == "__main__":
    main()

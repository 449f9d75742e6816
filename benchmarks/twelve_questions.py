"""Twelve questions of a history, asked of DuckDB, Polars, DataFusion and chdb over the night folders as they lie.

Whether they all read in the files what we do: the answers are held against our own reader with pandas. The time of all
twelve stands beside it; ours reads the files once, the engines for each question. ENGINES_PYTHON names the
interpreter (see the Makefile).
"""

import json
import os
import statistics
import subprocess
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.harness import Result
from warranty.claims.analysis.identity import IDENTITY
from warranty.claims.retrieval.update import Reading
from warranty.insight.history.keeping import keep
from warranty.insight.history.nights import Nights, stored_claims

_ANSWERS: Final = Path(__file__).parent / "engines" / "answers.py"
CLAIMS: Final = 60_000
NIGHTS: Final = [date(2026, 11, 17) + timedelta(days=number) for number in range(6)]
ENDS: Final = ["RESOLVED", "DENIED"]
ROUNDS: Final = 5
_SAME: Final = ", ".join(IDENTITY)
_LAST, _BEFORE = NIGHTS[-1], NIGHTS[-2]
_JOINED: Final = " AND ".join(f"a.{name} = b.{name}" for name in IDENTITY)
QUESTIONS: Final = {
    "claims of each night": "SELECT night, count(*) AS n FROM claims GROUP BY night",
    "by status": f"SELECT status, count(*) AS n FROM claims WHERE night = '{_LAST}' GROUP BY status",
    "open in each night": "SELECT night, count(*) AS n FROM claims "
    "WHERE status NOT IN ('RESOLVED', 'DENIED') GROUP BY night",
    "by product": f"SELECT product_name, count(*) AS n FROM claims WHERE night = '{_LAST}' GROUP BY product_name",
    "by start month": f"SELECT start_month, count(*) AS n FROM claims WHERE night = '{_LAST}' GROUP BY start_month",
    "by month of claim": "SELECT EXTRACT(YEAR FROM claim_date) AS y, EXTRACT(MONTH FROM claim_date) AS m, "
    f"count(*) AS n FROM claims WHERE night = '{_LAST}' "
    "GROUP BY EXTRACT(YEAR FROM claim_date), EXTRACT(MONTH FROM claim_date)",
    "orders with a claim": f"SELECT count(DISTINCT order_id) AS n FROM claims WHERE night = '{_LAST}'",
    "first seen in": f"SELECT f, count(*) AS n FROM (SELECT {_SAME}, min(night) AS f FROM claims "
    f"GROUP BY {_SAME}) AS t GROUP BY f",
    "last seen in": f"SELECT l, count(*) AS n FROM (SELECT {_SAME}, max(night) AS l FROM claims "
    f"GROUP BY {_SAME}) AS t GROUP BY l",
    "statuses of a claim": f"SELECT s, count(*) AS n FROM (SELECT {_SAME}, count(DISTINCT status) AS s FROM claims "
    f"GROUP BY {_SAME}) AS t GROUP BY s",
    "first closed in": f"SELECT c, count(*) AS n FROM (SELECT {_SAME}, min(night) AS c FROM claims "
    f"WHERE status IN ('RESOLVED', 'DENIED') GROUP BY {_SAME}) AS t GROUP BY c",
    "changes of the last night": f"SELECT a.status AS s, b.status AS t, count(*) AS n FROM (SELECT * FROM claims "
    f"WHERE night = '{_BEFORE}') AS a JOIN (SELECT * FROM claims WHERE night = '{_LAST}') AS b "
    f"ON {_JOINED} WHERE a.status <> b.status GROUP BY a.status, b.status",
}


def a_history(nights: Nights) -> None:
    """Claims of three years; each night some come, some go and some change."""
    rng = np.random.default_rng(12)
    made = np.datetime64("2023-11-22", "us") + np.sort(rng.integers(0, 1_100 * 86_400_000_000, CLAIMS)).astype("m8[us]")
    start = made - rng.integers(0, 700, CLAIMS).astype("m8[D]")
    frame = pd.DataFrame(
        {
            "claim_date": made,
            "description": "It does not start.",
            "order_date": pd.Series(start).dt.tz_localize("UTC"),
            "order_id": [f"o-{each}" for each in rng.integers(0, CLAIMS // 2, CLAIMS)],
            "product_name": [f"Lamp {each}, 60 × 40" for each in rng.integers(0, 40, CLAIMS)],
            "status": rng.choice(["OPEN", "IN_REVIEW", *ENDS], CLAIMS),
            "warranty_id": [f"w-{each}" for each in range(CLAIMS)],
            "warranty_start_date": pd.Series(start).dt.tz_localize("UTC"),
        }
    )
    for number, day in enumerate(NIGHTS):
        changed = rng.random(CLAIMS) < 0.01
        frame.loc[changed, "status"] = rng.choice(["OPEN", *ENDS], int(changed.sum()))
        here = frame[: CLAIMS - 200 * (len(NIGHTS) - number)][100 * number :]
        as_of = datetime(day.year, day.month, day.day, 2, tzinfo=UTC)
        keep(nights, Reading(stored_claims(here, as_of), as_of, len(here)), day=day, environment="benchmark")


def ours(nights: Nights) -> list[Any]:
    """Answer the same with our reader and pandas, in the same order."""
    claims = pd.concat([night.frame().assign(night=f"{night.day}") for night in nights.complete])
    claims["status"] = claims["status"].astype("str")
    last, before = (claims[claims["night"] == f"{day}"] for day in (_LAST, _BEFORE))
    each, closed = claims.groupby(IDENTITY), claims[claims["status"].isin(ENDS)]
    months = [last["claim_date"].dt.year.rename("y"), last["claim_date"].dt.month.rename("m")]
    joined = before.merge(last, on=IDENTITY)
    joined = joined[joined["status_x"] != joined["status_y"]]
    told = [
        claims.groupby("night").size(),
        last.groupby("status").size(),
        claims[~claims["status"].isin(ENDS)].groupby("night").size(),
        last.groupby("product_name").size(),
        last.groupby(last["warranty_start_date"].dt.strftime("%Y-%m")).size(),
        last.groupby(months).size(),
        pd.Series([last["order_id"].nunique()]),
        each["night"].min().value_counts(),
        each["night"].max().value_counts(),
        each["status"].nunique().value_counts(),
        closed.groupby(IDENTITY)["night"].min().value_counts(),
        joined.groupby(["status_x", "status_y"]).size(),
    ]
    return [
        sorted(
            [str(word) for word in ((*(key if isinstance(key, tuple) else (key,)), n) if len(counts) > 1 else (n,))]
            for key, n in counts.items()
        )
        for counts in told
    ]


def measure() -> list[Result]:
    with TemporaryDirectory() as folder:
        nights = Nights(Path(folder))
        a_history(nights)
        seconds = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            expected = ours(nights)
            seconds.append(time.perf_counter() - started)
        asked = subprocess.run(
            [os.environ["ENGINES_PYTHON"], str(_ANSWERS)],
            input=json.dumps({"folder": folder, "questions": [*QUESTIONS.values()], "rounds": ROUNDS}),
            capture_output=True,
            text=True,
            check=True,
        )
    own = statistics.median(seconds)
    results = []
    for engine, told in json.loads(asked.stdout).items():
        pairs = zip(QUESTIONS, told["answers"], expected, strict=True)
        odd = [f"{name}: {str(answer)[:200]}" for name, answer, truth in pairs if answer != truth]
        took = statistics.median(told["seconds"])
        same = len(QUESTIONS) - len(odd)
        detail = "; ".join(odd) or f"{len(QUESTIONS)} of {len(QUESTIONS)}"
        results += [
            Result(f"{engine}: answers that are ours", "all twelve", same / len(QUESTIONS), 1, True, detail),
            Result(f"{engine}: time of all twelve", "our reader and pandas", took / own, None,
                   detail=f"{took:.2f} s against {own:.2f} s"),
        ]  # fmt: skip
    return results

"""CSV of 100,000 claims with every dangerous cell neutralised, against `DataFrame.to_csv` without any guard."""

from datetime import UTC, datetime, timedelta
from typing import Final

from benchmarks.claim_service import bodies
from benchmarks.claims_parsing import parsed
from benchmarks.harness import Result, interleaved
from warranty.claims.retrieval import ClaimSet
from warranty.client.resources import ClaimQuery
from warranty.files.export import claims_csv, claims_file

CLAIMS: Final = 100_000
_BASELINE: Final = "plain `DataFrame.to_csv` without guard"


def measure() -> list[Result]:
    table, _ = parsed(bodies(CLAIMS))
    claims = ClaimSet(
        table=table,
        query=ClaimQuery(),
        received=CLAIMS,
        total=CLAIMS,
        requests=2_000,
        as_of=datetime.now(UTC),
        duration=timedelta(seconds=1),
    )
    assert claims_file(claims).content == claims_csv(table.frame)
    seconds = interleaved(
        {
            "to_csv": lambda: table.frame.to_csv(index=False),
            "typed": lambda: claims_csv(table.frame),
            "as received": lambda: claims_file(claims),
        }
    )
    plain = seconds["to_csv"]
    return [
        Result(
            "CSV with the guard, 100,000 rows, typed columns",
            _BASELINE,
            seconds["typed"] / plain,
            0.07,
            detail=f"{seconds['typed'] * 1000:.0f} ms against {plain * 1000:.0f} ms",
        ),
        Result(
            "the same with every text as received, sha256 and manifest",
            _BASELINE,
            seconds["as received"] / plain,
            0.07,
            detail=f"{seconds['as received'] * 1000:.0f} ms; made on click, nothing of it in a rerun",
        ),
    ]

"""The engines' own answers. Run in their environment: questions as JSON in, answers and seconds out, nothing of ours.

Each is asked in the same SQL of `claims`, which are the files of the nights as they lie; `night` and `start_month` are
the words of their folders.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import chdb
import datafusion
import duckdb
import polars
import pyarrow

Ask = Callable[[str], list[Any]]
FILES = "night=*/start_month=*/part.parquet"


def of_duckdb(folder: str) -> Ask:
    database = duckdb.connect()
    database.execute(
        f"CREATE VIEW claims AS FROM read_parquet('{folder}/{FILES}', "
        "hive_partitioning = true, hive_types_autocast = 0)"
    )
    return lambda question: database.execute(question).fetchall()


def of_polars(folder: str) -> Ask:
    claims = polars.scan_parquet(f"{folder}/{FILES}", hive_partitioning=True, try_parse_hive_dates=False)
    asked = polars.SQLContext(claims=claims)
    return lambda question: asked.execute(question, eager=True).rows()


def of_datafusion(folder: str) -> Ask:
    context = datafusion.SessionContext()
    parts = [("night", pyarrow.string()), ("start_month", pyarrow.string())]
    context.register_parquet("claims", folder, table_partition_cols=parts, file_extension=".parquet")

    def ask(question: str) -> list[Any]:
        table = context.sql(question).to_arrow_table()
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True))

    return ask


def of_chdb(folder: str) -> Ask:
    claims = (
        "(SELECT *, extract(_path, 'night=([^/]+)') AS night, extract(_path, 'start_month=([^/]+)') AS start_month "
        f"FROM file('{folder}/{FILES}', Parquet) SETTINGS use_hive_partitioning = 0)"
    )

    def ask(question: str) -> list[Any]:
        told = chdb.query(question.replace(" claims", f" {claims}"), "JSONCompact")
        rows: list[Any] = json.loads(str(told))["data"]
        return rows

    return ask


def main() -> None:
    asked = json.load(sys.stdin)
    engines = {"DuckDB": of_duckdb, "Polars": of_polars, "DataFusion": of_datafusion, "chdb": of_chdb}
    told: dict[str, Any] = {}
    for name, engine in engines.items():
        ask = engine(asked["folder"])
        rounds = []
        for _ in range(asked["rounds"]):
            started = time.perf_counter()
            answers = [_answer(ask, question) for question in asked["questions"]]
            rounds.append(time.perf_counter() - started)
        told[name] = {"seconds": rounds, "answers": answers}
    json.dump(told, sys.stdout)


def _answer(ask: Ask, question: str) -> Any:
    try:
        return sorted([str(value) for value in row] for row in ask(question))
    except Exception as problem:  # noqa: BLE001 - a question that one engine cannot answer is an answer too
        return f"{type(problem).__name__}: {problem}"


if __name__ == "__main__":
    main()

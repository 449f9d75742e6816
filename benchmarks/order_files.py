"""A file of 20,000 orders: read, judged and shown, against `pandas.read_csv` and one validation of an order a row."""

import io
import tracemalloc
from itertools import islice
from typing import Any, Final

import pandas as pd

from benchmarks.harness import Result, interleaved
from warranty.client.resources import Order
from warranty.files.order_files.assessment import Assessed, Judge
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import NAMES, read_orders, recognise
from warranty.files.table_files import read_table

ORDERS: Final = 20_000
_SHOWN: Final = 25
_BASELINE: Final = "`pandas.read_csv` and one pydantic validation a row"
_NAMES: Final = (
    "order_id,sku,title,price,quantity,first_name,last_name,email,phone,address1,city,zip,state,country,category,"
    "image,delivery_date"
)


def measure() -> list[Result]:
    content = _file()
    seconds = interleaved({"pandas": lambda: _pandas(content), "ours": lambda: _ours(content)}, rounds=3)
    tracemalloc.start()
    kept = _ours(content)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept) == ORDERS
    return [
        Result(
            "20,000 orders of a file, read, judged and a page of them shown",
            _BASELINE,
            seconds["ours"] / seconds["pandas"],
            2.0,
            detail=f"{seconds['ours']:.1f} s against {seconds['pandas']:.1f} s",
        ),
        Result(
            "memory of it at its height",
            "the file's own size",
            peak / len(content),
            4.0,
            detail=f"{peak / 2**20:.0f} MB for {len(content) / 2**20:.1f} MB; {held / 2**20:.0f} MB stay",
        ),
    ]


def _file() -> bytes:
    rows = (
        f"{n:08x}-5aaa-4bbb-8ccc-ddddddddddd{n % 10},SKU-{n % 500},Television {n % 500} inch,{100 + n % 900}.99,"
        f"{1 + n % 3},Ada,Byron{n},ada{n}@example.com,+1 212-555-{n % 10000:04d},{n} Main Street,Albany,"
        f"{10000 + n % 4999},NY,US,Electronics > Televisions,https://shop.example.com/images/{n % 500}.jpg,"
        f"2026-11-{1 + n % 28:02d}"
        for n in range(ORDERS)
    )
    return "\n".join([_NAMES, *rows, ""]).encode()


def _ours(content: bytes) -> list[Assessed]:
    table = read_table(content, names=NAMES)
    layout = recognise(table)
    assert layout is not None
    judge = Judge(layout, Choices())
    judged = []
    for source in read_orders(table, layout):
        found = judge.assess(source)
        found.order = None
        judged.append(found)
    for source in islice(read_orders(table, layout), _SHOWN):
        assert judge.assess(source).order is not None
    return judged


def _pandas(content: bytes) -> int:
    frame = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    return len([Order.model_validate(_body(row)) for row in frame.to_dict("records")])


def _body(row: dict[Any, Any]) -> dict[str, Any]:
    address = ("first_name", "last_name", "email", "phone", "address1", "city", "zip", "state", "country")
    return {
        "order_id": row["order_id"],
        "line_items": [
            {
                "product_id": row["sku"],
                "product_title": row["title"],
                "product_price": row["price"],
                "quantity": row["quantity"],
                "product_delivery_date": row["delivery_date"],
                "meta": {"breadcrumbs": [{"category": step} for step in row["category"].split(" > ")]},
                "detail": {"images": [{"src": row["image"]}]},
            }
        ],
        "billing_address": {**{name: row[name] for name in address}, "country_code": "US"},
    }

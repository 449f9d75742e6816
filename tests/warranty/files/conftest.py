"""A counter for imports: the sandbox over a real socket, a journal on disk, a client that soon loses patience."""

import io
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
import xlsxwriter

from sandbox import SandboxServer
from tests.builders import STAFF, client_at
from tests.journals import empty_journal
from warranty.client import Pacing, Timeouts
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk import Desk
from warranty.desk.journal import Batches, Journal
from warranty.desk.order_imports import BatchSender, prepare
from warranty.files.order_files.assessment import Assessed, Judge, without_duplicates
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import Layout, SentBefore, SourceOrder, read_orders, recognise
from warranty.files.table_files import read_table

CONCURRENCY = 4
EXPORT = Path(__file__).parent / "data" / "shop_orders_export.csv"
FRENCH_IN_PARIS = Choices(id_column="Id", states={"FR": "IDF"})


class Line(httpx.BaseTransport):
    """The network between desk and sandbox: counts requests, and does something before chosen ones."""

    def __init__(self, ca_file: str) -> None:
        self._network = httpx.HTTPTransport(verify=ssl.create_default_context(cafile=ca_file))
        self.requests, self.bodies, self._counting = 0, list[bytes](), threading.Lock()
        self.before: Callable[[int], None] = lambda number: None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with self._counting:
            self.requests += 1
            number = self.requests
            self.bodies.append(request.content)
        self.before(number)
        return self._network.handle_request(request)

    def close(self) -> None:
        self._network.close()


@dataclass
class Counter:
    """Everything that an import needs."""

    sandbox: SandboxServer
    line: Line
    journal: Journal
    desk: Desk

    @property
    def batches(self) -> Batches:
        return self.desk.imports(STAFF)

    def sender(self, **options: object) -> BatchSender:
        return BatchSender(desk=self.desk, operator=STAFF, concurrency=CONCURRENCY, **options)  # type: ignore[arg-type]

    def begin(self, sources: list[SourceOrder], layout: Layout, choices: Choices) -> str:
        return begin(self.batches, sources, layout, choices)

    def stored(self) -> list[str]:
        """The ids of the orders that the sandbox stored, as often as it stored them."""
        return [str(call["order_id"]) for call in self.sandbox.calls() if call.get("written")]


def begin(
    batches: Batches, sources: Iterable[SourceOrder], layout: Layout, choices: Choices, *, file_name: str = "orders.csv"
) -> str:
    orders = [source.model_dump() for source in sources]
    return batches.begin(file_name=file_name, layout=layout.model_dump(), choices=choices.model_dump(), sources=orders)


@pytest.fixture(scope="session")
def embedded() -> Iterator[SandboxServer]:
    with SandboxServer(seed="empty") as sandbox:
        yield sandbox


@pytest.fixture
def counter(embedded: SandboxServer, tmp_path: Path) -> Iterator[Counter]:
    embedded.reset()
    line, pacing = Line(embedded.ca_file), Pacing(repeats=1, first_pause=timedelta(milliseconds=5))
    journal = open_journal(empty_journal(tmp_path / "journal.sqlite3"))
    timeouts = Timeouts(read=timedelta(seconds=5))
    with closing(journal), client_at(embedded, timeouts=timeouts, pacing=pacing, transport=line) as client:
        yield Counter(embedded, line, journal, Desk(client=client, journal=journal, environment="sandbox"))


def workbook(rows: Sequence[Sequence[object]], *, formula: str = "", notes: bool = False) -> bytes:
    """A workbook of these rows, maybe with a formula below whose result is 42, or behind a sheet of notes."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True, "strings_to_formulas": False}) as book:
        if notes:
            book.add_worksheet("Notes").write(0, 0, "How to use this file")
        sheet = book.add_worksheet("Orders")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
        if formula:
            sheet.write_formula(len(rows), 0, formula, value=42)
    return content.getvalue()


def orders_of(content: bytes) -> tuple[list[SourceOrder], Layout]:
    table = read_table(content)
    layout = recognise(table)
    assert layout is not None
    return list(read_orders(table, layout)), layout


def many_orders(number: int) -> tuple[list[SourceOrder], Layout]:
    """As many plain orders as are wanted, in our own template's layout."""
    rows = [
        f"{place:08x}-5aaa-4bbb-8ccc-ddddddddddd{place % 10},TV-1,Television,899.00,1,Ada,ada@example.com,NY,US"
        for place in range(number)
    ]
    head = "order_id,sku,title,price,quantity,first_name,email,state,country"
    return orders_of("\n".join([head, *rows]).encode())


def begun(batches: Batches, number: int) -> str:
    """An import of so many plain orders that begins to be sent."""
    sources, layout = many_orders(number)
    batch_id = begin(batches, sources, layout, Choices())
    assert prepare(batches, batch_id, judged(sources, layout, Choices()))
    return batch_id


def judged(
    sources: Iterable[SourceOrder], layout: Layout, choices: Choices,
    sent_before: Mapping[str, SentBefore] | None = None,
) -> list[Assessed]:  # fmt: skip
    """Every order of a file, as the preview judges them."""
    judge = Judge(layout, choices)
    found = [judge.assess(source, sent_before or {}) for source in sources]
    return without_duplicates(found, choices.id_column or layout.label("order_id"))

"""The table in which `check` tells what it found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

HEAD: Final = ("What", "Result", "Time", "Note")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `fine` is None where nothing could be found out."""

    what: str
    fine: bool | None
    note: str
    elapsed: timedelta | None = None

    def cells(self) -> tuple[str, str, str, str]:
        """Give the line's cells as text."""
        result = {True: "ok", False: "FAILED", None: "not checked"}[self.fine]
        took = "" if self.elapsed is None else f"{self.elapsed.total_seconds() * 1000:.0f} ms"
        return self.what, result, took, self.note


def table(rows: Sequence[Row]) -> str:
    """Lay rows out in columns as wide as they need; the last column runs on."""
    cells = [row.cells() for row in rows]
    widths = [max(map(len, column)) for column in zip(HEAD, *cells, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (HEAD, ["-" * width for width in widths], *cells)
    )

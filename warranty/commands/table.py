"""Text tables for a terminal."""

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay rows out in columns as wide as they need; the last column runs on."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, ["-" * width for width in widths], *rows)
    ]
    return "\n".join(lines)

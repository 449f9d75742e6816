"""What is written by hand stays small enough to be read in an hour and to be proved whole."""

import ast
import tokenize
from pathlib import Path

STATISTICS = Path(__file__).resolve().parent.parent.parent / "warranty" / "statistics"
AT_MOST = 250
_NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def lines_of_code(path: Path) -> int:
    """Lines that hold more than a comment, are no import, and no part of a sentence that documents (any lone text)."""
    with path.open("rb") as source:
        tokens = [token for token in tokenize.tokenize(source.readline) if token.type not in _NOT_CODE]
    code = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    other = {
        line
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return len(code - other)


def test_the_statistics_by_hand_are_few_lines() -> None:
    lines = {path.name: lines_of_code(path) for path in STATISTICS.glob("*.py")}
    assert sum(lines.values()) <= AT_MOST, lines
    assert sum(lines.values()) > 100

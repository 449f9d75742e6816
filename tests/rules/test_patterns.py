"""No pattern of the house goes over a text again and again: what repeats without end never meets its like.

The engine goes back where two repeats can share a text: nested, one behind the other, or where a search begins anew
inside what it has just gone over. Each pattern is looked at as the engine has read it.
"""

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import combinations
from typing import Any, Final

import pytest

from tests.rules.test_house_rules import PRODUCT, ROOT, tree_of

_constants: Any = importlib.import_module("re._constants")
_parser: Any = importlib.import_module("re._parser")

MANY: Final = 100
"""From so many repeats on, a limit is none."""
ALPHABET: Final = frozenset(map(chr, range(256))) | frozenset("٣ıſK–−\u2009\u202f\u2028あ\U0001f6e1")
_CATEGORIES: Final = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}

Step = tuple[str, frozenset[str]]


def marks(op: Any, value: Any) -> frozenset[str]:
    if op is _constants.LITERAL:
        return frozenset({chr(value), chr(value).swapcase()})
    if op is _constants.NOT_LITERAL:
        return ALPHABET - {chr(value)}
    if op is _constants.RANGE:
        return frozenset(
            mark for each in range(value[0], min(value[1], 255) + 1) for mark in marks(_constants.LITERAL, each)
        )
    if op is _constants.CATEGORY:
        kind = str(value).removeprefix("CATEGORY_")
        named = frozenset(filter(re.compile(_CATEGORIES[kind.removeprefix("NOT_")]).fullmatch, ALPHABET))
        return ALPHABET - named if kind.startswith("NOT_") else named
    if op is _constants.IN:
        is_without = value[0][0] is _constants.NEGATE
        named = frozenset[str]().union(*(marks(*each) for each in value[is_without:]))
        return ALPHABET - named if is_without else named
    return ALPHABET


def steps(pattern: Any) -> Iterator[Step]:
    """What a pattern goes through: `many` for a repeat without end, `one` for a mark that must come, else `maybe`.

    Groups are passed through; of several ways to go on, none protects what stands around them.
    """
    for op, value in pattern:
        if op in {_constants.MAX_REPEAT, _constants.MIN_REPEAT}:
            least, most, repeated = value
            inner = list(steps(repeated))
            if most < MANY:
                yield from (("maybe" if kind == "one" and not least else kind, named) for kind, named in inner)
                continue
            if any(kind in {"many", "nested"} for kind, _ in inner):
                yield "nested", ALPHABET
            yield from inner if least else ()
            yield "many", frozenset[str]().union(*(named for _, named in inner))
        elif op is _constants.SUBPATTERN:
            yield from steps(value[3])
        elif op is _constants.BRANCH:
            for branch in value[1]:
                yield from (("maybe" if kind == "one" else kind, named) for kind, named in steps(branch))
        elif op in {_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT}:
            yield "place", frozenset()
        else:
            yield "one", marks(op, value)


def fault(pattern: str | bytes, flags: int = 0, *, searched: bool) -> str | None:
    """What can make the engine go over the same text again and again, in words; None where nothing can."""
    went = list(steps(_parser.parse(pattern, flags)))
    if any(kind == "nested" for kind, _ in went):
        return "a repeat without end in another"
    many = [place for place, (kind, _) in enumerate(went) if kind == "many"]
    for place in many:
        can_fail = any(kind in {"one", "place"} for kind, _ in went[place + 1 :])
        if searched and can_fail and all(named & went[place][1] for named in _ones(went[:place])):
            return "a search that begins anew inside its own repeat"
    for earlier, later in combinations(many, 2):
        first = went[earlier][1]
        if first & went[later][1] and all(named & first for named in _ones(went[earlier + 1 : later])):
            return "two repeats without end that can share a text"
    return None


def _ones(went: list[Step]) -> list[frozenset[str]]:
    return [named for kind, named in went if kind == "one"]


def patterns() -> Iterator[tuple[str, str | bytes, int, bool]]:
    """Every pattern of the product: where it stands, its text, its flags, and whether a place for it is searched."""
    for path in PRODUCT:
        if not re.search(r"\bre\.", path.read_text()):
            continue
        tree, name = tree_of(path), path.relative_to(ROOT).with_suffix("")
        module = vars(importlib.import_module(".".join(name.parts)))
        whole = {
            ast.unparse(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in {"match", "fullmatch"}
        }
        for known, value in module.items():
            for pattern in _held(value):
                yield f"{name}: {known}", pattern.pattern, pattern.flags, known not in whole
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and re.fullmatch(r"re\.(?!escape)\w+", ast.unparse(call.func)):
                    yield f"{name}:{call.lineno}", *_asked(call, module)


def _held(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    if is_dataclass(value) and not isinstance(value, type):
        value = tuple(getattr(value, field.name) for field in fields(value))
    if isinstance(value, tuple | Mapping):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _held(each)


def _asked(call: ast.Call, module: dict[str, Any]) -> tuple[str | bytes, int, bool]:
    """A pattern that a function hands over: of names that its module knows; what is escaped counts as one letter."""
    written = ast.unparse(_Escaped().visit(call.args[0]))
    ignores_case = "re.IGNORECASE" in map(ast.unparse, call.args)
    is_whole = ast.unparse(call.func) in {"re.match", "re.fullmatch"}
    text = eval(written, dict(module))  # noqa: S307 - the house's own source
    return text, re.IGNORECASE if ignores_case else 0, not is_whole


class _Escaped(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Constant("a") if ast.unparse(node.func) == "re.escape" else node


def test_no_pattern_of_the_house_goes_over_a_text_again_and_again() -> None:
    found = list(patterns())
    wrong = {where: fault(text, flags, searched=searched) for where, text, flags, searched in found}
    assert {where: words for where, words in wrong.items() if words} == {}
    assert len(found) > 40


@pytest.mark.parametrize(("pattern", "searched"), [
    (r"(?:[A-Za-z]+[^0-9A-Za-z]*)*[0-9]+", False), (r"(a*)*", False), (r"[^\s@]+@[^\s@]+\.\w+", False),
    (r"\s*(?P<type>[^()]+?)\s*[)]", False), (r"a+b?a+c", False), (r"x\d{0,500}\d{0,500}y", False),
    (r"[^@]+@", True), (r"(?:x|y)*z", True),
])  # fmt: skip
def test_a_pattern_that_does_is_found(pattern: str, searched: bool) -> None:
    assert fault(pattern, searched=searched)


@pytest.mark.parametrize(
    ("pattern", "searched"),
    [(r"[a-z]+@[a-z]+", False), (r"(?:\.[0-9]{1,3})*", False), (r"\+[\d ]{6,}\d", True), (r"x[^0-9]*", True)],
)
def test_a_pattern_that_cannot_is_left_alone(pattern: str, searched: bool) -> None:
    assert fault(pattern, searched=searched) is None

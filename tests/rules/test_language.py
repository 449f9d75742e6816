"""Every sentence for people is said in both languages, with the same values in it, and in one way."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Message

from tests.catalogues import ROOT, catalogue_path, sentences, translated
from tests.rules.test_house_rules import PRODUCT, tree_of

FOR_OPERATORS: Final = frozenset({"__main__", "client", "commands", "conformance", "metrics", "serving", "settings"})
"""Rooms that speak in a terminal or a log, to whoever runs the program: English, as its documents are."""
_MARKS: Final = {"_", "N_", "Sentence", "ngettext", "pgettext"}
_SENTENCE: Final = re.compile(r"[A-Z][a-z]+,? [a-z]|^(?=.*[A-Z ]).*[a-z]{2}[.?!]( |$)", re.DOTALL)
_OTHER_NAMES: Final = re.compile(
    "order id|landing page|any more|by itself|by themselves|nobody knows|send again|settle by hand", re.IGNORECASE
)
_ENDS: Final = re.compile(r"[.!?…][*”)]*(?=\s+\W*[A-ZÁÉÍÓÚÑ0-9{])")
_SCRIPT: Final = re.compile(r"(_JS|_CSS|_SCRIPT)$")
"""What these constants hold says nothing by itself: its words are given to it."""
_STOPS_THE_START: Final = re.compile(r"^raise (SettingsProblem|[A-Z]\w*Error)\(")
_SPEAKS: Final = re.compile(
    r"^import streamlit|^from warranty\.language import .*\b(_|N_|ngettext|pgettext|Sentence)\b", re.MULTILINE
)
"""A module that draws, or that has sentences for people already."""
_OF_A_LIBRARY: Final = frozenset({"Form name"})
"""Names of options, which a library gave."""


@cache
def translations() -> list[Message]:
    return [message for room in sentences() for message in translated(room) if message.id]


def texts(message: Message) -> tuple[list[str], list[str]]:
    english, spanish = ([said] if isinstance(said, str) else list(said or []) for said in (message.id, message.string))
    return english, spanish


def values(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_every_sentence_of_a_room_is_said_in_spanish() -> None:
    missing = []
    for room, said in sentences().items():
        known = translated(room)
        for message in filter(lambda each: each.id, said):
            there = known.get(message.id, message.context)
            if there is None or there.fuzzy or not all(texts(there)[1]):
                missing.append((catalogue_path(room).name, message.id))
    assert not missing, f"make words, then translate in {catalogue_path('').parent.relative_to(ROOT)}"


def test_no_catalogue_keeps_what_nobody_says_any_more() -> None:
    all_said = sentences()
    left = [
        (path.stem, message.id)
        for path in catalogue_path("x").parent.glob("*.po")
        for message in translated(path.stem)
        if message.id and (path.stem not in all_said or all_said[path.stem].get(message.id, message.context) is None)
    ]
    assert not left, "make words takes them out"


def test_a_translation_has_the_values_of_its_sentence_and_is_one_in_all_rooms() -> None:
    for message in translations():
        english, spanish = texts(message)
        for sentence in spanish:
            assert values(sentence) <= set().union(*map(values, english)), message.id
        assert values(english[-1]) <= set().union(*map(values, spanish)), message.id
    ways = defaultdict(set)
    for message in translations():
        ways[str(message.id), message.context].add(str(message.string))
    assert {text: said for text, said in ways.items() if len(said) > 1} == {}


def test_a_thing_has_the_one_name_of_the_list_and_a_message_is_two_sentences_at_most() -> None:
    said = [form for message in translations() for form in texts(message)[0]]
    assert [form for form in said if _OTHER_NAMES.search(form)] == [], "docs/words.md"
    forms_of_all = [form for message in translations() for forms in texts(message) for form in forms]
    assert [form for form in forms_of_all if how_many_sentences(form) > 2] == []


def how_many_sentences(text: str) -> int:
    """How many sentences a text is: what ends one, with something after it that begins another."""
    return len(_ENDS.findall(text.strip())) + 1


def unmarked(path: Path) -> Iterator[str]:
    """What reads like a sentence in a module, and is neither marked nor a docstring."""
    tree = tree_of(path)
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_script = isinstance(node, ast.AnnAssign) and _SCRIPT.search(ast.unparse(node.target))
        is_marked = isinstance(node, ast.Call) and ast.unparse(node.func) in _MARKS
        stops_the_start = isinstance(node, ast.Raise) and _STOPS_THE_START.match(ast.unparse(node))
        if is_script or is_marked or stops_the_start:
            passed.update(ast.walk(node))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(node.value)
    for node in ast.walk(tree):
        if node in passed or not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if _SENTENCE.search(node.value) and node.value not in _OF_A_LIBRARY:
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {node.value[:60]}"


def is_for_people(path: Path) -> bool:
    house, *rooms = path.relative_to(ROOT).parts
    is_for_operators = not FOR_OPERATORS.isdisjoint(Path(one).stem for one in rooms[:2])
    is_ours = house in {"components", "pages", "warranty"} and not is_for_operators
    return is_ours and _SPEAKS.search(path.read_text()) is not None


def test_no_sentence_for_people_is_in_english_alone_or_marked_where_nobody_finds_it() -> None:
    judged = [path for path in PRODUCT if is_for_people(path)]
    assert [line for path in judged for line in unmarked(path)] == []
    assert len(judged) > 150
    formatted = [(path, x) for path in PRODUCT for x in ast.walk(tree_of(path)) if isinstance(x, ast.JoinedStr)]
    inside = [(path, x) for path, text in formatted for x in ast.walk(text) if isinstance(x, ast.Call) and x.args]
    marks = [(path, x) for path, x in inside if ast.unparse(x.func) in _MARKS and isinstance(x.args[0], ast.Constant)]
    assert [f"{path.relative_to(ROOT)}:{call.lineno}" for path, call in marks] == []

"""The sentences of the interface document as data: `clauses.toml` beside this file, claimed by the tests."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence: its id, the document's section, what it says."""

    id: str
    section: str
    says: str


def clauses() -> tuple[Clause, ...]:
    """All clauses, in the order of the document."""
    text = (files("sandbox") / "clauses.toml").read_text(encoding="utf-8")
    return tuple(
        Clause(name, section, says)
        for section, sentences in tomllib.loads(text).items()
        for name, says in sentences.items()
    )

"""The tables of documents that are made from the code (`make reference`), each known by its headings.

Which setting stands in which table is the document's; all else of a row is the code's.
"""

import re
from argparse import Action, ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from components.navigation import SCREENS
from tests.catalogues import ROOT
from warranty.__main__ import parser
from warranty.access import BY_PIN, GRANTS, Permission, Role
from warranty.settings import Settings
from warranty.settings.features import NEEDED, NEEDED_FOR, PREFIX

DOCUMENTS: Final = ("README.md", "docs/settings.md", "docs/commands.md", "docs/permissions.md")
Row = Sequence[str]


def made_anew(text: str) -> str:
    """The text with the rows of its tables that the code gives."""

    def table(found: re.Match[str]) -> str:
        rows = _rows(found["headings"], [line.split("|")[1].strip() for line in found["rows"].splitlines()])
        return found["head"] + "".join(f"| {' | '.join(row)} |\n" for row in rows) if rows else found[0]

    head = r"^(?P<head>\| (?P<headings>\w.{1,99}) \|\n\|[-|]{3,99}\|\n)(?P<rows>(?:\|.*\|\n)*)"
    return re.sub(head, table, text, flags=re.MULTILINE)


def _rows(headings: str, first_cells: Sequence[str]) -> list[Row]:
    match headings.split(" | ")[:2]:
        case ["setting", "default"]:
            return [_setting(cell) for cell in first_cells]
        case ["command", "does"]:
            return list(_commands(parser()))
        case ["target", "does"]:
            return re.findall(r"^([a-z-]+):.*?## *(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
        case ["screen", "what for"]:
            return [(screen.title, screen.summary, *_granted(screen.permission)) for screen in SCREENS]
        case ["permission", "staff"]:
            return [(each.value, *_granted(each), _yes(each in BY_PIN)) for each in Permission]
    return []


def _setting(name: str) -> Row:
    field = name.strip("`").removeprefix(PREFIX).lower()
    described = Settings.model_fields[field]
    default, sandbox = (
        _written(described.get_default(call_default_factory=True, validated_data={"data_dir": Path("data"), **given}))
        for given in ({"environment": "production"}, {"environment": "sandbox"})
    )
    if field in NEEDED:
        default = "*needed* outside the sandbox"
    elif field in NEEDED_FOR:
        default = f"*needed* with `{PREFIX}{NEEDED_FOR[field].upper()}`"
    elif default != sandbox:
        default = f"{default}; {sandbox} in the sandbox"
    return name, default, str(described.description)


def _written(value: Any) -> str:
    if value in {None, (), ""}:
        return ""
    if isinstance(value, tuple):
        value = ",".join(map(str, value))
    if isinstance(value, timedelta):
        value = value.total_seconds()
    if isinstance(value, bool):
        value = str(value).lower()
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def _commands(made: ArgumentParser, words: str = "", about: str = "") -> Iterator[Row]:
    """A row for each thing that the command line does, with what may be given with it."""
    below: Any = next((action for action in made._actions if isinstance(action.choices, Mapping)), None)
    if below is not None:
        abouts = {action.dest: action.help for action in below._choices_actions}
        for word, each in below.choices.items():
            yield from _commands(each, f"{words}{word} ", abouts[word])
        return
    given = [action for action in made._actions if action.dest != "help"]
    notes = [f"`{' '.join(action.option_strings) or _value(action)}`: {action.help}" for action in given if action.help]
    yield f"`{words}{' '.join(map(_usage, given))}`".replace(" `", "`"), "; ".join([about, *notes]).replace("|", r"\|")


def _usage(action: Action) -> str:
    words = [*action.option_strings, *([] if action.nargs == 0 else [_value(action)])]
    return " ".join(words) if action.required else f"[{' '.join(words)}]"


def _value(action: Action) -> str:
    return str(action.metavar or r"\|".join(action.choices or [action.dest.upper()]))


def _granted(permission: Permission) -> list[str]:
    return [_yes(permission in GRANTS[role]) for role in Role]


def _yes(holds: bool) -> str:
    return "yes" if holds else ""


if __name__ == "__main__":
    for document in DOCUMENTS:
        (ROOT / document).write_text(made_anew((ROOT / document).read_text()))

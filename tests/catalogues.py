"""The sentences of each room, and its catalogues: `make words` adds what is new, for a person to translate.

`python -m tests.catalogues ROOM...` does so for these rooms alone. What another room has said already comes translated.

A room's catalogue is `warranty/language/<language>/<room>.po`; warranty, components and pages of one name share it.
"""

import sys
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parent.parent
HOUSES: Final = ("components", "pages", "warranty")
KEYWORDS: Final[Mapping[str, Any]] = {
    "_": None, "N_": None, "Sentence": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2),
}  # fmt: skip
_TWO_FORMS: Final = [("Plural-Forms", "nplurals=2; plural=(n != 1);")]  # no sentence of ours counts to a million
_HEADERS: Final = (b'"Language:', b'"Plural-Forms:', b'"Content-Type:')


def catalogue_path(room: str, language: str = "es") -> Path:
    """Where a room's sentences stand in this language."""
    return ROOT / "warranty" / "language" / language / f"{room}.po"


@cache
def sentences() -> dict[str, Catalog]:
    """All sentences that the code marks, by room, without a translation."""
    found: dict[str, Catalog] = defaultdict(lambda: Catalog(fuzzy=False, charset="utf-8"))
    for house in HOUSES:
        for path in sorted((ROOT / house).rglob("*.py")):
            inside = path.relative_to(ROOT / house)
            for _, message, _, context in extract_from_file("python", path, keywords=KEYWORDS):
                found[Path(inside.parts[0]).stem].add(
                    message if isinstance(message, str) else tuple(message[:2]), context=context
                )
    return found


def translated(room: str, language: str = "es") -> Catalog:
    """A room's catalogue as it stands; an empty one where there is none."""
    path = catalogue_path(room, language)
    if not path.exists():
        return Catalog(locale=language, fuzzy=False, charset="utf-8")
    with path.open("rb") as text:
        return read_po(text, locale=language)


def said_alike(one: Catalog, other: Catalog) -> bool:
    """Whether two catalogues hold the same sentences with the same translations."""
    first, second = (
        {(str(message.id), message.context): str(message.string) for message in each if message.id}
        for each in (one, other)
    )
    return first == second


def _as_kept(catalogue: Catalog) -> bytes:
    """A catalogue's text; no day, tool or team in it, over which two branches would differ."""
    whole = BytesIO()
    write_po(whole, catalogue, width=0, sort_output=True, no_location=True)
    header, messages = whole.getvalue().split(b"\n\n", 1)
    kept = [line for line in header.splitlines() if not line.startswith(b'"') or line.startswith(_HEADERS)]
    return b"\n".join(kept) + b"\n\n" + messages


def bring_up_to_date(*rooms: str, language: str = "es") -> None:
    """Write the catalogues of these rooms, or of all: what is known stays, what is new is empty, unless another room
    says it too, and what nobody says any more is gone.
    """
    all_said = sentences()
    here = catalogue_path("", language).parent
    all_known = {room: translated(room, language) for room in {*all_said, *(path.stem for path in here.glob("*.po"))}}
    for room in rooms or all_said:
        now = Catalog(locale=language, fuzzy=False, charset="utf-8", header_comment=f"# {room} in {language}")
        now.mime_headers = _TWO_FORMS
        for message in all_said[room]:
            if not message.id:
                continue
            told = (all_known[each].get(message.id, message.context) for each in (room, *sorted(all_known)))
            before = next((each for each in told if each and each.string and each.id == message.id), None)
            now.add(message.id, before.string if before else "", context=message.context)
        if said_alike(now, all_known[room]):
            continue  # not a day or an order of lines is changed where no word is
        catalogue_path(room, language).write_bytes(_as_kept(now))
    for path in here.glob("*.po"):
        if path.stem not in all_said:
            path.unlink()


if __name__ == "__main__":
    bring_up_to_date(*sys.argv[1:])

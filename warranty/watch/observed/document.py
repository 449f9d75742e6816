"""What the document shows of each call's answers, and what an answer shows beside that; never a value of a customer.

A field stands by its path (`data[].status`), with the HTTP status in front where that is no success. Nothing but the
names of fields, types, statuses and status words gets out of here, each cut to a form that holds no text of a person.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic_core import from_json

from warranty.claims.retrieval.columns import FIELDS
from warranty.client.observer import Try
from warranty.language import N_
from warranty.watch.observed.observations import Oddity

TEXT, FLAG, NUMBER = N_("text"), N_("true or false"), N_("number")
LIST, OBJECT = N_("list"), N_("object")
"""As the record has them; said with `_`."""
_KINDS: Final = {bool: FLAG, int: NUMBER, float: NUMBER, str: TEXT, list: LIST, dict: OBJECT}
_CLAIMS: Final = {"data": LIST, "page": NUMBER, "per_page": NUMBER, "total_count": NUMBER, "data[]": OBJECT}

_STATUSES: Final[Mapping[str, frozenset[int]]] = {
    "submit_order": frozenset({200, 400, 401, 404}),
    "record_sale": frozenset({200, 400, 401, 404, 500}),
    "claims": frozenset({200}),
}
"""What is documented; of the other calls none is, and neither a 2xx nor a 401 of theirs says anything."""
_NOT_SHOWN: Final = frozenset({*range(200, 300), 401})
_FIELDS: Final[Mapping[tuple[str, int], Mapping[str, str]]] = {
    ("submit_order", 200): {"success": FLAG, "url": TEXT, "warrantable_products": FLAG},
    ("submit_order", 400): {
        "message": OBJECT, "message.validation_errors": LIST, "message.validation_errors[]": TEXT
    },
    ("record_sale", 200): {"id": TEXT},
    ("record_sale", 400): {"error": TEXT},
    ("claims", 200): _CLAIMS | {f"data[].{name}": TEXT for name in FIELDS},
}  # fmt: skip
_MAY_BE_LEFT_OUT: Final = frozenset({"warrantable_products", "data[]"})
_NAMES: Final = frozenset(FIELDS)
_WORDS: Final = frozenset({"RESOLVED"})

_MOST_FIELDS: Final = 200
_DEEPEST: Final = 6
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_-]{0,30}[0-9]{0,2}")
_WORD: Final = re.compile(r"[\w .,/-]{1,40}")
_MANY_DIGITS: Final = re.compile(r"\d{3}")
_MEDIA_TYPE: Final = re.compile(r"[a-z]{1,20}/[a-z0-9.+-]{1,40}")
_HEX: Final = re.compile(r"[0-9a-fA-F-]+")


def status_word(word: object) -> str | None:
    """A status word as it may be written down; None for one that the document shows, or where there is none."""
    if not isinstance(word, str):
        return None
    if not _WORD.fullmatch(word) or _MANY_DIGITS.search(word):
        return "(a text that is no word)"
    return None if word in _WORDS else word


def name_of(field: object) -> str:
    """The name of a field; one that may be a customer's value (an address, a number) stands as `(other)`."""
    return field if isinstance(field, str) and _NAME.fullmatch(field) else "(other)"


def oddities(one: Try) -> Iterator[Oddity]:
    """What one answer shows beside the document."""
    return (Oddity(one.operation, kind, what) for kind, what in _beside_document(one))


def _beside_document(one: Try) -> Iterator[tuple[str, str]]:
    if one.status is None:
        return
    if one.status not in _STATUSES.get(one.operation, _NOT_SHOWN):
        yield "HTTP status", str(one.status)
    media_type = one.content_type.partition(";")[0].strip().lower()
    if media_type != "application/json" and one.body != b"":
        yield "content type", media_type if _MEDIA_TYPE.fullmatch(media_type) else "(none that is known)"
    prefix = "" if 200 <= one.status < 300 else f"{one.status} "
    if one.failure is not None and not prefix and one.body is not None:
        yield "shape", "cannot be read"
    if one.body:
        try:
            yield from _of_content(one, from_json(one.body), prefix)
        except ValueError:
            yield "shape", f"{prefix}not JSON"


def _of_content(one: Try, content: Any, prefix: str) -> Iterator[tuple[str, str]]:
    shown = _FIELDS.get((one.operation, one.status or 0), {})
    seen = _fields(content)
    for path, kinds in seen.items():
        for kind in sorted(kinds):
            if shown.get(path) != kind:
                yield "type" if path in shown else "field", f"{prefix}{path}: {kind}"
    for path in shown.keys() - seen.keys() - _MAY_BE_LEFT_OUT if shown and not prefix else ():
        if not path.startswith("data[]") or "data[]" in seen:
            yield "missing", path
    yield from (("status word", word) for word in sorted(_status_words(content)))
    beside = content if isinstance(content, dict) else {}
    if one.operation == "record_sale" and not _HEX.fullmatch(str(beside.get("id", "0"))):
        yield "form", "id: not hexadecimal"
    if one.operation == "claims":
        yield from _paging(beside)


def _paging(beside: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What stands beside the claims, other than in the document's sample: page 1, and 50 a page."""
    for name, shown in (("page", 1), ("per_page", 50)):
        if isinstance(beside.get(name), int) and beside[name] != shown:
            yield "form", f"{name}: not {shown}"


def claims_oddities(records: list[Any], beside: Mapping[str, Any]) -> Iterator[Oddity]:
    """What an answer with claims shows beside the document, of which the records are at hand already.

    Of each record, for there are many, only the number of its fields; of the first their names. The status words of a
    whole reading are known at its end, as are records that lack a field.
    """
    try:
        is_odd = set(map(len, records)) - {len(FIELDS)} or (records and records[0].keys() != _NAMES)
    except (TypeError, AttributeError):  # a record that is no object
        is_odd = True
    yield from (Oddity("claims", *found) for found in _paging(beside))
    if is_odd or beside.keys() - _CLAIMS.keys():
        for path, kinds in _fields({**beside, "data": records}).items():
            if path not in _FIELDS["claims", 200]:
                yield from (Oddity("claims", "field", f"{path}: {kind}") for kind in kinds)


def _fields(content: Any) -> Mapping[str, set[str]]:
    """Each path of a content with the types that stand there."""
    found: dict[str, set[str]] = {}

    def look(value: Any, path: str, depth: int) -> None:
        if path and (path in found or len(found) < _MOST_FIELDS):
            found.setdefault(path, set()).add(_KINDS.get(type(value), "null"))
        if depth < _DEEPEST and isinstance(value, dict):
            for name, each in value.items():
                look(each, f"{path}.{name_of(name)}".removeprefix("."), depth + 1)
        elif depth < _DEEPEST and isinstance(value, list):
            for each in value:
                look(each, f"{path}[]", depth + 1)

    look(content, "", 0)
    return found


def _status_words(content: Any) -> set[str]:
    """The words of every field called `status`, wherever it stands, beside those of the document."""
    if isinstance(content, list):
        return {word for each in content for word in _status_words(each)}
    if not isinstance(content, dict):
        return set()
    word = status_word(content.get("status"))
    return {word} - {None} | _status_words(list(content.values()))  # type: ignore[return-value]

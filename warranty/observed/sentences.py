"""What the service said to a refusal, so that equal reasons are one sentence and nobody is named in it."""

import re
from collections.abc import Iterator
from typing import Any, Final

from warranty.desk.scrubbing import without_customer
from warranty.errors import Failure
from warranty.resources.base import Sent

_LONGEST: Final = 160
_LEFT_OUT: Final = "…"


def scrubbed(failure: Failure, sent: Sent | None) -> str:
    """The first sentence of a failure, without any value that was sent, any number and any word with one."""
    body = sent.model_dump(mode="json", by_alias=True, exclude_none=True) if sent else {}
    sentence = next(iter(without_customer(failure, body).service_words), "")
    for value in sorted(set(_values(body)), key=len, reverse=True):
        sentence = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", _LEFT_OUT, sentence, flags=re.IGNORECASE)
    words: list[str] = []
    for word in sentence.split():
        plain = _LEFT_OUT if any(map(str.isdigit, word)) or _LEFT_OUT in word or "@" in word else word
        if plain != _LEFT_OUT or words[-1:] != [_LEFT_OUT]:
            words.append(plain)
    text = "".join(mark for mark in " ".join(words) if mark.isprintable())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}{_LEFT_OUT}"


def _values(body: Any) -> Iterator[str]:
    """Every text of what was sent that is long enough to be told from a common word."""
    if isinstance(body, dict):
        body = list(body.values())
    if isinstance(body, list):
        for each in body:
            yield from _values(each)
    elif isinstance(body, str) and len(body.strip()) > 1:
        yield body.strip()

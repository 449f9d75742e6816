"""Request bodies: bytes into one JSON object, or a refusal; whatever is sent, never an accident.

Numbers with a fraction become `Decimal`, so that no price ever passes through a float.
"""

import json
from decimal import Decimal
from typing import Any

from sandbox.wire.answers import Refused

LARGEST_BODY = 1024 * 1024
DEEPEST_NESTING = 100
LARGEST_EXPONENT = 400


class _OutOfRange(ValueError):
    """A number that JSON can write and nothing here can hold."""


def _fraction(text: str) -> Decimal:
    number = Decimal(text)
    if abs(number.adjusted()) > LARGEST_EXPONENT:
        raise _OutOfRange(text[:20])
    return number


def _no_constant(name: str) -> None:
    raise _OutOfRange(name)


_DECODER = json.JSONDecoder(parse_float=_fraction, parse_constant=_no_constant)


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object in a body; `Refused` (400) when there is none that can be used."""
    try:
        content = _DECODER.decode(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise Refused("The body is not UTF-8 text.") from None
    except RecursionError:
        raise Refused("The body is nested too deeply.") from None
    except _OutOfRange:
        raise Refused("The body holds a number that is out of range, or NaN or Infinity.") from None
    except ValueError:
        raise Refused("The body is not JSON.") from None
    if not isinstance(content, dict):
        raise Refused("The body must be a JSON object.")
    if _may_be_extreme(body):
        _refuse_extremes(content)
    return content


def _may_be_extreme(body: bytes) -> bool:
    """Whether it is worth looking: most bodies have few brackets and no escaped characters."""
    return b"\\u" in body or body.count(b"[") + body.count(b"{") > DEEPEST_NESTING


def _refuse_extremes(content: dict[str, Any]) -> None:
    """Refuse what JSON allows but no store or page can carry: abysses, and halves of a character."""
    level: list[object] = [content]
    for _ in range(DEEPEST_NESTING):
        inner: list[object] = []
        for part in level:
            if isinstance(part, dict):
                inner.extend(part)
                inner.extend(part.values())
            elif isinstance(part, list):
                inner.extend(part)
            elif isinstance(part, str) and not part.isascii():
                _refuse_half_characters(part)
        if not inner:
            return
        level = inner
    raise Refused("The body is nested too deeply.")


def _refuse_half_characters(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused("The body holds half of a surrogate pair, which is no character.") from None

"""Answers before they are bytes on the wire, and the two shapes in which the service refuses."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

JSON_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, body and headers."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def json_answer(content: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """An answer with a JSON body."""
    body = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    return Answer(status, body, {"content-type": JSON_TYPE, **(headers or {})})


def validation_errors(sentences: Sequence[str], status: int = 400) -> Answer:
    """The refusal of POST /api/carts (section "Errors"): all faults of the request, as sentences."""
    return json_answer({"message": {"validation_errors": list(sentences)}}, status=status)


def error(sentences: Sequence[str], status: int = 400) -> Answer:
    """The refusal of POST /api/post-purchase-checkout (section "Errors"): one message for people."""
    return json_answer({"error": " ".join(sentences)}, status=status)


class Refused(Exception):
    """A request that is refused; carries its sentences and its status."""

    def __init__(self, *sentences: str, status: int = 400) -> None:
        super().__init__(*sentences)
        self.sentences = sentences
        self.status = status

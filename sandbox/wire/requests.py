"""A request on /api as the endpoints see it: authorised, its body read whole, not yet understood."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from sandbox.wire.answers import Refused
from sandbox.wire.bodies import LARGEST_BODY, read_object


@dataclass(frozen=True, slots=True)
class Request:
    """`body` is None when it was larger than the sandbox takes.

    `facts` is what the operation has to say to the ledger; nothing personal belongs in there.
    """

    body: bytes | None
    query: str
    facts: dict[str, Any] = field(default_factory=dict)

    def content(self) -> dict[str, Any]:
        """The body's JSON object; `Refused` with 413 when it is too large, with 400 when it is none."""
        # Assumption bodies.limits
        if self.body is None:
            raise Refused(f"The body is larger than {LARGEST_BODY} bytes.", status=413)
        return read_object(self.body)

    def parameter(self, name: str) -> str | None:
        """A parameter of the query string, the first where it is given several times."""
        values = parse_qs(self.query, keep_blank_values=True, errors="replace").get(name)
        return values[0] if values else None

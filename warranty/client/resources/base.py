"""The two kinds of resource: what we send, and what we receive."""

import re
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, field_validator

from warranty.client.resources.words import refusal
from warranty.language import _
from warranty.language.written import number

LONGEST_TEXT: Final = 2_000
"""Of any field that is sent; the interface names no limit, and no title, street or image's address is as long."""
_WRITABLE: Final = re.compile("[^\x00\ud800-\udfff]*")
"""Half characters, as a file read in the wrong encoding leaves them, cannot be sent; NUL no database keeps."""


class Sent(BaseModel):
    """What goes into a request: only documented fields, whatever else came in; the values never change.

    Errors never print the input: it may be a customer's address.
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", hide_input_in_errors=True, populate_by_name=True, serialize_by_alias=False
    )

    @field_validator("*", mode="after")
    @classmethod
    def _can_be_written(cls, value: Any) -> Any:
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            sentence = _("Shorten it: at most {limit} characters are sent", limit=number(LONGEST_TEXT))
            raise refusal("warranty_text", sentence)
        if isinstance(value, str) and not _WRITABLE.fullmatch(value):
            raise refusal("warranty_text", _("Enter it again: some of its characters are broken"))
        return value

    def body(self) -> bytes:
        """Give the JSON that is sent: the interface's own field names, absent ones left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True).encode()


class Received(BaseModel):
    """What came in an answer: frozen, and calm about fields that the interface does not show."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

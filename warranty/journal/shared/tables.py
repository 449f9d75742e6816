"""The tables of what the desks of a shop share beside the record: pace, tries, people, files, screens, tills, the seen.

Each row is written by whichever desk comes first; nothing here is one desk's alone. The leases stand with the record.
"""

from typing import Final

from sqlalchemy import Column, ForeignKey, LargeBinary, Table, Text

from warranty.database.tables import METADATA, Instant, texts

SHOP_FILES: Final = Table(
    "shop_files",
    METADATA,
    Column("name", Text, primary_key=True),  # what it is to the desk: catalogue, price list
    Column("content", LargeBinary, nullable=False),
    *texts("file_name", "username"),
    Column("changed_at", Instant, nullable=False),
)


CAME_BACK: Final = Table(
    "came_back",
    METADATA,
    # Orders that waited and ended otherwise than their customers were told, until a person has seen to it.
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
)

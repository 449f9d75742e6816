"""The tables of stores, tills, PINs and badges, and of the screens that customers see."""

from typing import Any, Final

from sqlalchemy import JSON, Column, Connection, ForeignKey, Integer, Table, Text, event, insert

from warranty.access import FIRST_STORE
from warranty.database.tables import METADATA, Instant, goes_with_its_account, keys, required, texts

STORES: Final = Table(
    "stores",
    METADATA,
    Column("store_id", Text, primary_key=True),
    *texts("name", "time_zone"),  # as the database of zones calls it; "" where nobody has said
)

TILLS: Final = Table(
    "tills",
    METADATA,
    # A browser that was registered: the hash of the key that it keeps, who is switched in there ("" for nobody), since
    # when, and when wrong PINs locked its pad.
    Column("till_id", Text, primary_key=True),
    Column("store_id", ForeignKey("stores.store_id"), nullable=False),
    Column("key_hash", Text, nullable=False, unique=True),
    *texts("environment", "name", "registered_by", "username", "switched_by"),
    Column("registered_at", Instant, nullable=False),
    *(Column(name, Instant) for name in ("revoked_at", "since", "pad_locked_at")),
)

TILL_TRIES: Final = Table(
    "till_tries",
    METADATA,
    # Tries at a till's pad that have not come true, by the name that was tried; "" for badges.
    *keys("till_id", "username"),
    *required(tries=Integer, last_at=Instant),
)
goes_with_its_account(TILL_TRIES)

PINS: Final = Table("pins", METADATA, *keys("username"), *required(pin_hash=Text, digits=Integer, set_at=Instant))
goes_with_its_account(PINS)

BADGES: Final = Table(
    "badges",
    METADATA,
    *keys("username"),
    Column("code_hash", Text, nullable=False, unique=True),
    *required(issued_by=Text, issued_at=Instant),
)
goes_with_its_account(BADGES)

CUSTOMER_SCREENS: Final = Table(
    "customer_screens",
    METADATA,
    # A second screen that customers see: the hash of what its browser keeps, the code that it shows until a person has
    # connected it, and what it shows then. Never a customer's name, e-mail, phone or address. Where it was connected at
    # a till: which, and since when its person was in there.
    Column("device", Text, primary_key=True),
    # The address is a keyed hash; the name is nobody's until the screen is connected.
    *texts("environment", "address", "username"),
    *texts("till_id", default=""),
    Column("till_since", Instant),
    Column("code", Text, unique=True),
    Column("changed_at", Instant, nullable=False),  # when the code was made, or the screen connected
    Column("shown", JSON),
    Column("shown_at", Instant),
)


@event.listens_for(STORES, "after_create")
def _first_store(table: Table, connection: Connection, **_: Any) -> None:
    """A journal has a store from the first moment: what is there belongs to it."""
    connection.execute(insert(table), {"store_id": FIRST_STORE, "name": "First store", "time_zone": ""})

"""The tables of what the desks of a shop share beside the record: pace, tries, people, files, screens, tills, the seen.

Each row is written by whichever desk comes first; nothing here is one desk's alone. The leases stand with the record.
"""

from typing import Any, Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    event,
    false,
    insert,
)

from warranty.access import FIRST_STORE
from warranty.database.tables import METADATA, Instant, keys, texts

SIGN_IN_TRIES: Final = Table(
    "sign_in_tries",
    METADATA,
    Column("key", Text, primary_key=True),  # a login name or an address, as a keyed hash
    Column("failures", Integer, nullable=False),
    Column("blocked_until", Instant, nullable=False),
)

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("username", Text, primary_key=True),
    *texts("name", "role", "password_hash"),
    Column("changed_at", Instant, nullable=False),  # what was signed in before counts no more
    Column("home_store", Text, nullable=False, server_default=""),  # the id of a store; empty for none
    Column("locked", Boolean, nullable=False, server_default=false()),
    Column("one_time_until", Instant),  # the password has to be changed first, and opens nothing after this moment
    # Of whom an identity provider knows: by which name it is known, its name for the person, and when its last proof
    # that was taken here was made, by its clock.
    Column("issuer", Text, nullable=False, server_default=""),
    Column("subject", Text, nullable=False, server_default=""),
    Column("proven_at", Instant),
)

SIGN_INS: Final = Table(
    "sign_ins",
    METADATA,
    # When somebody last worked under the sign-in of this person that began then.
    Column("username", Text, primary_key=True),
    Column("began_at", Instant, primary_key=True),
    Column("worked_at", Instant, nullable=False),
    Column("second_factor_at", Instant),  # when it was given; the sign-in is not whole before that, where one is asked
)

SECOND_FACTORS: Final = Table(
    "second_factors",
    METADATA,
    # What a person's app was set up with, and the last stretch of time whose code was used.
    Column("username", Text, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("last_step", Integer, nullable=False),
    Column("set_up_at", Instant, nullable=False),
)

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    # What opens once in place of the app, as hashes.
    *keys("username", "code_hash"),
)

SHOP_FILES: Final = Table(
    "shop_files",
    METADATA,
    Column("name", Text, primary_key=True),  # what it is to the desk: catalogue, price list
    Column("content", LargeBinary, nullable=False),
    *texts("file_name", "username"),
    Column("changed_at", Instant, nullable=False),
)

CUSTOMER_SCREENS: Final = Table(
    "customer_screens",
    METADATA,
    # A second screen that customers see: the hash of what its browser keeps, the code that it shows until a person has
    # connected it, and what it shows then. Never a customer's name, e-mail, phone or address. Where it was connected at
    # a till: which, and since when its person was in there.
    Column("device", Text, primary_key=True),
    # The address is a keyed hash; the name is nobody's until the screen is connected.
    *texts("environment", "address", "username"),
    Column("till_id", Text, nullable=False, server_default=""),
    Column("till_since", Instant),
    Column("code", Text, unique=True),
    Column("changed_at", Instant, nullable=False),  # when the code was made, or the screen connected
    Column("shown", JSON),
    Column("shown_at", Instant),
)

COOKIE_TICKETS: Final = Table(
    "cookie_tickets",
    METADATA,
    # A cookie that a browser is about to fetch, for a minute: sealed with its ticket, of which only the hash is here.
    Column("ticket_hash", Text, primary_key=True),
    Column("sealed", Text, nullable=False),
    Column("until", Instant, nullable=False),
)

DRIFT: Final = Table(
    "drift",
    METADATA,
    # What an answer showed that the interface's document does not: never a value of a customer.
    *keys("environment", "operation", "kind", "what"),
    Column("first_seen", Instant, nullable=False),
    Column("last_seen", Instant, nullable=False),
    Column("times", Integer, nullable=False),
)

CAME_BACK: Final = Table(
    "came_back",
    METADATA,
    # Orders that waited and ended otherwise than their customers were told, until a person has seen to it.
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
)

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
    Column("revoked_at", Instant),
    Column("since", Instant),
    Column("pad_locked_at", Instant),
)

TILL_TRIES: Final = Table(
    "till_tries",
    METADATA,
    # Tries at a till's pad that have not come true, by the name that was tried; "" for badges.
    *keys("till_id", "username"),
    Column("tries", Integer, nullable=False),
    Column("last_at", Instant, nullable=False),
)

PINS: Final = Table(
    "pins",
    METADATA,
    Column("username", Text, primary_key=True),
    Column("pin_hash", Text, nullable=False),
    Column("digits", Integer, nullable=False),
    Column("set_at", Instant, nullable=False),
)

BADGES: Final = Table(
    "badges",
    METADATA,
    Column("username", Text, primary_key=True),
    Column("code_hash", Text, nullable=False, unique=True),
    Column("issued_by", Text, nullable=False),
    Column("issued_at", Instant, nullable=False),
)


@event.listens_for(STORES, "after_create")
def _first_store(table: Table, connection: Connection, **_: Any) -> None:
    """A journal has a store from the first moment: what is there belongs to it."""
    connection.execute(insert(table), {"store_id": FIRST_STORE, "name": "First store", "time_zone": ""})

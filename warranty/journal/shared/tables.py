"""The tables of what the desks of a shop share beside the record: pace, tries, people, files, screens, tills, the seen.

Each row is written by whichever desk comes first; nothing here is one desk's alone. The leases stand with the record.
"""

from typing import Final

from sqlalchemy import Boolean, Column, ForeignKey, Integer, LargeBinary, Table, Text, false

from warranty.database.tables import METADATA, WITH_ITS_ACCOUNT, Instant, keys, texts

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
    info=WITH_ITS_ACCOUNT,
)

SECOND_FACTORS: Final = Table(
    "second_factors",
    METADATA,
    # What a person's app was set up with, and the last stretch of time whose code was used.
    Column("username", Text, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("last_step", Integer, nullable=False),
    Column("set_up_at", Instant, nullable=False),
    info=WITH_ITS_ACCOUNT,
)

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    # What opens once in place of the app, as hashes.
    *keys("username", "code_hash"),
    info=WITH_ITS_ACCOUNT,
)

SHOP_FILES: Final = Table(
    "shop_files",
    METADATA,
    Column("name", Text, primary_key=True),  # what it is to the desk: catalogue, price list
    Column("content", LargeBinary, nullable=False),
    *texts("file_name", "username"),
    Column("changed_at", Instant, nullable=False),
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

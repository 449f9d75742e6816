"""The tables of who may sign in: accounts, sign-ins and tries, second factors, cookies on their way."""

from typing import Final

from sqlalchemy import Boolean, Column, Integer, Table, Text, false

from warranty.database.tables import METADATA, Instant, goes_with_its_account, keys, required, texts

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("username", Text, primary_key=True),
    *texts("name", "role", "password_hash"),
    Column("changed_at", Instant, nullable=False),  # what was signed in before counts no more
    *texts("home_store", default=""),  # the id of a store; empty for none
    Column("locked", Boolean, nullable=False, server_default=false()),
    Column("one_time_until", Instant),  # the password has to be changed first, and opens nothing after this moment
    # Of whom an identity provider knows: by which name it is known, its name for the person, and when its last proof
    # that was taken here was made, by its clock.
    *texts("issuer", "subject", default=""),
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
goes_with_its_account(SIGN_INS)

SIGN_IN_TRIES: Final = Table(
    "sign_in_tries",
    METADATA,
    *keys("key"),  # a login name or an address, as a keyed hash
    *required(failures=Integer, blocked_until=Instant),
)

SECOND_FACTORS: Final = Table(
    "second_factors",
    METADATA,
    # What a person's app was set up with, and the last stretch of time whose code was used.
    *keys("username"),
    *required(secret=Text, last_step=Integer, set_up_at=Instant),
)
goes_with_its_account(SECOND_FACTORS)

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    # What opens once in place of the app, as hashes.
    *keys("username", "code_hash"),
)
goes_with_its_account(RECOVERY_CODES)

COOKIE_TICKETS: Final = Table(
    "cookie_tickets",
    METADATA,
    # A cookie that a browser is about to fetch, for a minute: sealed with its ticket, of which only the hash is here.
    *keys("ticket_hash"),
    *required(sealed=Text, until=Instant),
)

COOKIE_KEY: Final = {"username": "", "name": "cookie-key"}  # nobody is called so

"""Cookies on their way into a browser, at whichever desk they are fetched."""

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Only a whole table is new."""

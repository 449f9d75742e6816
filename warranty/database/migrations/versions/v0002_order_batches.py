"""Imports of orders."""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Only whole tables are new."""

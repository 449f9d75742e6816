"""The second screens that customers see."""

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Only a whole table is new."""

"""The audit trail."""

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Only whole tables are new."""

"""The journal's first tables; what made them is now what makes a new journal."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Nothing is before it."""

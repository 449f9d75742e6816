"""When somebody last worked under a sign-in."""

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Only whole tables are new."""

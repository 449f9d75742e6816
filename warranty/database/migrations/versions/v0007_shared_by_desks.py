"""What the desks of one shop share: pace, tries, accounts, files, what was seen of the service."""

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Only whole tables are new."""

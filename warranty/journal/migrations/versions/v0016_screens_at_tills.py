"""At which till a customer's screen was connected."""

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Screens are of a day: the program makes their table anew, and they show a code again."""
    op.execute("DROP TABLE IF EXISTS customer_screens")

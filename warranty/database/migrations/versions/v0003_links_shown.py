"""To whom the landing page's link of an order was shown at the desk."""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Only a whole table is new."""

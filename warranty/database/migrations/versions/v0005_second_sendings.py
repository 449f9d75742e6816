"""What a person was told before a second sending, and a mark that tells one customer of an order id from another."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add both to attempts; entries of before have neither."""
    op.add_column("attempts", sa.Column("acknowledged", sa.JSON))
    op.add_column("attempts", sa.Column("customer_mark", sa.Text))

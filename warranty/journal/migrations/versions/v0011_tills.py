"""Stores and tills: what is there was made in the first store, at no till."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Say of each entry, draft and import where it was made; the whole tables are made by the program."""
    there = set(sa.inspect(op.get_bind()).get_table_names())  # the first version had no imports
    for table in sorted(there & {"attempts", "drafts", "order_batches"}):
        op.add_column(table, sa.Column("store_id", sa.Text, nullable=False, server_default="main"))
        op.add_column(table, sa.Column("till_id", sa.Text, nullable=False, server_default=""))
    op.add_column("attempts", sa.Column("switched_by", sa.Text, nullable=False, server_default=""))

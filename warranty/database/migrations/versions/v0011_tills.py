"""Stores and tills: what is there was made in the first store, at no till."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Say of each entry, draft and import where it was made; the whole tables are made by the program."""
    looked = sa.inspect(op.get_bind())
    there = set(looked.get_table_names())  # the first version had no imports
    for table in sorted(there & {"attempts", "drafts", "order_batches"}):
        new = [
            sa.Column("store_id", sa.Text, nullable=False, server_default="main"),
            sa.Column("till_id", sa.Text, nullable=False, server_default=""),
        ]
        if table == "attempts":
            new.append(sa.Column("switched_by", sa.Text, nullable=False, server_default=""))
        known = {column["name"] for column in looked.get_columns(table)}
        for column in new:
            if column.name not in known:
                op.add_column(table, column)

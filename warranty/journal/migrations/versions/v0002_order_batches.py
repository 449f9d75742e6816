"""Imports of orders: the batch, and its orders with what is still needed to send them."""

import sqlalchemy as sa
from alembic import op

from warranty.journal.tables import Instant

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make order_batches and batch_orders."""
    op.create_table(
        "order_batches",
        sa.Column("batch_id", sa.Text, nullable=False),
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("file_name", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("layout", sa.JSON, nullable=False),
        sa.Column("choices", sa.JSON, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("batch_id", name="pk_order_batches"),
    )
    op.create_index(
        "ix_order_batches_environment_username_created_at",
        "order_batches",
        ["environment", "username", "created_at"],
    )
    op.create_table(
        "batch_orders",
        sa.Column("batch_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("first_row", sa.Integer, nullable=False),
        sa.Column("order_id", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("source", sa.JSON),
        sa.Column("body", sa.JSON),
        sa.Column("result", sa.JSON),
        sa.PrimaryKeyConstraint("batch_id", "number", name="pk_batch_orders"),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["order_batches.batch_id"], name="fk_batch_orders_order_batches"
        ),
    )
    op.create_index("ix_batch_orders_batch_id_state_number", "batch_orders", ["batch_id", "state", "number"])


def downgrade() -> None:
    """Drop both."""
    op.drop_table("batch_orders")
    op.drop_table("order_batches")

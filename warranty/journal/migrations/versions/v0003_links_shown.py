"""To whom the landing page's link of an order was shown at the desk."""

import sqlalchemy as sa
from alembic import op

from warranty.journal.tables import Instant

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make links_shown."""
    op.create_table(
        "links_shown",
        sa.Column("attempt_id", sa.Text, nullable=False),
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("operator_name", sa.Text, nullable=False),
        sa.Column("shown_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("attempt_id", "username", name="pk_links_shown"),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name="fk_links_shown_attempts"),
    )
    op.create_index("ix_links_shown_shown_at", "links_shown", ["shown_at"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("links_shown")

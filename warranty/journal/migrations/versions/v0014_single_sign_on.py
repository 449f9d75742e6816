"""Of an account: who vouches for its person, and since when, where that is an identity provider."""

import sqlalchemy as sa
from alembic import op

from warranty.journal.tables import Instant

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """The version before lets nobody in by them: its passwords fit none of these accounts."""
    op.add_column("accounts", sa.Column("issuer", sa.Text, nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("subject", sa.Text, nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("proven_at", Instant))

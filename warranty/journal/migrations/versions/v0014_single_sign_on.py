"""Of an account: who vouches for its person, and since when, where that is an identity provider."""

import sqlalchemy as sa
from alembic import op

from warranty.journal.tables import Instant

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """The version before lets nobody in by them: no password fits. Before 0007 there was no table: it is made as it is
    now.
    """
    if "accounts" not in sa.inspect(op.get_bind()).get_table_names():
        return
    op.add_column("accounts", sa.Column("issuer", sa.Text, nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("subject", sa.Text, nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("proven_at", Instant))

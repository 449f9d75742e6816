"""Of an account: its home store, whether it is locked, and until when its password is a one-time password."""

import sqlalchemy as sa
from alembic import op

from warranty.database.tables import Instant

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """What the version before writes has none of it. Before 0007 there was no table: it is made as it is now."""
    if "accounts" not in sa.inspect(op.get_bind()).get_table_names():
        return
    op.add_column("accounts", sa.Column("home_store", sa.Text, nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("locked", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("accounts", sa.Column("one_time_until", Instant))

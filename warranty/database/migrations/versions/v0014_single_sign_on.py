"""Of an account: who vouches for its person, and since when, where that is an identity provider."""

import sqlalchemy as sa
from alembic import op

from warranty.database.tables import Instant

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """The version before lets nobody in by them: no password fits. Where it had no accounts, the table is made as it is
    now.
    """
    looked = sa.inspect(op.get_bind())
    if "accounts" not in looked.get_table_names():
        return
    known = {column["name"] for column in looked.get_columns("accounts")}
    for column in (
        sa.Column("issuer", sa.Text, nullable=False, server_default=""),
        sa.Column("subject", sa.Text, nullable=False, server_default=""),
        sa.Column("proven_at", Instant),
    ):
        if column.name not in known:
            op.add_column("accounts", column)

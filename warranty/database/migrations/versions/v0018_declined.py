"""Which customers to whom a link was shown declined the plan, and when."""

import sqlalchemy as sa
from alembic import op

from warranty.database.tables import Instant

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Of those before nobody knows."""
    looked = sa.inspect(op.get_bind())
    if "links_shown" not in looked.get_table_names():  # the program makes it whole
        return
    if "declined_at" not in {column["name"] for column in looked.get_columns("links_shown")}:
        op.add_column("links_shown", sa.Column("declined_at", Instant))

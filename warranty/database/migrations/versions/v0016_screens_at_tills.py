"""At which till a customer's screen was connected, and since when its person was in there."""

import sqlalchemy as sa
from alembic import op

from warranty.database.tables import Instant

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Screens of before were connected away from all tills, as far as anybody knows."""
    looked = sa.inspect(op.get_bind())
    if "customer_screens" not in looked.get_table_names():  # the program makes it whole
        return
    known = {column["name"] for column in looked.get_columns("customer_screens")}
    if "till_id" not in known:
        op.add_column("customer_screens", sa.Column("till_id", sa.Text, nullable=False, server_default=""))
        op.add_column("customer_screens", sa.Column("till_since", Instant))

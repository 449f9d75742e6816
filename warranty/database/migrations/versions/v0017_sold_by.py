"""Of what was sent: which colleague sold it."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """What was sent before was sold by who sent it."""
    known = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("attempts")}
    for name in {"sold_by", "sold_by_name"} - known:
        op.add_column("attempts", sa.Column(name, sa.Text, nullable=False, server_default=""))

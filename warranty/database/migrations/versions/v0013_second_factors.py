"""Of a sign-in: when its second factor was given; and the second factors themselves."""

import sqlalchemy as sa
from alembic import op

from warranty.database.tables import Instant

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """The version before asks for none. Where it had no table of sign-ins, that is made as it is now."""
    looked = sa.inspect(op.get_bind())
    if "sign_ins" not in looked.get_table_names():
        return
    if "second_factor_at" not in {column["name"] for column in looked.get_columns("sign_ins")}:
        op.add_column("sign_ins", sa.Column("second_factor_at", Instant))

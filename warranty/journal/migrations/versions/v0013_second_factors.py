"""Of a sign-in: when its second factor was given; and the second factors themselves."""

import sqlalchemy as sa
from alembic import op

from warranty.journal.tables import Instant

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """The version before asks for none. Where it had no table of sign-ins, that is made as it is now."""
    looked = sa.inspect(op.get_bind())
    if "sign_ins" in looked.get_table_names():
        op.add_column("sign_ins", sa.Column("second_factor_at", Instant))

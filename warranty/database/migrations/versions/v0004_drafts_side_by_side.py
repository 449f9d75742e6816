"""Several drafts of one person on one screen: two tabs, two customers."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Let the draft's id be part of what is unique."""
    with op.batch_alter_table("drafts") as table:
        table.drop_constraint("pk_drafts", type_="primary")
        table.create_primary_key("pk_drafts", ["environment", "username", "screen", "draft_id"])

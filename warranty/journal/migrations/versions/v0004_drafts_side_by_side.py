"""Several drafts of one person on one screen: two tabs, two customers."""

from collections.abc import Sequence

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the draft's id be part of what is unique."""
    _unique_by(["environment", "username", "screen", "draft_id"])


def downgrade() -> None:
    """One draft of a screen again: the newest stays."""
    op.execute(
        "DELETE FROM drafts WHERE EXISTS (SELECT 1 FROM drafts newer WHERE newer.environment = drafts.environment "
        "AND newer.username = drafts.username AND newer.screen = drafts.screen "
        "AND (newer.updated_at, newer.draft_id) > (drafts.updated_at, drafts.draft_id))"
    )
    _unique_by(["environment", "username", "screen"])


def _unique_by(columns: Sequence[str]) -> None:
    with op.batch_alter_table("drafts") as table:
        table.drop_constraint("pk_drafts", type_="primary")
        table.create_primary_key("pk_drafts", list(columns))

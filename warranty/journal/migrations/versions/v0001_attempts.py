"""The journal's first tables."""

import sqlalchemy as sa
from alembic import op

from warranty.journal.tables import Instant

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make attempts, outcomes, unsettled, drafts and preferences."""
    op.create_table(
        "attempts",
        sa.Column("attempt_id", sa.Text),
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("draft_id", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("operator_name", sa.Text, nullable=False),
        sa.Column("screen", sa.Text, nullable=False),
        sa.Column("order_id", sa.Text, nullable=False),
        sa.Column("items", sa.JSON, nullable=False),
        sa.Column("search_text", sa.Text, nullable=False),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("deadline", Instant, nullable=False),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_attempts"),
        sa.UniqueConstraint(
            "environment", "draft_id", "revision", name="uq_attempts_environment_draft_id_revision"
        ),
    )
    op.create_index("ix_attempts_environment_started_at", "attempts", ["environment", "started_at"])
    op.create_index("ix_attempts_order_id", "attempts", ["order_id"], postgresql_using="hash")
    op.create_index(
        "ix_attempts_environment_username_started_at", "attempts", ["environment", "username", "started_at"]
    )
    op.create_table(
        "outcomes",
        sa.Column("attempt_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("recorded_at", Instant, nullable=False),
        sa.Column("deadline", Instant),
        sa.Column("landing_url", sa.Text),
        sa.Column("warrantable_products", sa.Boolean),
        sa.Column("already_known", sa.Boolean),
        sa.Column("returned_id", sa.Text),
        sa.Column("failure", sa.JSON),
        sa.Column("settlement", sa.JSON),
        sa.PrimaryKeyConstraint("attempt_id", "number", name="pk_outcomes"),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name="fk_outcomes_attempts"),
    )
    op.create_table(
        "unsettled",
        sa.Column("attempt_id", sa.Text, nullable=False),
        sa.Column("body", sa.JSON),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_unsettled"),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name="fk_unsettled_attempts"),
    )
    op.create_table(
        "drafts",
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("screen", sa.Text, nullable=False),
        sa.Column("draft_id", sa.Text, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("environment", "username", "screen", name="pk_drafts"),
    )
    op.create_index("ix_drafts_draft_id", "drafts", ["draft_id"])
    op.create_table(
        "preferences",
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("username", "name", name="pk_preferences"),
    )
    for table in ("attempts", "outcomes"):
        _forbid_changes(table)


def _forbid_changes(table: str) -> None:
    """Rows of this table are added, and deleted when their retention ends, but never changed."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER {table}_are_never_changed BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} are never changed'); END"
        )
        return
    op.execute(
        f"CREATE FUNCTION {table}_are_never_changed() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} are never changed'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_are_never_changed BEFORE UPDATE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_are_never_changed()"
    )

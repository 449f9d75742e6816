"""What Alembic runs around the migrations: they go over the connection, and into the transaction, of the opening."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()

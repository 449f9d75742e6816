"""The journal's schema, version by version (Alembic)."""

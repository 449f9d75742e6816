"""POST /api/checkout."""

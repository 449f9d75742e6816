"""POST /api/carts."""

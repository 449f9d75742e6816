"""GET /api/verify-auth."""

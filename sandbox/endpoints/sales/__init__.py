"""POST /api/post-purchase-checkout."""

"""POST /api/warranty-claim-customer-status."""

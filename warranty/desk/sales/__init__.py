"""What is known and named in a sale: plans, line items, which line a refusal is about."""

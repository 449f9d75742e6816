"""Everything under /api: which endpoint, and what stands before each."""

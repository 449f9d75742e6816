"""Claims: read whole, shared by all tabs, counted."""

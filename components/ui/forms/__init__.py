"""Fields: drafts that are never lost, faults beside their field, addresses, scanning."""

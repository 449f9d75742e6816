"""What all endpoints stand on: identity, clock, faults, ledger."""

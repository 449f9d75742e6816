"""A shop's day: what was sent, what is open, and its report."""

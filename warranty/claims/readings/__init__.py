"""Claim sets kept for a process's screens: read once for all who look, in turn, within limits."""

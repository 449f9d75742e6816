"""Everybody's own password: changed when they like, and before anything else after a one-time password."""

"""Audit: who did what, for administrators; whether the chain of its rows holds."""

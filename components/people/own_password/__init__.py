"""Everybody's own password, PIN and second factor: chosen when they like, or before anything else when they come."""

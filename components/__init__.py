"""Reusable pieces of screen: values and a key in, a value out; they never fetch."""

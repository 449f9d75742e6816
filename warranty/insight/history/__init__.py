"""Complete readings of claims, one a night: what nobody else keeps; and notes on days.

Imports nothing, so that the table of notes loads without Arrow.
"""

"""Filters and days that stand in the screen's address."""

"""Shift report: what a shift did, on the screen and on paper."""

"""Cookies that no script can read: the server sets them in an answer of its own; a page only hands in a ticket."""

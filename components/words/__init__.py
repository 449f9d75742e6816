"""Entries, times, money and terms in words for people."""

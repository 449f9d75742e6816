"""Checkout: a completed sale that includes warranties, told to the service."""

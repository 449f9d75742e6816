"""The commands of `python -m warranty`, one module each."""

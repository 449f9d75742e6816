"""Charts as things: a figure drawn once, and its colours."""

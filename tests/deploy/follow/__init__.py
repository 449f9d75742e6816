"""Follows docs/deploy.md by its own commands, in a copy of this machine that is thrown away."""

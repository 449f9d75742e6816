"""Follows docs/deploy.md and more-machines.md by their own commands, in a copy of this machine that is thrown away."""

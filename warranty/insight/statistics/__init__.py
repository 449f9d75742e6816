"""How sure a figure is, and what it warns of; pure."""

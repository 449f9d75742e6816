"""Plans sold: the base that claims are counted against. Imports nothing, so that the table loads without numpy."""

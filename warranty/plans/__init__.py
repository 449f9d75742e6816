"""Plans sold: the base that claims are counted against."""

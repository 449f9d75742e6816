"""What the product is made of, and which faults of that are known."""

"""Record sale: which plan was sold on which item of an order, and for how much."""

"""Files of orders: which columns mean what, the rows as orders, and what is wrong with each."""

"""New order: items and customer of an order, and the landing page's link to hand over."""

"""The customer's side: landing pages, over plain HTTP on their own port."""

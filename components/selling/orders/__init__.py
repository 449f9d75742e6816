"""What several screens show of orders: recent ones, their plans, the shop's products."""

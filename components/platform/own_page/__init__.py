"""Pages of our own beside the dashboard, such as the customer's screen and a till's pad: what they have in common."""

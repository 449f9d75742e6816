"""Countries with their states, and how a customer is reached."""

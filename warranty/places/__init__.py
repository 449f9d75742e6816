"""Countries with their states, and how a customer is reached, and whose an address of the network is."""

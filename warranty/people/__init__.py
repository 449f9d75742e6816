"""Who may do what: accounts, tills, and the trail of what they did."""

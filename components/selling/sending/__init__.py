"""What every screen that sends shares: the press, the question, the state, the ending."""

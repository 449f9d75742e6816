"""Activity: what was sent, what needs a person, and the story of one order."""

"""The second screen that a customer sees: what stands on it, how it is paired, and the page that shows it."""

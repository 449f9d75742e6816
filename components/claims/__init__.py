"""What customers claimed: the screen with its filter and files, Trends, and their charts."""

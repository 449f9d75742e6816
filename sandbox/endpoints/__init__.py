"""One folder for each endpoint of the interface."""

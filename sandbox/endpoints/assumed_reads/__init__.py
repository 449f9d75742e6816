"""The two endpoints that the interface names but does not show."""

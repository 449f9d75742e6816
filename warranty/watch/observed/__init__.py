"""What this shop saw of the service beyond its document."""

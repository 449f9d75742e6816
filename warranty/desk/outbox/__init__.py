"""Orders that wait for the service to come back, sent by whichever desk holds the lease."""

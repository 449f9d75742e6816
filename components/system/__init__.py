"""The desk itself: Connection, the tour, the customer's screen, the camera."""

"""Codes read by the camera of a tablet or a phone, where it has one and the browser allows it."""

"""The second factor, between the password and the screens: set up at the first time, then asked for."""

"""The keys of all screens: a code that is scanned anywhere, keys that open a screen, and what can be pressed where."""

"""The screen People: who may sign in, looked after by an administrator."""

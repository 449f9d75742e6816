"""Where the sandbox keeps things: SQLite, in memory or in a file, behind one small interface."""

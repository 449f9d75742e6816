"""Claims: what is asked for, read, narrowed, shown, charted and taken away."""

"""Where does the service differ from its document? The clauses that can be tried, each with how to try it."""

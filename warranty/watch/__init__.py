"""What speaks of the desk and the service: alerts, metrics, what was observed, the document's clauses tried."""

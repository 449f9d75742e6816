"""What this shop saw of the service: its drift from the document, and its record by month."""

"""What the desks of one shop share beside the record: limits, people, tries, files, leases, and what was seen."""

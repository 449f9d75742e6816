"""What the process does beside drawing: jobs, headers, the sandbox's controls."""

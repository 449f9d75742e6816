"""What speaks up without a browser: each once, to mail, a webhook or a file."""

"""Between bytes and endpoints: listening, requests, bodies, fields, answers."""

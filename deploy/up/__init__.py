"""A chain on one machine: PostgreSQL, replicas and a proxy, each in a process of its own, on 127.0.0.1 alone."""

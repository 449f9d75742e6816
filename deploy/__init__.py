"""How a chain runs the desk: samples for proxy, systemd and containers, and what tries them on one machine."""

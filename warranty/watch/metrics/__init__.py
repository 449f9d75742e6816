"""Figures for Prometheus, on a port of their own; off unless a port is set. No figure tells of a person or an order."""

from warranty.watch.metrics.serving import start_metrics

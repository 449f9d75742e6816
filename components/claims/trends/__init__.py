"""Trends: claims as figures and charts against the period before."""

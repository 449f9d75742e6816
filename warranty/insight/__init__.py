"""What claims say over time: nights on record, forecasts, plans sold, and what chance does."""

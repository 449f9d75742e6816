"""What is to come: forecasts with a diary, and products that claim more than they did."""

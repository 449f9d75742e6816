"""What is printed: slips, confirmations, and the page they stand on."""

"""Files that a shop hands over: tables, catalogue, price list, orders."""

"""What staff sell and send: New order, Record sale, Checkout, Import, and how a press becomes one call."""

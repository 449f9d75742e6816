"""What stands around every screen: header, columns, polling, notices of failure."""

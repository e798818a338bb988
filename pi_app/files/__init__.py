"""What is read from and written to the system: files replaced whole, the log, notes on starts."""

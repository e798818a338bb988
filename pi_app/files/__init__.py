"""What the system does: files replaced whole, the log, notes on starts, work beside the loop."""

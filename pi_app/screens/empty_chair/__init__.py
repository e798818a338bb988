"""The companion at the table: its seats, its cards, its turn."""

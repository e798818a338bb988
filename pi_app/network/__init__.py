"""A Wi-Fi of the table's own where no other is in reach, and the way back into the house's."""

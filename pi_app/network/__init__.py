"""The table's own Wi-Fi for places without another one, and the return to the house's Wi-Fi."""

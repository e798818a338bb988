"""One table of a club: results for the hub, and its assignments and texts."""

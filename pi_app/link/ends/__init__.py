"""The link's process: the companion's socket on one side, a club's hub and a house on the other."""

"""Pairing and standings: pure functions without hub, clock or files."""

"""Screens for boards, players and the system."""

"""Screens: small objects that make frames and answer keys."""

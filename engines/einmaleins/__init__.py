"""Einmaleins: cards are products, laid on a common factor; who lays the last card wins."""

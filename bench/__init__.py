"""Benchmarks: measure what the companion costs; tests never assert these figures."""

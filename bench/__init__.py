"""Benchmarks: what the companion costs, measured, never asserted in tests."""

"""Builds the documentation as a site that is read without a network: `make site`."""

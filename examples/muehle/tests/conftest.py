"""Tables that a test leaves open are closed, as in the suite that every game passes."""

from beisitzer.testing.fixtures import open_databases

__all__ = ["open_databases"]

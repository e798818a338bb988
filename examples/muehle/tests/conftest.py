"""Tables that a test leaves open are closed, as in the companion's own tests."""

from tests.conftest import open_databases

__all__ = ["open_databases"]

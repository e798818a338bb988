"""Tables that a test leaves open are closed, as in the companion's own tests."""

from tests.conftest import databases_are_closed

__all__ = ["databases_are_closed"]

"""Close every database after a test, and make hypothesis repeat its examples."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings

settings.register_profile("beisitzer", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("beisitzer")


@pytest.fixture(autouse=True)
def open_databases() -> Iterator[Callable[[], int]]:
    """Close the databases that a test leaves open: from Python 3.13 on each one is a warning.

    The value returns how many are open now. A database opened in another thread cannot be
    closed here: that thread closes it, perhaps only after the test has ended.
    """
    threads = threading.enumerate()
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connect_and_note(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **kwargs))
        return opened[-1]

    # not `monkeypatch`: a test may undo its patches before it ends
    with patch("sqlite3.connect", connect_and_note):
        yield lambda: sum(map(_is_open, opened))
    still_open = [*filter(_is_open, opened)]
    if still_open:
        # closing a database that a thread of the test is about to use would end the process
        for thread in threading.enumerate():
            if thread not in threads:
                thread.join(0.5)
    for connection in still_open:
        with suppress(sqlite3.ProgrammingError):
            connection.close()


def _is_open(connection: sqlite3.Connection) -> bool:
    with suppress(sqlite3.ProgrammingError):
        return connection.total_changes >= 0  # fails for a closed one
    return False

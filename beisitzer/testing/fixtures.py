"""What a test of a game may rely on: every database is closed, hypothesis repeats its examples."""

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
    """Close what a test leaves open: from Python 3.13 on a forgotten database is a warning.

    The value tells how many are open now.

    One that was opened in another thread cannot be closed here: that thread does it, perhaps
    only after the test has ended.
    """
    threads = threading.enumerate()
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connect_and_note(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **kwargs))
        return opened[-1]

    # a patch of its own: a test may undo those of `monkeypatch` before it ends
    with patch("sqlite3.connect", connect_and_note):
        yield lambda: sum(map(_is_open, opened))
    left = [*filter(_is_open, opened)]
    for thread in threading.enumerate() if left else ():
        if thread not in threads:  # closing what it is about to use would end the process
            thread.join(0.5)
    for connection in left:
        with suppress(sqlite3.ProgrammingError):
            connection.close()


def _is_open(connection: sqlite3.Connection) -> bool:
    with suppress(sqlite3.ProgrammingError):
        return connection.total_changes >= 0
    return False

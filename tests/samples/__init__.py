"""What `beisitzer.testing` needs of each shipped game; `tests/records` has golden records."""

from pathlib import Path

from beisitzer.testing.parts import find_parts
from beisitzer.testing.samples import Samples

RECORDS = Path(__file__).parents[1] / "records"


def samples_of(game: str) -> Samples:
    """Return a game's samples, also those of a shipped one."""
    return find_parts(game, __name__).samples

"""Moves of Nine Men's Morris: placing, moving, taking, agreeing on a draw."""

import re
from dataclasses import dataclass

from beisitzer.plugin.rules import Move

AGREED = "="
_POINT = "[a-g][1-7]"
_TOKEN = re.compile(rf"(?:(?P<start>{_POINT})-)?(?P<end>{_POINT})(?:x(?P<taken>{_POINT}))?")


@dataclass(frozen=True, slots=True)
class MuehleMove(Move):
    """Places (`start` is "") or moves a stone, and perhaps takes one (`taken`, else "").

    An agreed draw has no `end`.
    """

    end: str = ""
    start: str = ""
    taken: str = ""

    @property
    def named(self) -> set[str]:
        """The points that this move names."""
        return {self.start, self.end, self.taken} - {""}


def move_of(start: str, end: str, taken: str = "") -> MuehleMove:
    """Return the move with its token."""
    way = f"{start}-{end}" if start else end
    return MuehleMove(f"{way}x{taken}" if taken else way, end, start, taken)


def read_move(token: str) -> MuehleMove | None:
    """Read a token such as `d6`, `d6-f6`, `d6-f6xa1` or `=`; None if it is no token."""
    if token == AGREED:
        return MuehleMove(token)
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    return MuehleMove(token, match["end"], match["start"] or "", match["taken"] or "")

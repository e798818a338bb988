"""A record without the names of the people who played it."""

from engines.games import GAMES
from engines.notation import TO_MOVE, Fault, correction, seat_of
from engines.record import GAME_TAGS, Record
from engines.seating import player_pairs


def anonymous(record: Record) -> Record:
    """Return the same game with S1, S2 ... as names, in the order of the seats.

    Comments and all tags that do not begin a game are left out. An own board is called `board`,
    because its name may be a person's.
    """
    pairs = player_pairs(record.tags.get("Players", ""))
    names = [name for name, _ in pairs]
    game = GAMES.get(record.tags.get("Game", ""))
    kept = GAME_TAGS | game.own_tags if game else GAME_TAGS
    tags = {name: value for name, value in record.tags.items() if name in kept}
    if "Players" in tags:
        tags["Players"] = ", ".join(
            f"{seat_name(seat)} {colour}" for seat, (_, colour) in enumerate(pairs)
        )
    if "Start" in tags:
        seat = seat_of(tags.pop("Start"), names)
        if seat is not None:
            tags["Start"] = seat_name(seat)
    if "BoardData" in tags and "Board" in tags:
        tags["Board"] = "board"
    return Record(tags, tuple(_token(token, names) for token in record.tokens))


def seat_name(seat: int) -> str:
    """Return the name that replaces that of a seat, from 0 on: S1, S2 ..."""
    return f"S{seat + 1}"


def _token(token: str, names: list[str]) -> str:
    """Return a move without names: only a correction can have one."""
    try:
        parts = correction(token, names)
    except Fault:
        return "<>"  # no table stores such a move; it stays one that cannot be played
    text, seat = parts or ("", None)
    if seat is None:
        return token
    return f"<{text}; {TO_MOVE}{seat_name(seat)}>"

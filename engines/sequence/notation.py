"""The words of Sequence: moves and positions, read from and written as a record has them.

Every plain move of a board is made once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import TypeVar

from engines.game import Move
from engines.notation import QUOTED, Fault, position_parts
from engines.sequence.board import (
    BITS,
    CARD_BITS,
    CARDS,
    COPIES,
    CORNERS,
    INDEX,
    JACKS,
    ONE_EYED,
    PLACES,
    SIDE,
    SQUARES,
    TWO_EYED,
    WINDOW_NAMES,
    Board,
    Sequences,
    names_in,
    share_two,
    window_between,
)

_SQUARE = r"r(?:[1-9]|10)c(?:[1-9]|10)"
_TOKEN = re.compile(
    rf"(?P<card>[0-9A-Z]+)"
    rf"(?:@(?P<place>{_SQUARE})(?:=(?P<one>{_SQUARE})-(?P<other>{_SQUARE}))?"
    rf"|-(?P<take>{_SQUARE})|!)(?P<forgot>~)?"
)
_PASS = re.compile(r"pass(?::(?P<cards>[0-9A-Z]+(?:,[0-9A-Z]+)*))?")
_DIGITS = bytes.maketrans(b"01", b"\0\1")
"""From binary digits to the zeros and ones that `compress` needs."""


@dataclass(frozen=True, slots=True)
class Place(Move):
    """A card places a chip: `7H@r4c5`, after `=` the ends of the five that the player chose.

    `square` is 0 to 99; `forgot` (`~`): no card was drawn.
    """

    card: str
    square: int
    choice: tuple[str, str] | None = None
    forgot: bool = False


@dataclass(frozen=True, slots=True)
class Take(Move):
    """A one-eyed jack takes a chip away: `JS-r3c2`."""

    card: str
    square: int
    forgot: bool = False


@dataclass(frozen=True, slots=True)
class TurnIn(Move):
    """A dead card is turned in: `9D!`."""

    card: str
    forgot: bool = False


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Nothing can be played: the player shows these cards."""

    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Talk(Move):
    """Table talk of a team: `talk:green`."""

    team: str


SequenceMove = Place | Take | TurnIn | Pass | Talk


def read_move(token: str) -> SequenceMove | None:
    """Read a token that is not a correction; None if it is not in the notation."""
    if match := _TOKEN.fullmatch(token):
        card, forgot = match["card"], match["forgot"] is not None
        if match["place"]:
            choice = (match["one"], match["other"]) if match["one"] else None
            return Place(token, card, INDEX[match["place"]], choice, forgot)
        if match["take"]:
            return Take(token, card, INDEX[match["take"]], forgot)
        return TurnIn(token, card, forgot)
    if match := _PASS.fullmatch(token):
        cards = match["cards"]
        return Pass(token, tuple(cards.split(",")) if cards else ())
    if token.startswith("talk:"):
        return Talk(token, token.removeprefix("talk:"))
    return None


def make_pass(hand: tuple[str, ...]) -> Pass:
    """Return the pass that shows this hand; `pass` alone without cards."""
    return Pass(f"pass:{','.join(hand)}" if hand else "pass", hand)


def make_place(card: str, square: int, *, choice: tuple[str, str] | None, forgot: bool) -> Place:
    """Return the move that places a chip, with its token."""
    chosen = f"={choice[0]}-{choice[1]}" if choice else ""
    token = f"{card}@{SQUARES[square]}{chosen}{'~' if forgot else ''}"
    return Place(token, card, square, choice, forgot)


@dataclass(frozen=True, slots=True)
class Moves:
    """Every plain move of a board, made once so that `legal` and `parse` are fast.

    `plays` has for each card except jacks the bit set of its squares, and the moves for each bit
    set of free ones. `anywhere` has for each two-eyed jack and `takes` for each one-eyed jack one
    move a square, 0 to 99. `turn_ins` is by card, `by_token` has all of these.
    """

    plays: Mapping[str, tuple[int, Mapping[int, tuple[Place, ...]]]]
    anywhere: Mapping[str, tuple[Place, ...]]
    takes: Mapping[str, tuple[Take, ...]]
    turn_ins: Mapping[str, TurnIn]
    by_token: Mapping[str, SequenceMove]

    def everywhere(self, card: str) -> Iterator[Place | Take | TurnIn]:
        """Yield the moves of a card on every square of a board, legal or not, and turning it in."""
        made = self.takes.get(card) or self.anywhere.get(card)
        yield from made or (Place(f"{card}@{name}", card, INDEX[name]) for name in SQUARES)
        yield TurnIn(f"{card}!", card)


P = TypeVar("P", Place, Take)


def pick_squares(moves: Iterable[P], squares: int) -> Iterable[P]:
    """Return the moves to the squares in a bit set, of a hundred moves, one a square."""
    digits = format(squares, f"0{SIDE * SIDE}b").encode().translate(_DIGITS)
    return compress(moves, digits)


@lru_cache(maxsize=16)
def moves_of(board: Board) -> Moves:
    """Return the plain moves of a board: those without a choice, and with a card drawn."""
    everywhere = range(SIDE * SIDE)
    anywhere = {
        card: tuple(Place(f"{card}@{SQUARES[square]}", card, square) for square in everywhere)
        for card in TWO_EYED
    }
    takes = {
        card: tuple(Take(f"{card}-{SQUARES[square]}", card, square) for square in everywhere)
        for card in ONE_EYED
    }
    turn_ins = {card: TurnIn(f"{card}!", card) for card in CARDS if card not in JACKS}
    plays = {card: _plays(card, board.targets[card]) for card in turn_ins}
    by_token: dict[str, SequenceMove] = {move.token: move for move in turn_ins.values()}
    for squares, by_free in plays.values():
        # with both its squares free a card has all its moves
        by_token |= {move.token: move for move in by_free[squares]}
    for places in anywhere.values():
        by_token |= {move.token: move for move in pick_squares(places, PLACES)}
    for chip_takes in takes.values():
        by_token |= {move.token: move for move in pick_squares(chip_takes, PLACES)}
    return Moves(plays, anywhere, takes, turn_ins, by_token)


def _plays(card: str, squares: int) -> tuple[int, Mapping[int, tuple[Place, ...]]]:
    """Return a card's two squares, and its moves by the set of free ones."""
    first, second = (index for index, bit in enumerate(BITS) if squares & bit)
    on_first = Place(f"{card}@{SQUARES[first]}", card, first)
    on_second = Place(f"{card}@{SQUARES[second]}", card, second)
    return squares, {
        0: (),
        BITS[first]: (on_first,),
        BITS[second]: (on_second,),
        squares: (on_first, on_second),
    }


def check_hand(hand: tuple[str, ...]) -> None:
    """Raise a Fault if the deck has no such card, or fewer copies of it."""
    for card in hand:
        if card not in CARD_BITS:
            raise Fault("no-card", card=card[:QUOTED])
    if len(set(hand)) < len(hand):
        for card in hand:
            if hand.count(card) > COPIES:
                raise Fault("deck-has", card=card, copies=COPIES)


CHIP_LIMIT = 48
"""Chips of a team (printed list of what is in the box)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Chips as one bit set a team, and the completed sequences of each team."""

    chips: tuple[int, ...]
    sequences: Sequences


def read_layout(text: str, teams: Sequence[str], needed: int) -> Layout:
    """Read the words of a `Position`; Fault if it is impossible.

    `needed` is the number of sequences that wins: only one team can have as many.
    """
    chips = dict.fromkeys(teams, 0)
    sequences: dict[str, list[int]] = {team: [] for team in teams}
    for team, items in position_parts(text, teams):
        if len(set(items)) < len(items):
            raise Fault("square-twice", team=team)
        for item in items:
            if "-" in item:
                _add_sequence(team, item, sequences[team])
            else:
                if item not in INDEX:
                    raise Fault("no-square", team=team, square=item[:QUOTED])
                bit = BITS[INDEX[item]]
                if bit & CORNERS:
                    raise Fault("chip-on-corner", team=team, square=item)
                chips[team] |= bit
        for line in sequences[team]:
            chips[team] |= line & ~CORNERS
    _check_chips(chips)
    if sum(len(lines) >= needed for lines in sequences.values()) > 1:
        raise Fault("two-winners")
    return Layout(tuple(chips.values()), tuple(tuple(lines) for lines in sequences.values()))


def _check_chips(chips: Mapping[str, int]) -> None:
    """Raise a Fault if two teams are on one square, or a team has too many chips."""
    taken = 0
    for team, own in chips.items():
        if taken & own:
            square = names_in(taken & own)[0]
            raise Fault("two-teams", square=square, team=team)
        taken |= own
        if own.bit_count() > CHIP_LIMIT:
            raise Fault("too-many-chips", team=team, most=CHIP_LIMIT)


def _add_sequence(team: str, item: str, lines: list[int]) -> None:
    start, _, end = item.partition("-")
    line = window_between(start, end)
    if line is None:
        raise Fault("no-line", team=team, item=item[:QUOTED])
    if any(share_two(line, earlier) for earlier in lines):
        raise Fault("lines-share-two", team=team, item=item)
    lines.append(line)


def describe_layout(layout: Layout, teams: Sequence[str]) -> str:
    """Return a layout in the words of a `Position`, chips outside of sequences first."""
    parts: list[str] = []
    for team, chips, lines in zip(teams, layout.chips, layout.sequences, strict=True):
        for line in lines:
            chips &= ~line  # noqa: PLW2901 - squares of sequences are not named twice
        ends = [WINDOW_NAMES[line] for line in lines]
        words = [*names_in(chips), *(f"{names[0]}-{names[-1]}" for names in ends)]
        if words:
            parts.append(" ".join((team, *words)))
    return "; ".join(parts)

"""Random play through `Position.legal` and `play`: whole games from shuffled decks.

Hands are known, every legal move is equally likely; dealing and drawing are in the time.
"""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from bench.figure import Figure, timed
from engines import einmaleins, just4fun, numeri, sequence
from engines.einmaleins.cards import FREE, PAIRS
from engines.game import AnyPosition, Move, Player, Setup
from engines.just4fun.cards import DECK
from engines.sequence.board import CARDS

RandomGame = list[tuple[AnyPosition, Any, Move]]
"""What was played: the position, what was given to `legal`, the move."""

PEER_BUDGETS = {"just4fun": 2.5, "sequence": 2.5}
"""Moves of a game of two for one of python-chess's random play, measured in turn with it."""
_LONGEST = 600
"""Moves after which a random game is broken off (Einmaleins may go round and round)."""


class Pack:
    """A shuffled deck with its discards: what the companion itself never sees."""

    def __init__(self, cards: list[Any], chance: Random) -> None:
        self.cards = cards
        self.discards: list[Any] = []
        self.chance = chance
        chance.shuffle(cards)

    def draw(self) -> Any:
        """Return the top card; the discards are shuffled when the pile runs out."""
        card = self.cards.pop()
        if not self.cards:
            self.refill()
        return card

    def refill(self) -> None:
        self.cards, self.discards = self.discards, []
        self.chance.shuffle(self.cards)


def _players(colours: tuple[str, ...], count: int) -> tuple[Player, ...]:
    return tuple(Player(f"P{seat}", colours[seat % len(colours)]) for seat in range(count))


def play_just4fun(count: int, chance: Random) -> Iterator[tuple[AnyPosition, Any, Move]]:
    """Play one game of Just 4 Fun, yielding each move before it is played."""
    position = just4fun.begin(Setup(_players(just4fun.COLOURS, count)))
    pack = Pack([card for card, copies in DECK.items() for _ in range(copies)], chance)
    hands = [[pack.draw() for _ in range(4)] for _ in range(count)]
    while position.result is None:
        hand = hands[position.seat]
        held = tuple(hand)
        moves = position.legal(held)
        move = moves[int(chance.random() * len(moves))]
        yield position, held, move
        position, _ = position.play(move)
        for card in move.cards:
            hand.remove(card)
        pack.discards += move.cards
        hand += [pack.draw() for _ in move.cards]


def play_numeri(count: int, chance: Random) -> Iterator[tuple[AnyPosition, Any, Move]]:
    """Play one game of numeri."""
    position = numeri.begin(Setup(_players(numeri.GAME.colours, count)))
    while position.result is None:
        roll = int(chance.random() * 6) + 1
        moves = position.legal(roll)
        move = moves[int(chance.random() * len(moves))]
        yield position, roll, move
        position, _ = position.play(move)


def play_sequence(count: int, chance: Random) -> Iterator[tuple[AnyPosition, Any, Move]]:
    """Play one game of Sequence, with two teams where that is possible."""
    teams = ("blue", "green") if count % 2 == 0 else ("blue", "green", "red")
    position = sequence.begin(Setup(_players(teams, count)))
    pack = Pack(list(CARDS) * 2, chance)
    hands = [[pack.draw() for _ in range(size)] for size in position.hands]
    while position.result is None:
        hand = hands[position.seat]
        held = tuple(hand)
        moves = position.legal(held)
        move = moves[int(chance.random() * len(moves))]
        yield position, held, move
        position, _ = position.play(move)
        card = getattr(move, "card", None)
        if card is not None:
            hand.remove(card)
            pack.discards.append(card)
            if position.result is None:
                hand.append(pack.draw())


def play_einmaleins(count: int, chance: Random) -> Iterator[tuple[AnyPosition, Any, Move]]:
    """Play one game of Einmaleins; a card nobody could lay is drawn."""
    deck = [str(number) for number in PAIRS if number != 24] + [FREE] * 2
    pack = Pack(deck, chance)
    players = _players(einmaleins.GAME.colours, count)
    position = einmaleins.begin(Setup(players, tags={"Open": "24"}))
    hands = [[pack.cards.pop() for _ in range(size)] for size in position.hands]
    seats = {player.name: seat for seat, player in enumerate(players)}
    top = "24"
    for _ in range(_LONGEST):
        if position.result is not None:
            return
        hand = hands[position.seat]
        held = tuple(hand)
        moves = position.legal(held)
        move = moves[int(chance.random() * len(moves))]
        yield position, held, move
        seat = position.seat
        position, events = position.play(move)
        for event in events:
            if event.code == "laid":
                card = FREE if event.facts["free"] else str(event.facts["card"])
                hands[seat].remove(card)
                pack.discards.append(top)
                top = card
            elif event.code == "drew":
                hands[seats[event.facts["player"]]].append(pack.cards.pop())
            elif event.code == "reshuffle":
                pack.refill()


PLAYS: dict[str, Callable[[int, Random], Iterator[tuple[AnyPosition, Any, Move]]]] = {
    "just4fun": play_just4fun,
    "numeri": play_numeri,
    "sequence": play_sequence,
    "einmaleins": play_einmaleins,
}


def moves_played(game: str, moves: int) -> int:
    """Play whole games of two until at least so many moves were made; return how many."""
    chance = Random(1)
    made = 0
    while made < moves:
        for _ in PLAYS[game](2, chance):
            made += 1
    return made


def calls(game: str) -> list[Figure]:
    """Return what one call of `legal`, `refusal` and `play` costs, over games of two."""
    chance = Random(2)
    course: RandomGame = []
    while len(course) < 5_000:
        course += PLAYS[game](2, chance)

    def each(call: Callable[[AnyPosition, Any, Move], object]) -> float:
        start = time.perf_counter()
        for position, given, move in course:
            call(position, given, move)
        return (time.perf_counter() - start) / len(course) * 1e6

    return [
        Figure(f"{game}: legal", each(lambda p, g, _: p.legal(g)), "µs"),
        Figure(f"{game}: refusal", each(lambda p, _, m: p.refusal(m)), "µs"),
        Figure(f"{game}: play", each(lambda p, _, m: p.play(m)), "µs"),
    ]


def chess_play(moves: int) -> int:
    """Play random games of python-chess, the peer people know; return how many moves."""
    import chess

    chance = Random(1)
    made = 0
    while made < moves:
        board = chess.Board()
        while made < moves and not board.is_game_over():
            possible = list(board.legal_moves)
            board.push(possible[int(chance.random() * len(possible))])
            made += 1
    return made


def beside_chess(game: str, moves: int) -> tuple[float, float]:
    """Return moves a second of a game of two and of python-chess, each the best of some rounds."""
    own, peer = [], []
    for _ in range(7):
        peer.append(timed(lambda: chess_play(moves // 3), 1).seconds / (moves // 3))
        own.append(timed(lambda: moves_played(game, moves), 1).seconds / moves)
    return 1 / min(own), 1 / min(peer)


def figures(moves: int = 5_000) -> list[Figure]:
    """Return moves a second of every game of two, and what each call costs."""
    found = []
    for game in PLAYS:
        name = f"random play, {game}, 2 players"
        budget = PEER_BUDGETS.get(game)
        if budget is None:
            made = moves_played(game, moves)
            taken = timed(lambda g=game: moves_played(g, moves))  # type: ignore[misc]
            found.append(Figure(name, made / taken.seconds, "moves/s"))
        else:
            own, peer = beside_chess(game, moves)
            found.append(Figure(name, own, "moves/s", budget, peer, higher=True, ratio=own / peer))
        found += calls(game)
    return found

"""The play-outs beside the rules: for each game, what they say and what is so."""

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from ai import AI
from ai.einmaleins.scoring import CARD_INDEX as NUMBER_INDEX
from ai.einmaleins.thinking import code_of as einmaleins_code
from ai.odds import CERTAIN
from ai.pace import is_compiled, moves_in
from ai.sequence.thinking import code_of as sequence_code
from engines import GAMES, Player, Setup
from engines.sequence.board import CARDS

KINDS = ("python", "compiled")


needs_compiled = pytest.mark.skipif(
    not all(is_compiled(import_module(f"ai.{game}.playouts")) for game in AI),
    reason="the play-outs are not compiled here (no C compiler, or BEISITZER_PLAIN is set):"
    " hundreds of games would take half an hour",
)


def plain(game: str) -> ModuleType:
    """Return a game's play-outs as Python, whether or not they are compiled here."""
    module = import_module(f"ai.{game}.playouts")
    path = Path(module.__file__ or "").parent / "playouts.py"
    spec = importlib.util.spec_from_file_location(f"plain_{game}", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def seconds_for(game: str, moves: int) -> float:
    """Return the seconds of thinking in which so many moves are played out, compiled or not."""
    # a half more, so that rounding down does not lose one
    return (moves + 0.5) / moves_in(1, import_module(f"ai.{game}.thinking").PACE)


def squared_error(
    pair: tuple[Any, Any], choose: Callable[[Any], int], share: Callable[[Any, int], float]
) -> float:
    """Return the mean square of the errors of `value`, a quarter for a coin, over 300 games.

    `pair` are a root and a play-out; `choose` chooses the moves, `share` is a seat's in the end.
    """
    root, play = pair
    errors: list[float] = []
    for seed in range(300):
        play.copy_from(root)
        play.deal(seed * 7919)
        said: list[tuple[int, float]] = []
        while not play.over:
            said.append((play.seat, play.value() / CERTAIN))
            play.play(choose(play))
        errors += [(share(play, seat) - chance) ** 2 for seat, chance in said]
    return sum(errors) / len(errors)


@contextmanager
def playing(game: str, kind: str) -> Iterator[Any]:
    """Let a game's AI think with its play-outs of this kind; yield what thinks."""
    thinking = import_module(f"ai.{game}.thinking")
    compiled = is_compiled(import_module(f"ai.{game}.playouts"))
    if kind == "compiled" and not compiled:
        pytest.skip("the play-outs are not compiled here: no C compiler, or BEISITZER_PLAIN is set")
    if kind == "python" and compiled:
        try:
            with pytest.MonkeyPatch.context() as patched:
                _use(game, plain(game), patched)
                yield thinking
        finally:
            _forget(game)
    else:
        yield thinking


def _rooms(game: str) -> list[ModuleType]:
    names = ("thinking", "scoring") if game != "numeri" else ("thinking",)
    return [import_module(f"ai.{game}.{name}") for name in names]


def _use(game: str, module: ModuleType, patched: pytest.MonkeyPatch) -> None:
    for room in _rooms(game):
        for name, value in vars(module).items():
            if isinstance(value, type) and hasattr(room, name):
                patched.setattr(room, name, value)
        if hasattr(room, "playouts"):
            patched.setattr(room, "playouts", module)
    _forget(game)


def _forget(game: str) -> None:
    for room in _rooms(game):
        for value in vars(room).values():
            if hasattr(value, "cache_clear") and value.__module__.startswith("ai."):
                value.cache_clear()


class Beside(ABC):
    """A game played as a play-out and by the rules at once."""

    def __init__(self, thinking: Any, position: Any, seed: int) -> None:
        self.position = position
        self.play = self.begun(thinking)
        self.play.deal(seed)

    def begun(self, thinking: Any) -> Any:
        """Return the play-out."""
        return thinking.new_playout(self.position, None)

    @abstractmethod
    def step(self, chance: Random) -> None:
        """Compare the legal moves, play one on both."""

    @abstractmethod
    def same(self) -> None:
        """Assert that both stand alike: whose turn, piles, what lies where."""

    def hand(self, most: int) -> list[int]:
        seat = self.play.seat
        return list(self.play.hands[seat * most : seat * most + self.play.hand_sizes[seat]])

    def winners(self) -> int:
        return int(self.play.winners)

    def to_the_end(self, chance: Random, most: int = 2_000) -> None:
        for _ in range(most):
            assert (self.position.result is not None) == bool(self.play.over)
            if self.position.result is not None:
                break
            assert self.position.seat == self.play.seat
            self.same()
            self.step(chance)
        names = self.position.result.winners if self.position.result else ()
        seats = [seat for seat, one in enumerate(self.position.players) if one.name in names]
        assert self.winners() == sum(1 << seat for seat in seats)


def token_of(hand: Sequence[int], subset: int) -> str:
    """Return a subset of a hand as the move of Just 4 Fun that it is; none is the exchange."""
    cards = [card for at, card in enumerate(hand) if subset >> at & 1]
    return "+".join(map(str, cards)) if subset else "x" + "+".join(map(str, hand))


class Just4FunBeside(Beside):
    def step(self, chance: Random) -> None:
        seat = self.play.seat
        hand = tuple(self.play.hands[seat * 4 : seat * 4 + 4])
        moves = self.position.legal(hand)
        fields = [move.total for move in moves if not move.exchange]
        assert self.play.legal() == sorted(fields)
        subset = self.play.best() if chance.random() < 0.5 else self.play.any()
        self.play.play(subset)
        self.position, _ = self.position.play(self.position.parse(token_of(hand, subset)))

    def same(self) -> None:
        position, play = self.position, self.play
        for field, stones in enumerate(position.counts):
            assert tuple(play.counts[field * 4 : field * 4 + len(stones)]) == stones
        assert tuple(play.left[: len(position.players)]) == position.stones_left
        assert play.pool_size == position.piles.draw_pile
        assert play.discard_size == position.piles.discards


class SequenceBeside(Beside):
    def step(self, chance: Random) -> None:
        hand = tuple(CARDS[card] for card in self.hand(7))
        moves = {sequence_code(move): move for move in self.position.legal(hand)}
        assert self.play.legal() == sorted(code for code in moves if code >= 0)
        code = self.play.best() if chance.random() < 0.3 else self.play.any()
        self.play.play(code)
        self.position, _ = self.position.play(moves[code])

    def same(self) -> None:
        position, play = self.position, self.play
        for team, own in enumerate(position.chips):
            squares = sum(1 << (99 - at) for at in range(100) if play.chips[at] == team)
            assert squares == own
        made = [len(lines) for lines in position.sequences]
        assert list(play.sequence_counts[: len(made)]) == made
        assert play.pool_size == position.piles.draw_pile
        assert play.discard_size == position.piles.discards
        assert tuple(play.hand_sizes[: len(position.players)]) == position.hands
        assert play.turned_in == position.turned_in

    def winners(self) -> int:
        teams = self.position.terms.team_of
        return sum(1 << seat for seat, team in enumerate(teams) if team == self.play.winner)


class NumeriBeside(Beside):
    def begun(self, thinking: Any) -> Any:
        return thinking.new_playout(self.position)

    def step(self, chance: Random) -> None:
        roll = self.play.roll()
        moves = self.position.legal(roll)
        codes = [sum(stone * 7**at for at, stone in enumerate(move.stones)) for move in moves]
        legal = self.play.legal(roll)
        assert (legal or [0]) == codes
        code = self.play.best(roll) if chance.random() < 0.5 else chance.choice(codes)
        self.play.play(code)
        self.position, _ = self.position.play(moves[codes.index(code)])

    def same(self) -> None:
        fields = self.position.fields
        assert tuple(self.play.fields[: len(fields)]) == fields
        for seat in range(len(self.position.players)):
            assert self.play.points(seat) == self.position.points(seat)


class EinmaleinsBeside(Beside):
    def step(self, chance: Random) -> None:
        words = {index: card for card, index in NUMBER_INDEX.items()}
        hand = tuple(words[card] for card in self.hand(44))
        moves = {einmaleins_code(move): move for move in self.position.legal(hand)}
        assert self.play.legal() == sorted(code for code in moves if code >= 0)
        code = self.play.best() if chance.random() < 0.7 else chance.choice(list(moves))
        self.play.play(code)
        self.position, _ = self.position.play(moves[code])

    def same(self) -> None:
        position, play = self.position, self.play
        assert play.pool_size == position.piles.draw_pile
        assert play.under_size == position.piles.under
        assert tuple(play.hand_sizes[: len(position.players)]) == position.hands
        assert play.idle == position.idle
        assert sorted(position.announced) == [f for f in range(1, 11) if play.factors >> f & 1]


BESIDE: dict[str, type[Beside]] = {
    "just4fun": Just4FunBeside,
    "sequence": SequenceBeside,
    "numeri": NumeriBeside,
    "einmaleins": EinmaleinsBeside,
}


def setup(game: str, count: int, rules: dict[str, str], chance: Random) -> Setup:
    """Return a set-up with so many players; in Sequence with two teams or three."""
    colours = GAMES[game].colours
    teams = len(colours)
    if game == "sequence":
        teams = 2 if count % 2 == 0 and (count % 3 or chance.random() < 0.5) else 3
    players = tuple(Player(f"P{seat}", colours[seat % teams]) for seat in range(count))
    tags = {"Open": chance.choice(["24", "1", "36", "49"])} if game == "einmaleins" else {}
    return Setup(players, chance.randrange(count), rules=rules, tags=tags)


RULES: dict[str, tuple[dict[str, str], ...]] = {
    "just4fun": ({}, {"secured": "closed"}, {"rounds": "7"}),
    "sequence": ({}, {"one_eyed_breaks": "yes"}, {"sequences": "3", "dead_cards": "0"}),
    "numeri": ({},),
    "einmaleins": ({}, {"free": "0"}, {"free": "1"}),
}
COUNTS = {name: sorted(GAMES[name].player_counts) for name in RULES}

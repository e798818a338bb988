"""One search for every game: moves are tried in sampled worlds, the same worlds for all of them.

A game rates its moves (`GameAI.rate`), and the rating counts as so many tries of each move. Where a
die decides, the best moves are rated once more through every roll. Then they are tried: each round
samples the hidden cards and plays every remaining move there, so that only the move differs; after
some rounds the worse half is dropped (sequential halving).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from random import Random
from typing import Any

from ai.api import (
    LEVELS,
    Deal,
    Level,
    Option,
    Rated,
    RateMoves,
    Reason,
    Value,
    final_shares,
    no_reasons,
)
from engines.game import AnyPosition, Event, Game, Setup

CLEAR = 3.0
"""An option that leads another by this many standard errors is clearly ahead of it."""
FEWEST = 32
"""No option is clearly ahead before each of them was tried so often."""
PATIENCE = 1.5
"""Between two checks whether an option is ahead, the number of tries grows by this factor."""
LONGEST = 300
"""A try that has not ended after so many moves counts as a draw."""
UNRATED = 20
"""How many random games estimate the chances if a game does not rate its positions."""
LEAST = 1_500
"""The least looks in a game that does not rate its moves."""


class OpenDeal:
    """A game in which nothing is hidden and no die is rolled."""

    rolls: Sequence[Any] = ()
    position: AnyPosition

    def __init__(self, position: AnyPosition) -> None:
        self.position = position

    def given(self) -> None:
        """Return None: nothing is hidden."""

    def hands(self) -> None:
        """Return None: there are no hands."""

    def play(self, move: Any) -> tuple[Event, ...]:
        self.position, events = self.position.play(move)
        return events

    def copy(self) -> "OpenDeal":
        return OpenDeal(self.position)


def _resume_open(position: AnyPosition, given: Any, rng: Random) -> OpenDeal:  # noqa: ARG001
    return OpenDeal(position)


def _always(position: AnyPosition) -> bool:  # noqa: ARG001
    return True


@dataclass(frozen=True, slots=True)
class GameAI:
    """A game's AI. Chance and effort come in as arguments: the same seed gives the same answer.

    `deal(setup, rng)` deals a game by chance. `resume(position, given, rng)` returns a deal that
    stands at this position: the player to move has this hand, everything else that is hidden is
    sampled. All else makes the AI better and may be left out:

    `rate(position, given)` returns every legal move, best first, with its chance. `value(position,
    hand=None)` returns each seat's chance; `hand` is that of the player to move, if known.
    `reply(position, given)` returns the move that `rate` finds best, for tries, which need it fast.
    `reasons(position, move, given)` returns the reasons for a legal move, the most important first.
    `given_of(move)` returns the hand or roll of the player who made this move of a record; leave it
    out if a record does not show all that the player knew. `spread(position)` returns the standard
    deviation of each seat's chance over possible hands, for games in which hands matter much.

    `trust` is the number of tries that the rating counts as. A try is `ahead` moves long, then
    `value` says the chance; 0: it goes on to the end. Only the first `candidates` of the rating are
    tried, and only where it `gains` anything.
    """

    deal: Callable[[Setup, Random], Deal]
    resume: Callable[[Any, Any, Random], Deal] = _resume_open
    rate: RateMoves | None = None
    value: Value | None = None
    reply: Callable[[Any, Any], Any] | None = None
    reasons: Callable[[Any, Any, Any], Sequence[Reason]] = no_reasons
    given_of: Callable[[Any], Any] | None = None
    spread: Callable[[Any], Sequence[float]] | None = None
    trust: float = 0.0
    ahead: int = 0
    candidates: int = 1_000
    gains: Callable[[Any], bool] = _always
    levels: Mapping[str, Level] = field(default_factory=lambda: LEVELS)

    def search(
        self, position: Any, given: Any, looks: int, rng: Random, *, decide: bool = False
    ) -> list[Option]:
        """Return every legal move, best first; `looks` is an amount of thinking.

        A look is one move played in a sampled world, or one rating of a position. Looks are
        counted, so the clock does not matter (`ai.pace` converts seconds to looks). With `decide`
        it stops once one move is clearly ahead.
        """
        if self.rate is None:
            looks = max(looks, LEAST)  # without tries all moves are equal
        rated = self.rated(position, given)
        if len(rated) < 2 or rated[0][1] >= 1 or not self.gains(position):
            return [Option(move, chance, 0) for move, chance in rated]
        deal = self.resume(position, given, rng)
        twins = _twins(position, rated) if deal.rolls else {move: [move] for move, _ in rated}
        tried = [(move, chance) for move, chance in rated if move in twins][: self.candidates]
        cost = len(tried) * len(deal.rolls)
        if self.rate is not None and cost and looks >= cost:
            tried = [(move, self._through(position, move, deal.rolls)) for move, _ in tried]
            tried, looks = sorted(tried, key=lambda each: -each[1]), looks - cost
        if looks > 0 and len(tried) > 1:
            options = _halve(self, position, given, tried, looks, rng, decide=decide)
        else:
            options = [Option(move, chance, 0) for move, chance in tried]
        found = [
            Option(twin, option.chance, option.tries)
            for option in options
            for twin in twins[option.move]
        ]
        seen = {option.move for option in found}
        return found + [Option(move, chance, 0) for move, chance in rated if move not in seen]

    def rated(self, position: Any, given: Any) -> Rated:
        """Return every legal move with its chance, best first; without `rate` all are equal."""
        if self.rate is not None:
            return self.rate(position, given)
        share = 1 / len({player.colour for player in position.players})
        return [(move, share) for move in position.legal(given)]

    def look_further(self, position: Any, move: Any, given: Any) -> float:
        """Return the mover's chance after this move, over all rolls that can follow."""
        return self._through(position, move, self.resume(position, given, Random(0)).rolls)

    def _through(self, position: Any, move: Any, rolls: Sequence[Any]) -> float:
        """Return the mean chance after this move over these rolls, each with the best answer."""
        seat: int = position.seat
        after = position.play(move)[0]
        if after.result is not None or not rolls:
            return self.chances(after)[seat]
        return sum(self.chances(after, roll)[seat] for roll in rolls) / len(rolls)

    def choose(self, position: Any, given: Any, level: str, looks: int, rng: Random) -> Any:
        """Return the only legal move, else the one that a player of this level picks."""
        moves = position.legal(given)
        if len(moves) == 1:
            return moves[0]
        player = self.levels[level]
        options = self.search(position, given, looks if player.searches else 0, rng, decide=True)
        return pick_move(options, player, rng)

    def chances(self, position: Any, hand: Any = None) -> Sequence[float]:
        """Return each seat's chance to win; `hand` belongs to the player to move."""
        if position.result is not None:
            return final_shares(position)
        if self.value is not None:
            return self.value(position, hand)
        rng = Random(position.describe())
        totals = [0.0] * len(position.players)
        for _ in range(UNRATED):
            shares, _ = self._play_on(self.resume(position, hand, rng), LONGEST, rng)
            totals = [total + share for total, share in zip(totals, shares, strict=True)]
        return [total / UNRATED for total in totals]

    def try_move(self, deal: Deal, move: Any, seat: int, rng: Random) -> tuple[float, int]:
        """Play a move in a sampled world, and what follows; return the seat's share, and looks."""
        deal.play(move)
        shares, looks = self._play_on(deal, (self.ahead or LONGEST) - 1, rng)
        return shares[seat], looks + 1

    def _play_on(self, deal: Deal, most: int, rng: Random) -> tuple[Sequence[float], int]:
        """Play a deal on for `most` moves at most; return each seat's chance there, and looks."""
        for looks in range(most):
            if deal.position.result is not None:
                return final_shares(deal.position), looks
            deal.play(self.choose_reply(deal.position, deal.given(), rng))
        if deal.position.result is None and self.value is None:
            sides = {player.colour for player in deal.position.players}
            return [1 / len(sides)] * len(deal.position.players), most
        return self.chances(deal.position, deal.given()), most + 1

    def choose_reply(self, position: Any, given: Any, rng: Random) -> Any:
        """Return the move that everybody makes in a try."""
        if self.reply is not None:
            return self.reply(position, given)
        if self.rate is not None:
            return self.rate(position, given)[0][0]
        return rng.choice(position.legal(given))


@dataclass(slots=True)
class _Tried:
    """A move, its rating, and the sum of its tries' results (0 to 1 each)."""

    move: Any
    rating: float
    won: list[float] = field(default_factory=list[float])

    def chance(self, trust: float, shift: float = 0.0) -> float:
        """Return its chance if the rating, moved by `shift`, counts as so many tries."""
        return (trust * (self.rating + shift) + sum(self.won)) / (trust + len(self.won))


def _twins(position: Any, rated: Rated) -> dict[Any, list[Any]]:
    """Return by the first move to each position all moves to it."""
    ends: list[tuple[Any, list[Any]]] = []
    for move, _ in rated:
        after = position.play(move)[0]
        twins = next((moves for end, moves in ends if end == after), None)
        if twins is None:
            ends.append((after, [move]))
        else:
            twins.append(move)
    return {moves[0]: moves for _, moves in ends}


def _halve(
    ai: GameAI,
    position: Any,
    given: Any,
    rated: Rated,
    looks: int,
    rng: Random,
    *,
    decide: bool,
) -> list[Option]:
    """Try moves until the looks are used up, drop the worse half by and by; return them sorted."""
    remaining = [_Tried(move, rating) for move, rating in rated]
    dropped: list[_Tried] = []
    rounds = (len(remaining) - 1).bit_length()  # until one move is left
    next_check, clear = FEWEST, False
    for round_ in range(rounds):
        left = max(1, looks // rounds)
        while left > 0 and not clear:
            seed = rng.getrandbits(64)
            world = ai.resume(position, given, Random(seed))
            for each in remaining:
                won, spent = ai.try_move(world.copy(), each.move, position.seat, Random(seed))
                each.won.append(won)
                left -= spent
            if decide and len(remaining[0].won) >= next_check:
                next_check = int(next_check * PATIENCE)
                clear = _is_clear(remaining, ai.trust)
        remaining.sort(key=lambda each: -each.chance(ai.trust))
        if round_ < rounds - 1 and not clear:
            half = (len(remaining) + 1) // 2
            # best first: these are better than the moves dropped in earlier rounds
            remaining, dropped = remaining[:half], remaining[half:] + dropped
    tried = remaining + dropped
    tries = sum(len(each.won) for each in tried)
    # a rating says which move is better, but it may find all of them too good or too bad
    shift = sum(sum(each.won) - each.rating * len(each.won) for each in tried) / tries
    return [
        Option(each.move, min(1.0, max(0.0, each.chance(ai.trust, shift))), len(each.won))
        for each in tried
    ]


def _is_clear(remaining: Sequence[_Tried], trust: float) -> bool:
    """Tell whether a move is better than all others by more than luck explains.

    All were tried in the same worlds. Luck that they share does not matter, so only the differences
    count.
    """
    first = max(remaining, key=lambda each: each.chance(trust))
    count = len(first.won) + 1
    for other in remaining:
        if other is first:
            continue
        differences = [own - its for own, its in zip(first.won, other.won, strict=True)]
        # count one more try that went fully the other way: rare outcomes may be unseen, and a few
        # equal differences prove little
        mean = (sum(differences) - 1) / count
        variance = (sum(each * each for each in differences) + 1) / count - mean * mean
        if mean < CLEAR * sqrt(variance / (count - 1)):
            return False
    return True


def pick_move(options: Sequence[Option], level: Level, rng: Random) -> Any:
    """Return the option that a player of this level picks; the options are sorted, best first."""
    if not level.overlooked and not level.softness:
        return options[0].move
    noticed = [option for option in options if rng.random() >= level.overlooked]
    if not noticed:
        return rng.choice(options).move
    best = max(option.chance for option in noticed)
    weights = [exp((option.chance - best) / level.softness) for option in noticed]
    return rng.choices(noticed, weights)[0].move


def open_ai(game: Game) -> GameAI:
    """Return the AI of a game without one of its own, in which nothing is hidden."""
    return GameAI(lambda setup, rng: OpenDeal(game.begin(setup)))  # noqa: ARG005

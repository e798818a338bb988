"""Games between programs: seats rotate, the share of wins comes with its 95 % interval.

A bot is any callable: `bot(position, given, rng)` returns a legal move or its token. A bot with a
fourth parameter `hands` sees every seat's hand.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from math import sqrt
from random import Random
from typing import Any

from ai.search import GameAI
from engines.game import AnyPosition, Game, Move, Player, Refusal, Setup

Bot = Callable[..., Any]
Watcher = Callable[[AnyPosition, Move | None], None]
"""Called with a game's first position and None, then with every move and the position after it."""
MOVE_LIMIT = 5_000
"""A longer game is a draw."""


class BotError(Exception):
    """A bot made an illegal move; the refusal says why, as a code of the record format."""

    def __init__(self, seat: int, refusal: Refusal) -> None:
        super().__init__(f"{refusal.move}: {refusal.code}")
        self.seat = seat
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class ShareTally:
    """The wins and games of a bot; a shared win counts in part."""

    won: float
    games: int

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share: Wilson's, which holds near 0 and 1 too."""
        if not self.games:
            return 0.0, 1.0
        # z is the normal distribution's quantile for 95 %
        z, n, p = 1.96, self.games, self.share
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - half), min(1.0, middle + half)


def make_bot(ai: GameAI, level: str, looks: int) -> Bot:
    """Return the AI as a bot of this level, with so many looks for each move."""

    def bot(position: Any, given: Any, rng: Random) -> Any:
        return ai.choose(position, given, level, looks, rng)

    return bot


def _read(answer: object, position: AnyPosition) -> Move | Refusal:
    """Return a bot's answer as a move, or the refusal: a bot may return anything."""
    if isinstance(answer, str):
        return position.parse(answer)
    if isinstance(answer, Move | Refusal):
        return answer
    return Refusal("bad-move", str(answer)[:40])  # cut: it is shown in the error


def play_game(
    ai: GameAI, setup: Setup, bots: Sequence[Bot], rng: Random, watch: Watcher | None = None
) -> list[float]:
    """Play one game, a bot a seat; return each seat's share of the win.

    BotError where a bot's move is not legal. A draw gives every seat the same share.
    """
    # however much chance a bot uses to think: the cards and dice stay the same
    thinking = Random(rng.getrandbits(64))
    deal = ai.deal(setup, rng)
    if watch is not None:
        watch(deal.position, None)
    sees_hands = ["hands" in signature(bot).parameters for bot in bots]
    for _ in range(MOVE_LIMIT):
        position: AnyPosition = deal.position
        if position.result is not None:
            break
        seat = position.seat
        given = deal.given()
        extra: dict[str, Any] = {"hands": deal.hands()} if sees_hands[seat] else {}
        move = _read(bots[seat](position, given, thinking, **extra), position)
        if isinstance(move, Refusal):
            raise BotError(seat, move)
        refusal = position.refusal(move)
        if refusal is not None:
            raise BotError(seat, refusal)
        deal.play(move)
        if watch is not None:
            watch(deal.position, move)
    result = deal.position.result
    winners = result.winners if result else ()
    if not winners:
        return [1 / len(bots)] * len(bots)
    # a team of several shares a win as one
    sharing = len({player.colour for player in setup.players if player.name in winners})
    return [(player.name in winners) / sharing for player in setup.players]


def seat_players(game: Game, count: int) -> Setup:
    """Return a set-up with so many players; where there are more than colours they are teams."""
    # four are two teams of two in a game of three colours
    teams = max(n for n in range(1, len(game.colours) + 1) if count % n == 0)
    return Setup(tuple(Player(f"P{seat}", game.colours[seat % teams]) for seat in range(count)))


def play_rotation(
    ai: GameAI,
    setup: Setup,
    bots: Sequence[Bot],
    seed: int,
    number: int,
    watch: Watcher | None = None,
) -> list[float]:
    """Play game `number` of a match; return each bot's share of the win, in the order of `bots`.

    The seats rotate; a round, one game for each rotation, has the same cards or dice. The `seat`
    of a BotError is the index of the bot.
    """
    count = len(bots)
    rotation = number % count
    seats = [bots[(seat + rotation) % count] for seat in range(count)]
    rng = Random(f"{seed} {number // count}")  # the same luck for the whole round
    try:
        shares = play_game(ai, setup, seats, rng, watch)
    except BotError as error:
        raise BotError((error.seat + rotation) % count, error.refusal) from error
    return [shares[(bot - rotation) % count] for bot in range(count)]


def play_matches(
    game: Game, ai: GameAI, bots: Sequence[Bot], games: int, seed: int
) -> Iterator[list[float]]:
    """Play a number of games; yield each bot's share of each win, in the order of `bots`.

    The seats rotate, and every round of rotations is dealt the same cards or dice. The `seat` of
    a BotError is the index of the bot.
    """
    setup = seat_players(game, len(bots))
    for number in range(games):
        yield play_rotation(ai, setup, bots, seed, number)

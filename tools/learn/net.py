"""The nets of numeri, which learn from games against themselves: by edition, for two and for more.

In the first generation everybody is greedy, then the net chooses the moves. A later edition's net
begins as the first edition's without the stone that it lacks, and chooses from the start. The
target of a position is its outcome and the net's chances in later positions, nearer ones weighted
more. Many games are played on random tracks, because owners key in their own values.
"""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module, resources
from random import Random
from typing import Any, NamedTuple

from ai.api import final_shares
from ai.match import seat_players
from ai.numeri.value import LIMIT, OF_STONE, ONE, PRECISE, ROLLS, TrackReader, ends_of
from ai.weights_file import Weights, read_weights
from engines import GAMES
from engines.numeri.board import LARGE, Track, make_track
from engines.numeri.notation import EDITIONS, FIRST
from engines.numeri.rules import NumeriPosition, begin
from tools.learn import SEED, say, text_of

KINDS = {
    f"{kind}-{edition}": (edition, counts)
    for edition in EDITIONS
    for kind, counts in (("two", (2,)), ("more", (3, 4)))
}
"""For each net the edition, and the numbers of players in the games that it learns from."""
WIDTHS = {"two-1973": 120, "more-1973": 124, "two-2009": 102, "more-2009": 106}
"""The number of inputs of each net."""
UNITS = 32
GENERATIONS = 7
STRAY = 0.08
"""The share of moves by chance, so that the games reach positions which the net avoids."""
KEPT = 0.25
"""The share of positions that are learnt from: neighbours are nearly alike."""
TRACE = 0.9
"""The factor by which each later position counts less."""
ON_SAMPLE = 0.6
"""The share of games on the edition's sample track."""
LONGEST = 600
"""A game is broken off after so many moves; none was so long."""
BATCH = 2_048
"""Positions per step for a new net."""
LATER_BATCH = 256
"""Positions per step for a net that begins as another one: it learns from fewer games."""
RATE = 0.003
SLOPE = 0.01
"""The slope of a saturated unit, so that it can still learn."""
LARGEST = 15
"""The largest weight of an input: the sums must fit 32 bits."""


class NetLesson(NamedTuple):
    """Positions: each player's inputs, and the chances; with two players, only the mover's."""

    inputs: Any
    chances: Any

    def joined(self, other: "NetLesson") -> "NetLesson":
        """Return the positions of both."""
        np = import_module("numpy")
        return NetLesson(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))


class Net:
    """A net with one hidden layer of units, cut off at 0 and 1; their weighted sum is log-odds.

    Its inputs are 0 to 1. It begins with small weights by chance, or as `weights` says.
    """

    def __init__(self, width: int, weights: Weights | None = None) -> None:
        self.np = np = import_module("numpy")
        self._base, self._batch = 0, BATCH
        self._chance = np.random.default_rng(SEED)
        self.parts: list[Any] = [
            self._chance.normal(0, 0.25, (UNITS, width)).astype(np.float32),
            np.full(UNITS, 0.2, np.float32),
            self._chance.normal(0, 0.3, UNITS).astype(np.float32),
        ]
        """The weights of the units' inputs, what is added to them, the weights of the units."""
        if weights is not None:
            self._base, self._batch = weights["base"], LATER_BATCH
            scales = {"inner": PRECISE, "bias": PRECISE * ONE, "outer": PRECISE}
            self.parts = [np.array(weights[at], np.float32) / by for at, by in scales.items()]
        self._means = [np.zeros_like(part) for part in self.parts]
        self._squares = [np.zeros_like(part) for part in self.parts]
        self._steps = 0

    def train(self, lesson: NetLesson, epochs: int, rate: float) -> None:
        """Fit the chances: Adam, with a rate that falls to a tenth."""
        np, batches = self.np, len(lesson.chances) // self._batch
        for step in range(epochs * batches):
            if step % batches == 0:
                order = self._chance.permutation(len(lesson.chances))
            some = np.sort(order[step % batches * self._batch :][: self._batch])
            slopes = self._slopes(lesson.inputs[some] / np.float32(ONE), lesson.chances[some])
            self._steps += 1
            size = rate * (1 - 0.9 * step / (epochs * batches))
            size *= (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
            for at, slope in enumerate(slopes):
                self._means[at] += 0.1 * (slope - self._means[at])
                self._squares[at] += 0.001 * (slope * slope - self._squares[at])
                way = self._means[at] / (np.sqrt(self._squares[at]) + 1e-8)
                self.parts[at] -= np.float32(size) * way
            np.clip(self.parts[0], -LARGEST, LARGEST, out=self.parts[0])

    def _slopes(self, inputs: Any, chances: Any) -> list[Any]:
        """Return the gradient of the log loss; an absent seat has -1."""
        np, (inner, bias, outer) = self.np, self.parts
        rows = inputs.reshape(-1, inputs.shape[-1])
        heats = rows @ inner.T + bias
        units = np.clip(heats, 0, 1)
        odds = (units @ outer + self._base / LIMIT).reshape(chances.shape)
        if chances.shape[1] == 1:
            said = 1 / (1 + np.exp(-odds))
        else:
            said = np.where(chances < 0, 0, np.exp(odds - odds.max(1, keepdims=True)))
            said /= said.sum(1, keepdims=True)
        errors = np.where(chances < 0, 0, said - chances).reshape(-1) / len(chances)
        errors = errors.astype(np.float32)
        slope = np.where((heats > 0) & (heats < 1), np.float32(1), np.float32(SLOPE))
        back = errors[:, None] * outer * slope
        return [back.T @ rows, back.sum(0), units.T @ errors]

    def whole(self) -> dict[str, Any]:
        """Return the net in whole numbers, as in the model's file."""
        inner, bias, outer = ((part * PRECISE).round() for part in self.parts)
        bias = (self.parts[1] * PRECISE * ONE).round()
        return {
            "base": self._base,
            "bias": bias.astype(int).tolist(),
            "outer": outer.astype(int).tolist(),
            "inner": inner.astype(int).tolist(),
        }


@cache
def probing(width: int) -> Weights:
    """Return a net with one unit for each input, which it copies."""
    units = [[int(unit == at) for at in range(width)] for unit in range(width)]
    return {"base": 0, "bias": [0] * width, "outer": [1] * width, "inner": units}


def random_track(rng: Random, edition: str) -> Track:
    """Return a plausible track: values that mostly rise, and white fields.

    The later edition's begins with negative values, and its barriers are in the first half.
    """
    length = rng.randint(26, 56)
    most = rng.choice((5, 10, 20, 50))
    scoring = rng.sample(range(3, length - LARGE), rng.randint(6, length // 2))
    values = [0] * length
    value = 0
    for field in sorted(scoring):
        value += rng.randint(0, most)
        values[field] = value if rng.random() < 0.9 else rng.randint(0, value + most)
    for field in range(length - LARGE, length):
        value += rng.randint(1, 2 * most)
        values[field] = value
    if edition == FIRST.name:
        return make_track(values)
    below = rng.randint(3, 9)
    values[:below] = sorted(rng.randint(-most, -1) for _ in range(below))
    return make_track(values, [(count, rng.randint(5, length // 2)) for count in (2, 3, 4)])


def greedy(position: NumeriPosition, roll: int) -> int:
    """Return the end of a roll that a greedy player prefers: a chain, points, a long way."""
    seat, ends = position.seat, position.previews(roll)
    wishes = [
        (bool(end.chains), end.after.points(seat), sum(way.end - way.start for way in end.steps))
        for end in ends
    ]
    return wishes.index(max(wishes)) if wishes else 0


def play_game(
    position: NumeriPosition, reader: TrackReader | None, rng: Random
) -> list[tuple[NumeriPosition, list[float]]]:
    """Play a game, greedily without a net; return some positions with their target chances."""
    trail: list[tuple[NumeriPosition, list[float], bool, bool]] = []
    while position.result is None and len(trail) < LONGEST:
        roll = ROLLS[int(rng.random() * len(ROLLS))]
        ends = [after for _, after in ends_of(position, roll)]
        said: list[float] = []
        if reader is None:
            best = greedy(position, roll)
        else:
            found = [reader.chances(after) for after in ends]
            best = max(range(len(ends)), key=lambda at: found[at][position.seat])
            said = found[best]
        stray, other = rng.random() < STRAY, int(rng.random() * len(ends))
        trail.append((position, said, stray, rng.random() < KEPT))
        position = ends[other if stray else best]
    chances = final_shares(position)
    lessons: list[tuple[NumeriPosition, list[float]]] = []
    for before, said, stray, kept in reversed(trail):
        if said:
            # after a random move the outcome says nothing about the position before it
            trace = 0.0 if stray else TRACE
            chances = [
                (1 - trace) * now + trace * later for now, later in zip(said, chances, strict=True)
            ]
        if kept:
            lessons.append((before, chances))
    return lessons[::-1]


def play_games(kind: str, weights: Weights | None, games: int, generation: int) -> NetLesson:
    """Play games with a net, or greedily without one, and return their lessons."""
    np = import_module("numpy")
    rows, targets = array("h"), array("f")
    width, (edition, counts) = WIDTHS[kind], KINDS[kind]
    seats = 1 if counts == (2,) else max(counts)
    for number in range(games):
        rng = Random(f"{kind} {generation} {number}")
        setup = seat_players(GAMES["numeri"], counts[number % len(counts)])
        first = begin(replace(setup, rules={"edition": edition}))
        if rng.random() >= ON_SAMPLE:
            track = random_track(rng, edition)
            barrier = dict(track.barriers).get(len(first.players))
            first = replace(first, track=track, edition=replace(first.edition, barrier=barrier))
        reader = TrackReader(first.track, first.edition, weights) if weights else None
        probe = TrackReader(first.track, first.edition, probing(width))
        for position, chances in play_game(first, reader, rng):
            heats = probe.heats(position)
            for row in heats:
                rows.extend(row)
            rows.extend([0] * width * (seats - len(heats)))
            taught = [chances[position.seat]] if seats == 1 else chances
            targets.extend(taught + [-1] * (seats - len(heats)))
    return NetLesson(
        np.frombuffer(rows, np.int16).reshape(-1, seats, width),
        np.frombuffer(targets, np.float32).reshape(-1, seats),
    )


def without_last_stone(weights: Weights) -> Weights:
    """Return a net of the first edition that does not read the last stone, own or others'."""
    block = FIRST.stones * OF_STONE
    inner = [
        [each for at, each in enumerate(row) if at // OF_STONE % FIRST.stones != FIRST.stones - 1]
        for row in (row[: 2 * block] for row in weights["inner"])
    ]
    tables = (row[2 * block :] for row in weights["inner"])
    return {**weights, "inner": [own + table for own, table in zip(inner, tables, strict=True)]}


def learn_net(kind: str, games: int, weights: Weights | None) -> Weights:
    """Return a net after GENERATIONS of this many games each; it begins as `weights`, if any."""
    net = Net(WIDTHS[kind], weights)
    lessons: list[NetLesson] = []
    for generation in range(GENERATIONS):
        # learns from the last two generations; the first one played without a net
        lessons = [*lessons[-1:], play_games(kind, weights, games, generation)]
        lesson = lessons[-1] if generation < 2 else lessons[0].joined(lessons[1])
        rate = RATE if generation < GENERATIONS - 2 else RATE / 3
        net.train(lesson, 2 if generation else 3, rate)
        weights = net.whole()
        say(f"{kind}, generation {generation}: {len(lessons[-1].chances)} positions")
    return weights or {}


def heads_of_others(kinds: Sequence[str]) -> list[str]:
    """Return the lines in the file's head about its other nets."""
    text = resources.files("ai.numeri").joinpath("model.toml").read_text("utf-8")
    head = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    return [line for line in head if not any(kind in line for kind in kinds)]


def learn(games: int, edition: str = "") -> str:
    """Return the model's file; with an edition only its nets are learnt, the others are kept."""
    kinds = [kind for kind in KINDS if kind.endswith(edition)]
    nets = {**read_weights("numeri", "model")}
    for kind in kinds:
        first = kind.replace(KINDS[kind][0], FIRST.name)
        nets[kind] = learn_net(
            kind, games, None if kind == first else without_last_stone(nets[first])
        )
    how = f"python -m tools.learn numeri {games} {edition}".rstrip()
    head = [f"{', '.join(kinds)}: found by {how}, {GENERATIONS} generations of so many games."]
    return text_of([*heads_of_others(kinds), *head], nets)

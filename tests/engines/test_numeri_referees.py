"""Both editions of numeri: whole random games, told alike by a second, plain referee."""

from random import Random
from typing import cast

import pytest

from engines.board import read_table
from engines.game import steps
from engines.numeri.board import BOARD
from engines.numeri.rules import NumeriPosition, score
from engines.record import Record, begin, parse, write
from tests.engines.numeri_referee import Referee
from tests.engines.steps import over, play, refused

NAMES = ("Anna", "Ben", "Cara", "Dora")
COLOURS = ("yellow", "red", "green", "blue")
ROLLS = {"1973": "123456", "2009": "12345*"}
# every split of both editions, in every order, right and wrong, and what is no token or no roll
TOKENS = tuple(
    word
    for line in (
        "0 6 7 * *: *:* *:0 *:6 *:1,2 *:-,1 **:1 6:* 4*:1 4:4 1:1 5:1,2,2 6:6 5:- 6:- 7:- *:- 1:-",
        "2:- 3:- 4:- *:1 *:2 *:3 *:4 *:5 1 2 3 4 5 3:1,2 3:2,1 4:1,3 4:3,1 5:1,4 5:4,1 5:2,3 5:3,2",
        "5:5,0 5:0,1,4 6:1,5 6:5,1 6:2,4 6:4,2 6:1,2,3 6:3,2,1 6:2,1,3 6:0,6",
    )
    for word in line.split()
)
BY_NIGHT = [pytest.param(seed, 300, marks=pytest.mark.nightly) for seed in range(1, 11)]
"""Seeds, each with a number of games."""


def random_track(random: Random, edition: str, count: int) -> tuple[list[int], int, str]:
    """Return the values, the barrier for so many players, and both in words."""
    fields = random.randint(5, 40)
    least = -5 if edition == "2009" else 0
    values = [random.choice((0, random.randint(least, 60))) for _ in range(fields)]
    if edition == "1973":
        return values, 0, " ".join(map(str, values))
    barriers = {str(players): random.randint(1, fields - 1) for players in (2, 3, 4)}
    if random.random() < 0.2:  # a track may have only one
        barriers = {str(count): barriers[str(count)]}
    words = []
    for field, value in enumerate(values, 1):
        here = "".join(players for players, before in barriers.items() if before == field)
        words += [str(value), f"|{here}"] if here else [str(value)]
    return values, barriers[str(count)], " ".join(words)


def play_beside(random: Random, edition: str) -> None:
    """Play a random game to its end and compare every position, roll and token on the way."""
    count = random.randint(2, 4)
    values, barrier, words = random_track(random, edition, count)
    start = random.choice(NAMES[:count])
    pairs = ", ".join(f"{NAMES[seat]} {COLOURS[seat]}" for seat in range(count))
    tags = {"Game": "numeri", "Players": pairs, "Start": start, "BoardData": words}
    tags |= {} if edition == "1973" else {"Rules": "edition=2009"}
    position = begun(write(Record(tags, ())))
    stones = {name: [0] * (5 if edition == "2009" else 6) for name in NAMES[:count]}
    referee = Referee(edition, values, barrier, list(NAMES[:count]), stones, start)
    played: list[str] = []
    while not referee.finished():
        assert position.players[position.seat].name == referee.to_move
        legal = {roll: referee.legal(roll) for roll in ROLLS[edition]}
        for side, roll in enumerate(ROLLS[edition], 1):
            assert [move.token for move in position.legal(side)] == legal[roll]
        for token in TOKENS:
            assert refused(position, token) == referee.violation(token), token
        token = random.choice(legal[random.choice(ROLLS[edition])])
        position, events = play(position, token)
        told = [{"event": event.code, **event.facts} for event in events]
        assert told == referee.play(token), token
        assert [list(position.stones(seat)) for seat in range(count)] == [*referee.stones.values()]
        assert score(position).as_json() == referee.result()
        played.append(token)
    assert over(position).as_json() == referee.result()
    assert {refused(position, token) for token in TOKENS} == {"game-over"}
    # the record written down is read as the same game
    record = parse(write(Record(tags, tuple(played))))
    assert steps(begun(write(record)), record.tokens)[-1].after == position
    # and the last position is one that a record may begin with
    set_up = begun(write(Record({**tags, "Position": position.describe()}, ())))
    assert over(set_up) == position.result


def begun(text: str) -> NumeriPosition:
    _, position = begin(parse(text))
    return cast(NumeriPosition, position)


@pytest.mark.parametrize("edition", ROLLS)
@pytest.mark.parametrize(("seed", "games"), [(0, 20), *BY_NIGHT])
def test_a_second_referee_agrees_in_every_position_and_every_roll(
    edition: str, seed: int, games: int
) -> None:
    random = Random(f"{edition} {seed}")
    for _ in range(games):
        play_beside(random, edition)


def test_a_track_of_either_edition_is_written_to_a_file_and_read_from_it() -> None:
    random = Random(1)
    for edition in ROLLS:
        for _ in range(20):
            words = tuple(random_track(random, edition, 2)[2].split())
            assert BOARD.words(read_table(BOARD.toml("mine", words))) == words

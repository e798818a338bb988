"""The net that rates positions of numeri: what it reads, what it says, and how it learns."""

from collections.abc import Iterator
from math import exp
from random import Random

import pytest

from ai.match import play_matches
from ai.numeri import AI
from ai.numeri.value import ONE, PRECISE, TrackReader, chances, ends_of, rate
from ai.weights_file import read_weights
from engines import GAMES, begin, parse
from engines.numeri.rules import NumeriPosition
from tests.ai.opponents.numeri import greedy
from tools.learn.net import WIDTHS, probing

PLAYERS = "Anna yellow, Ben red", "Anna yellow, Ben red, Cleo green, Dora blue"


def start(*tags: str, players: str = PLAYERS[0]) -> NumeriPosition:
    """Return the start of a game with these lines of tags."""
    lines = ['[Game "numeri"]', f'[Players "{players}"]', *tags]
    _, position = begin(parse("\n".join(lines) + "\n"))
    assert isinstance(position, NumeriPosition)
    return position


def games(
    count: int, *tags: str, players: str = PLAYERS[0]
) -> Iterator[tuple[NumeriPosition, int]]:
    """Yield every position of games by chance, with a roll."""
    for number in range(count):
        chance = Random(number)
        position = start(*tags, players=players)
        while position.result is None:
            roll = chance.randint(1, 6)
            yield position, roll
            position, _ = position.play(chance.choice(position.legal(roll)))


def chains_with(position: NumeriPosition, seat: int, stone: int) -> bool:
    """Tell whether a stone would make a run of three with its next move, by the rules."""
    fields = list(position.stones(seat))
    end = position.next_free(fields[stone])
    if end is None:
        return False
    fields[stone] = end
    own = {*fields} - {0}
    return any({first, first + 1, first + 2} <= own for first in range(end - 2, end + 1))


def inputs_of(position: NumeriPosition, seat: int) -> list[int]:
    """Return what the net should read for a seat, from the rules; of two players for the mover."""
    values = (0, *position.track.values)
    length, most = len(position.track.values), max(1, 6 * max(position.track.values))
    count = len(position.players)
    stones = [[0] * 54, [0] * 54]
    wholes = [[0, 0, 0], [0, 0, 0]]
    for each in range(count):
        read, whole = stones[each != seat], wholes[each != seat]
        for stone, field in enumerate(position.stones(each)):
            ways = [field]
            while (following := position.next_free(ways[-1])) is not None:
                ways.append(following)
            next_two = [values[way] for way in ways[1:3]] + [0, 0]
            worth = [(stone + 1) * value * ONE // most for value in (values[field], *next_two[:2])]
            left = len(ways) - 1
            chain = chains_with(position, each, stone)
            numbers = [
                ONE * (not field),
                ONE * field // length,
                min(left, 16) * ONE // 16,
                ONE * (not left),
                ONE * (field > length - 3),
                *worth,
                ONE * chain,
            ]
            for at, number in enumerate(numbers):
                read[stone * 9 + at] += number
            whole[1] += chain
        whole[0] += position.points(each)
        whole[2] += 0 not in position.stones(each)
    found = stones[0] + stones[1]
    for own, others in zip(*wholes, strict=True):
        found += [own, others]
    points, chains, complete = slice(108, 110), slice(110, 112), slice(112, 114)
    found[points] = [number * ONE // (3 * most) for number in found[points]]
    found[chains] = [number * ONE // 6 for number in found[chains]]
    found[complete] = [number * ONE for number in found[complete]]
    large = sum(position.taken >> field & 1 for field in range(length - 2, length + 1))
    found += [ONE * (large == 1), ONE * (large == 2)]
    best = max(position.points(other) for other in range(count) if other != seat)
    ahead = position.points(seat) - best
    lead = abs(ahead) * ONE // most
    for scale in (1, 8):
        cut = min(ONE, scale * lead)
        found += [cut, 0] if ahead > 0 else [0, cut]
    turns = (seat - position.seat) % count
    more = [ONE * (turns == 1), ONE * (turns == 2), ONE * (turns == 3), ONE * (count == 4)]
    return found + (more if count > 2 else [])


@pytest.mark.parametrize(("players", "kind"), list(zip(PLAYERS, WIDTHS, strict=True)))
@pytest.mark.parametrize("values", ["", "1 2 3", "0 0 0 0 0 0 0 0 0"])
def test_a_net_reads_what_the_rules_say(players: str, kind: str, values: str) -> None:
    own = ('[Board "own"]', f'[BoardData "{values}"]') if values else ()
    for number, (position, _) in enumerate(games(3, *own, players=players)):
        if number % 5 == 0:
            seats = [position.seat] if kind == "two" else range(len(position.players))
            read = TrackReader(position.track, probing(WIDTHS[kind])).heats(position)
            assert [list(row) for row in read] == [inputs_of(position, seat) for seat in seats]


@pytest.mark.parametrize(("players", "kind"), list(zip(PLAYERS, WIDTHS, strict=True)))
def test_the_packed_sums_are_those_of_the_net(players: str, kind: str) -> None:
    net = read_weights("numeri", "model")[kind]
    for number, (position, _) in enumerate(games(2, players=players)):
        if number % 9:
            continue
        odds = [0.0] * len(position.players)
        for seat in [position.seat] if kind == "two" else range(len(position.players)):
            read, total = inputs_of(position, seat), net.get("base", 0)
            for weights, bias, outer in zip(net["inner"], net["bias"], net["outer"], strict=True):
                heat = bias + sum(map(int.__mul__, read, weights))
                total += min(max(0, heat // PRECISE), ONE) * outer
            odds[seat] = total / (ONE * PRECISE)
        parts = [exp(each) for each in odds]
        assert chances(position) == pytest.approx([part / sum(parts) for part in parts])


@pytest.mark.parametrize("players", PLAYERS)
def test_a_net_sees_who_is_ahead(players: str) -> None:
    tables = (
        "yellow 6@38; red 1@36 2@1 3@2 4@3 5@4 6@5",
        "yellow 1@38 2@1 3@2 4@3 5@4 6@5; red 6@37",
    )
    shares = []
    for table in tables:
        found = chances(start(f'[Position "{table}"]', players=players))
        assert sum(found) == pytest.approx(1)
        shares.append(found[0] / (found[0] + found[1]))
    assert shares[0] > 0.6
    assert shares[0] > shares[1] + 0.1


def test_a_rating_knows_what_a_finished_game_won_and_orders_of_one_end_alike() -> None:
    ended = 0
    for position, roll in games(6):
        rated = dict(rate(position, roll))
        assert set(rated) == set(position.legal(roll))
        assert list(rated.values()) == sorted(rated.values(), reverse=True)
        for orders, after in ends_of(position, roll):
            assert len({rated[move] for move in orders}) == 1
            if after.result is not None:
                name = position.players[position.seat].name
                winners = after.result.winners
                assert rated[orders[0]] == ((name in winners) / len(winners))
                ended += 1
    assert ended > 3


def test_a_known_roll_has_the_chance_of_its_best_move() -> None:
    for position, roll in games(1):
        best = rate(position, roll)[0][1]
        assert chances(position, roll)[position.seat] == pytest.approx(best)


@pytest.mark.parametrize(("players", "share"), [(2, 0.62), (3, 0.36), (4, 0.26)])
def test_rating_alone_beats_greedy_players(players: int, share: float) -> None:
    bots = [lambda position, given, _: rate(position, given)[0][0], *[greedy] * (players - 1)]
    won = [own for own, *_ in play_matches(GAMES["numeri"], AI, bots, 60 * players, 3)]
    assert sum(won) / len(won) > share

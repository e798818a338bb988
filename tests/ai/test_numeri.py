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
LATER = '[Rules "edition=2009"]'
NETS = {
    "two-1973": (PLAYERS[0], ()),
    "more-1973": (PLAYERS[1], ()),
    "two-2009": (PLAYERS[0], (LATER,)),
    "more-2009": (PLAYERS[1], (LATER,)),
}
"""By net the players and the tags of a game that it rates."""
TRACKS = {
    "1973": ("1 2 3", "0 0 0 0 0 0 0 0 0"),
    "2009": ("-3 |234 2 3", "-9 -1 0 |24 0 |3 0 -2 -3 0 0", "-1 |234 -2 -3 -4 -5 -6 -7 -8 -9"),
}


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
    values = (position.edition.in_hand, *position.track.values)
    own = position.edition.stones
    length, most = len(position.track.values), max(1, own * max(map(abs, values)))
    count = len(position.players)
    stones = [[0] * 9 * own, [0] * 9 * own]
    wholes = [[0, 0, 0], [0, 0, 0]]
    for each in range(count):
        read, whole = stones[each != seat], wholes[each != seat]
        for stone, field in enumerate(position.stones(each)):
            ways = [field]
            while (following := position.next_free(ways[-1])) is not None:
                ways.append(following)
            next_two = [position.track.values[way - 1] for way in ways[1:3]] + [0, 0]
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
        barrier = dict(position.track.barriers).get(count)
        beyond = [field > barrier for field in position.fields] if barrier else []
        whole[2] += any(beyond) if barrier else 0 not in position.stones(each)
    found = stones[0] + stones[1]
    for pair, scale in zip(zip(*wholes, strict=True), (3 * most, own, 1), strict=True):
        found += [number * ONE // scale for number in pair]
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


@pytest.mark.parametrize("kind", NETS)
def test_a_net_reads_what_the_rules_say(kind: str) -> None:
    players, rules = NETS[kind]
    for values in ("", *TRACKS[kind.partition("-")[2]]):
        own = ('[Board "own"]', f'[BoardData "{values}"]') if values else ()
        for number, (position, _) in enumerate(games(3, *own, *rules, players=players)):
            if number % 5 == 0:
                seats = [position.seat] if players == PLAYERS[0] else range(4)
                reader = TrackReader(position.track, position.edition, probing(WIDTHS[kind]))
                read = [list(row) for row in reader.heats(position)]
                assert read == [inputs_of(position, seat) for seat in seats]


@pytest.mark.parametrize("kind", NETS)
def test_the_packed_sums_are_those_of_the_net(kind: str) -> None:
    players, rules = NETS[kind]
    net = read_weights("numeri", "model")[kind]
    for number, (position, _) in enumerate(games(2, *rules, players=players)):
        if number % 9:
            continue
        odds = [0.0] * len(position.players)
        for seat in [position.seat] if players == PLAYERS[0] else range(4):
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


@pytest.mark.parametrize(
    ("players", "share"), [(2, 0.62), pytest.param(3, 0.36, marks=pytest.mark.nightly), (4, 0.26)]
)
def test_rating_alone_beats_greedy_players(players: int, share: float) -> None:
    bots = [lambda position, given, _: rate(position, given)[0][0], *[greedy] * (players - 1)]
    won = [own for own, *_ in play_matches(GAMES["numeri"], AI, bots, 60 * players, 3)]
    assert sum(won) / len(won) > share

"""The net that rates positions of numeri: what it reads, what it says, and how it learns."""

import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ai.halving import share_of
from ai.numeri.thinking import NO_MOVE, net_with
from ai.odds import CERTAIN
from engines import begin, parse
from engines.numeri import NumeriPosition
from tests.ai.play_outs import KINDS, needs_compiled, playing, squared_error

ONE = 1_024
OF_STONE = 9
AFTER = 12 * OF_STONE
"""Where the inputs of the whole position begin."""


def start(*tags: str) -> NumeriPosition:
    """Return the start of a game of two with these lines of tags."""
    lines = ['[Game "numeri"]', '[Players "Anna yellow, Ben red"]', *tags]
    _, position = begin(parse("\n".join(lines) + "\n"))
    assert isinstance(position, NumeriPosition)
    return position


def games(count: int, *tags: str) -> Iterator[tuple[NumeriPosition, int]]:
    """Yield every position of games of two by chance, with a roll."""
    for number in range(count):
        chance = Random(number)
        position = start(*tags)
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


def inputs_of(position: NumeriPosition) -> list[int]:
    """Return what the net should read, from the rules."""
    values = (0, *position.track.values)
    length, most = len(position.track.values), max(1, 6 * max(position.track.values))
    found: list[int] = []
    wholes: list[tuple[int, int, int]] = []
    for seat in (position.seat, 1 - position.seat):
        chains = 0
        for stone, field in enumerate(position.stones(seat)):
            ways = [field]
            while (following := position.next_free(ways[-1])) is not None:
                ways.append(following)
            next_two = [values[way] for way in ways[1:3]] + [0, 0]
            worth = [(stone + 1) * value * ONE // most for value in (values[field], *next_two[:2])]
            left = len(ways) - 1
            chains += chains_with(position, seat, stone)
            found += [
                ONE * (not field),
                ONE * field // length,
                min(left, 16) * ONE // 16,
                ONE * (not left),
                ONE * (field > length - 3),
                *worth,
                ONE * chains_with(position, seat, stone),
            ]
        all_in_play = ONE * (0 not in position.stones(seat))
        wholes.append((position.points(seat) * ONE // (3 * most), chains * ONE // 6, all_in_play))
    for own, other in zip(*wholes, strict=True):
        found += [own, other]
    large = sum(position.taken >> field & 1 for field in range(length - 2, length + 1))
    found += [ONE * (large == 1), ONE * (large == 2)]
    points = position.points(position.seat) - position.points(1 - position.seat)
    lead = abs(points) * ONE // most
    for scale in (1, 8):
        cut = min(ONE, scale * lead)
        found += [cut, 0] if points > 0 else [0, cut]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_net_reads_what_the_rules_say(kind: str) -> None:
    with playing("numeri", kind) as thinking:
        for count, (position, _) in enumerate(games(3)):
            if kind == "compiled" or count % 7 == 0:
                assert thinking.new_playout(position).read_inputs() == inputs_of(position)


def test_the_net_reads_a_track_of_three_fields_and_one_without_values() -> None:
    for values in ("1 2 3", "0 0 0 0 0 0 0 0 0"):
        with playing("numeri", KINDS[0]) as thinking:
            for position, _ in games(1, '[Board "own"]', f'[BoardData "{values}"]'):
                assert thinking.new_playout(position).read_inputs() == inputs_of(position)


def test_compiled_and_as_python_short_play_outs_are_the_same() -> None:
    outcomes = []
    for kind in reversed(KINDS):
        with playing("numeri", kind) as thinking:
            found: list[Any] = []
            for number, (position, roll) in enumerate(games(1)):
                if number % 5:
                    continue
                root, playout = thinking.new_playout(position), thinking.new_playout(position)
                seen = playout.foresee(root, NO_MOVE, number * 7919, 6)
                assert 0 <= seen <= CERTAIN
                found.append((seen, root.value(), root.expect(), root.wise(roll)))
            outcomes.append(found)
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("kind", KINDS)
def test_looking_at_a_move_leaves_the_position_as_it_was(kind: str) -> None:
    with playing("numeri", kind) as thinking:
        for position, roll in games(1):
            playout = thinking.new_playout(position)
            move = playout.wise(roll)
            assert move in (playout.legal(roll) or [0])
            assert list(playout.fields[:12]) == list(position.fields)
            assert playout.seat == position.seat
            assert playout.read_inputs() == thinking.new_playout(position).read_inputs()


SEEN = [
    ("yellow 6@38; red 1@36 2@1 3@2 4@3 5@4 6@5", 0.75, 1.0),
    ("yellow 1@38 2@1 3@2 4@3 5@4 6@5; red 6@37", 0.0, 0.35),
]


@pytest.mark.parametrize(("table", "least", "most"), SEEN)
def test_the_net_sees_who_is_ahead(table: str, least: float, most: float) -> None:
    with playing("numeri", KINDS[0]) as thinking:
        playout = thinking.new_playout(start(f'[Position "{table}"]'))
        assert least <= playout.value() / CERTAIN <= most


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_that_ends_the_game_is_worth_what_it_wins(kind: str) -> None:
    ended = 0
    with playing("numeri", kind) as thinking:
        for position, roll in games(6):
            for end in position.previews(roll):
                if not end.finish or end.after.result is None:
                    continue
                winners = end.after.result.winners
                own = position.players[position.seat].name in winners
                code = sum(stone * 7**at for at, stone in enumerate(end.move.stones))
                chance = thinking.new_playout(position).chance_with(code)
                assert chance == (CERTAIN // len(winners) if own else 0)
                ended += 1
    assert ended > 3


@needs_compiled
def test_the_net_tells_who_wins_better_than_a_coin() -> None:
    """Over its own games."""
    with playing("numeri", KINDS[1]) as thinking:
        pair = thinking.new_playout(start()), thinking.new_playout(start())
        error = squared_error(
            pair,
            lambda play: int(play.wise(play.roll())),
            lambda play, seat: share_of(seat)(play.winners),
        )
        assert error < 0.19


@needs_compiled
def test_the_net_beats_greedy_players_without_looking_ahead() -> None:
    from ai.numeri.thinking import value_net
    from tools.learn.numeri import duel

    assert duel(value_net(), None, 2_000) > 0.68


@needs_compiled
def test_learning_gives_the_same_file_each_time_and_more_than_it_began_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tools.learn.numeri import duel, empty_net, learn

    monkeypatch.setattr("tools.learn.numeri.DUELS", 40)
    monkeypatch.setattr("tools.learn.numeri.GENERATIONS", 4)

    files = [learn(150, lambda _: None) for _ in range(2)]
    assert files[0] == files[1]
    assert duel(net_with(tomllib.loads(files[0])), empty_net(), 400) > 0.55

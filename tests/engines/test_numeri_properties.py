"""numeri over random games: what always holds, and legal moves against a plain search."""

from itertools import pairwise, permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Player, Refusal, Setup
from engines.numeri.notation import SIDES
from engines.numeri.rules import NumeriPosition, begin, score

COLOURS = ("yellow", "red", "green", "blue")
seeds = st.integers(0, 2**32 - 1)
tracks = st.integers(3, 60).flatmap(
    lambda size: st.lists(st.integers(0, 60), min_size=size, max_size=size)
)


def fresh(count: int, values: list[int]) -> NumeriPosition:
    players = tuple(Player(f"P{seat}", COLOURS[seat]) for seat in range(count))
    return begin(Setup(players, board_data=" ".join(map(str, values))))


def random_game(count: int, values: list[int], random: Random) -> list[NumeriPosition]:
    """Play to the end with random rolls and choices; return every position."""
    positions = [fresh(count, values)]
    while positions[-1].result is None:
        moves = positions[-1].legal(random.randint(1, 6))
        positions.append(positions[-1].play(random.choice(moves))[0])
        assert len(positions) < 20_000
    return positions


def brute_force(position: NumeriPosition, roll: int) -> set[str]:
    """Try every row of stones that adds up to the roll, field by field."""
    own = dict(enumerate(position.stones(position.seat), 1))
    others = {field for field in position.fields if field} - set(own.values())
    fields = len(position.track.values)
    found = set()
    for count in range(1, 4):
        for order in permutations(range(1, 7), count):
            if sum(order) != roll or (count > 1 and min(own.values()) == 0):
                continue
            at = dict(own)
            for stone in order:
                taken = others | set(at.values())
                ahead = [f for f in range(at[stone] + 1, fields + 1) if f not in taken]
                if not ahead:
                    break
                at[stone] = ahead[0]
            else:
                found.add(str(roll) if count == 1 else f"{roll}:{','.join(map(str, order))}")
    return found or {f"{roll}:-"}


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(2, 4), tracks)
def test_every_game_ends_and_no_stone_shares_a_field_or_moves_back(
    seed: int, count: int, values: list[int]
) -> None:
    positions = random_game(count, values, Random(seed))
    for before, after in pairwise(positions):
        placed = [field for field in after.fields if field]
        assert len(placed) == len(set(placed))
        assert sum(1 << field for field in placed) == after.taken
        assert all(old <= new for old, new in zip(before.fields, after.fields, strict=True))
        points = [after.points(seat) for seat in range(count)]
        assert points == [*score(after).facts["points"].values()]
    last = positions[-1]
    assert set(last.fields) >= {len(values) - 2, len(values) - 1, len(values)}
    assert last.result == score(last)


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(2, 4), tracks)
def test_legal_equals_a_brute_force_search_for_each_roll(
    seed: int, count: int, values: list[int]
) -> None:
    for position in random_game(count, values, Random(seed))[:-1:3]:
        for roll in range(1, 7):
            moves = [move.token for move in position.legal(roll)]
            assert len(moves) == len(set(moves))
            assert set(moves) == brute_force(position, roll)
            assert all(
                position.refusal(move) is None and position.parse(move.token) == move
                for move in position.legal(roll)
            )


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(2, 4))
def test_legal_and_refusal_agree_on_every_token(seed: int, count: int) -> None:
    every = [
        f"{roll}:{','.join(map(str, order))}"
        for roll in range(1, 7)
        for parts in (2, 3)
        for order in permutations(range(1, SIDES + 1), parts)
        if sum(order) == roll
    ]
    every += [f"{roll}{tail}" for roll in range(1, 7) for tail in ("", ":-")]
    for position in random_game(count, [0] * 26, Random(seed))[:-1:5]:
        legal = {move.token for roll in range(1, 7) for move in position.legal(roll)}
        for token in every:
            move = position.parse(token)
            assert not isinstance(move, Refusal)
            assert (position.refusal(move) is None) == (token in legal)


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(2, 4), tracks)
def test_describe_read_as_a_position_or_a_correction_gives_the_same_table(
    seed: int, count: int, values: list[int]
) -> None:
    start = fresh(count, values)
    for position in random_game(count, values, Random(seed))[::7]:
        text = position.describe()
        data = " ".join(map(str, values))
        read = begin(Setup(position.players, position.seat, board_data=data, position=text))
        assert (read.fields, read.taken, read.result) == (
            position.fields,
            position.taken,
            position.result,
        )
        assert read.describe() == text
        move = start.parse(f"<{text}>")
        assert not isinstance(move, Refusal)
        assert start.play(move)[0].fields == position.fields


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(2, 4))
def test_previews_cover_the_legal_moves_and_foretell_them(seed: int, count: int) -> None:
    for position in random_game(count, [1] * 20, Random(seed))[:-1:3]:
        for roll in range(1, 7):
            moves = [move for move in position.legal(roll) if move.stones]
            views = position.previews(roll)
            assert sorted(m.token for v in views for m in v.orders) == sorted(
                m.token for m in moves
            )
            for view in views:
                for move in view.orders:
                    after, events = position.play(move)
                    assert after == view.after
                    assert any(event.code == "chain" for event in events) == bool(view.chains)

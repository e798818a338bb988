"""Sequence over random games: what always holds, and plain searches beside the bit sets."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Event, Move, Refusal
from engines.sequence.board import CARDS, CORNER_SQUARES, SQUARES, turned_square
from engines.sequence.notation import Place, Take, TurnIn
from engines.sequence.rules import SequencePosition, remarks
from tests.engines.sequence_table import THREE, TWO, table

CORNERS = {SQUARES[index] for index in CORNER_SQUARES}
Step = tuple[SequencePosition, Move, tuple[Event, ...], SequencePosition]
seeds = st.integers(0, 2**32 - 1)
tables = st.sampled_from([TWO, THREE, TWO * 2, THREE * 2, TWO * 6])
few = settings(max_examples=25, deadline=None)


def random_game(
    random: Random, colours: str, *, breaks: bool = False, wanted: str = "4"
) -> list[Step]:
    """Play random legal moves with random hands, many of them jacks."""
    rules = {"sequences": wanted, "one_eyed_breaks": "yes" if breaks else "no"}
    position = table(colours=colours, rules=rules)
    steps: list[Step] = []
    while position.result is None and len(steps) < 250:
        deck = [*CARDS, *CARDS, *["JC", "JD"] * 5]
        hand = tuple(dict.fromkeys(random.sample(deck, 6)))
        move = random.choice(position.legal(hand))
        after, events = position.play(move)
        steps.append((position, move, events, after))
        position = after
    return steps


def slow_lines(own: set[str], square: str, earlier: list[set[str]]) -> list[list[str]]:
    """Find new sequences square by square, as the rule says it."""
    row, column = map(int, square[1:].split("c"))
    corners = {"r1c1", "r1c10", "r10c1", "r10c10"}
    found: list[list[str]] = []
    for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
        for back in (4, 3, 2, 1, 0):
            names = [f"r{row + (i - back) * down}c{column + (i - back) * right}" for i in range(5)]
            if not all(name in own or name in corners for name in names):
                continue
            taken = [*earlier, *map(set, found)]
            if all(len(line & set(names)) < 2 for line in taken):
                found.append(names)
    return found


@few
@given(seeds, tables)
def test_sequences_are_those_of_a_plain_search(seed: int, colours: str) -> None:
    for before, move, events, after in random_game(Random(seed), colours):
        if isinstance(move, Place):
            own = {s for s, team in after.chips_by_square().items() if team == before.team}
            earlier = [set(line) for line in before.completed_sequences()[before.team]]
            lines = [event.facts["squares"] for event in events if event.code == "sequence"]
            assert lines == slow_lines(own, SQUARES[move.square], earlier)


@few
@given(seeds, tables, st.booleans())
def test_chips_on_the_board_are_placed_less_removed(seed: int, colours: str, breaks: bool) -> None:
    count = Counter[str]()
    for before, _, events, after in random_game(Random(seed), colours, breaks=breaks):
        for event in events:
            count[before.team] += event.code == "placed"
            if event.code == "removed":
                count[event.facts["team"]] -= 1
        assert Counter(after.chips_by_square().values()) == +count


@few
@given(seeds, tables, st.booleans())
def test_sequences_never_share_two_squares_nor_lose_a_chip(
    seed: int,
    colours: str,
    breaks: bool,
) -> None:
    corners = {SQUARES[index] for index in CORNER_SQUARES}
    for before, _, _, after in random_game(Random(seed), colours, breaks=breaks):
        chips = after.chips_by_square()
        for team, lines in after.completed_sequences().items():
            assert all(chips.get(s) == team for line in lines for s in set(line) - corners)
            assert all(len(set(one) & set(two)) < 2 for one, two in combinations(lines, 2))
            if not breaks:
                assert set(before.completed_sequences()[team]) <= set(lines)


@few
@given(seeds, tables, st.integers(1, 3))
def test_turning_the_board_commutes_with_playing(seed: int, colours: str, turns: int) -> None:
    rules = {"sequences": "4"}
    other = table(colours=colours, board=f"classic/{turns * 90}", rules=rules)
    for before, move, _, after in random_game(Random(seed), colours):
        token = move.token
        if isinstance(move, Place | Take):
            if isinstance(move, Place):
                fives = before.choices(move)
                if any(len(set(a) & set(b)) > 1 for a, b in combinations(fives, 2)):
                    return  # which five is taken depends on the side one looks from
            square = SQUARES[move.square]
            token = token.replace(square, turned_square(square, turns))
        turned_move = other.parse(token)
        assert not isinstance(turned_move, Refusal)
        other, _ = other.play(turned_move)
        chips = {turned_square(s, turns): team for s, team in after.chips_by_square().items()}
        assert other.chips_by_square() == chips
        for team, lines in after.completed_sequences().items():
            expected = {frozenset(turned_square(s, turns) for s in line) for line in lines}
            assert {frozenset(line) for line in other.completed_sequences()[team]} == expected
        assert (other.seat, other.result) == (after.seat, after.result)


@settings(max_examples=8, deadline=None)
@given(seeds, tables, st.booleans())
def test_legal_moves_are_all_tokens_that_are_not_refused(
    seed: int,
    colours: str,
    breaks: bool,
) -> None:
    random = Random(seed)
    steps = random_game(random, colours, breaks=breaks)
    for before, *_ in random.sample(steps, 3):
        hand = (*random.sample(CARDS, 4), random.choice(("JS", "JC")))
        expected = []
        for card in dict.fromkeys(hand):
            tries = [f"{card}{sign}{square}" for square in SQUARES for sign in "@-"]
            for token in [*tries, f"{card}!"]:
                move = before.parse(token)
                if not isinstance(move, Refusal) and before.refusal(move) is None:
                    expected.append(token)
        assert [m.token for m in before.legal(hand)] == (expected or [f"pass:{','.join(hand)}"])


@few
@given(seeds, tables, st.booleans())
def test_describing_and_reading_a_position_is_a_fixed_point(
    seed: int,
    colours: str,
    breaks: bool,
) -> None:
    for *_, after in random_game(Random(seed), colours, breaks=breaks)[::7]:
        if any(own.bit_count() > 48 for own in after.chips):
            break  # the box has no more chips
        read = table(after.describe(), colours=colours, rules={"sequences": "4"})
        assert (read.chips, read.sequences) == (after.chips, after.sequences)
        assert read.describe() == after.describe()


@few
@given(seeds, tables)
def test_cards_are_never_lost_and_turns_go_round(seed: int, colours: str) -> None:
    steps = random_game(Random(seed), colours)
    for before, move, _, after in steps:
        if after.result is None:
            assert after.draw_pile + after.discards + sum(after.hands) == 104
            assert after.draw_pile > 0
            ahead = 0 if isinstance(move, TurnIn) else 1
            assert after.seat == (before.seat + ahead) % len(before.players)
    assert all(one[3] is two[0] for one, two in pairwise(steps))


def slow_fives(position: SequencePosition) -> set[tuple[str, frozenset[str]]]:
    """Find square by square every five in a line that could still be named as a sequence."""
    found = set()
    chips = position.chips_by_square()
    for team, lines in position.completed_sequences().items():
        own = {square for square, other in chips.items() if other == team}
        for square in SQUARES:
            for names in slow_lines_through(own, square):
                if all(len(set(line) & names) < 2 for line in lines):
                    found.add((team, names))
    return found


def slow_lines_through(own: set[str], square: str) -> list[frozenset[str]]:
    """Return the lines of five that begin at a square and are covered."""
    row, column = map(int, square[1:].split("c"))
    covered = own | {SQUARES[index] for index in CORNER_SQUARES}
    lines = [
        frozenset(f"r{row + i * down}c{column + i * right}" for i in range(5))
        for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1))
    ]
    return [line for line in lines if line <= covered]


@few
@given(seeds, tables, st.booleans(), st.integers(0, 60))
def test_fives_that_count_nothing_are_those_of_a_plain_search(
    seed: int, colours: str, breaks: bool, taken: int
) -> None:
    random = Random(seed)
    for number, (before, _, _, after) in enumerate(random_game(random, colours, breaks=breaks)):
        if not breaks and after.result is None:
            assert after.unnamed_fives() == ()  # play leaves none
        if after.result is None and number % 8 == seed % 8:
            assert {(team, frozenset(five)) for team, five in after.unnamed_fives()} == slow_fives(
                after
            )
        new = {
            (event.facts["team"], tuple(event.facts["squares"])) for event in remarks(before, after)
        }
        assert new == {*after.unnamed_fives()} - {*before.unnamed_fives()}
    # a table of chips that nobody has looked at for sequences
    squares = random.sample([s for s in SQUARES if s not in CORNERS], taken)
    teams = table(colours=colours).teams
    parts = [" ".join([team, *squares[n :: len(teams)]]) for n, team in enumerate(teams)]
    text = "; ".join(part for part in parts if " " in part)
    entered = table(colours=colours, position=text or None)
    assert {(team, frozenset(five)) for team, five in entered.unnamed_fives()} == slow_fives(
        entered
    )
    for team, five in entered.unnamed_fives():
        named = entered.attempt(entered.name_five(team, five))
        assert not isinstance(named, Refusal)
        assert named[0].completed_sequences()[team] == (five,)
        assert named[0].chips == entered.chips

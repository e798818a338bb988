"""Just 4 Fun's play-outs: what is kept up to date as stones are placed, and the model."""

from random import Random

import pytest

from engines import GAMES, begin, parse
from tests.wits.play_outs import KINDS, RULES, playing, setup

TABLES = [(count, rules) for count in (2, 3, 4) for rules in RULES["just4fun"]]
CERTAIN = 65_536
HEAD = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("count", "rules"), TABLES)
def test_the_worth_of_a_move_is_that_of_the_position_whatever_came_before(
    count: int, rules: dict[str, str], kind: str
) -> None:
    with playing("just4fun", kind) as thinking:
        chance = Random(f"{count} {rules}")
        position = GAMES["just4fun"].begin(setup("just4fun", count, rules, chance))
        play = thinking.table_of(position, None)
        play.deal(5)
        while position.result is None:
            anew = thinking.table_of(position, None)
            anew.bring_up()
            play.bring_up()
            fields = play.legal()
            assert [play.worth(field) for field in fields] == [anew.worth(f) for f in fields]
            hand = play.hands[play.seat * 4 : play.seat * 4 + 4]
            subset = play.best() if chance.random() < 0.7 else play.any()
            cards = [card for at, card in enumerate(hand) if subset >> at & 1]
            play.play(subset)
            token = "+".join(map(str, cards)) if subset else "x" + "+".join(map(str, hand))
            position, _ = position.play(position.parse(token))


def test_compiled_and_as_python_short_play_outs_are_the_same() -> None:
    outcomes = []
    for kind in reversed(KINDS):
        with playing("just4fun", kind) as thinking:
            chance = Random(7)
            position = GAMES["just4fun"].begin(setup("just4fun", 2, {}, chance))
            root, table = (thinking.table_of(position, None) for _ in range(2))
            root.deal(3)
            found = []
            while not root.over:
                best = root.best()
                seen = table.foreseen(root, best, chance.getrandbits(32), 4)
                assert 0 <= seen <= CERTAIN
                assert table.over or table.moves == root.moves + 4
                found.append((best, seen, root.outlook()))
                root.play(best)
            outcomes.append(found)
    assert outcomes[0] == outcomes[1]


SEEN = [
    ("yellow 1x2 14x2 30x2; red 7x1", 0.75, 1.0),
    ("red 1x2 14x2 30x2; yellow 7x1", 0.0, 0.4),
    ("yellow 34x2 35x2 36x2; red 1x2 2x2 3x2", 0.6, 1.0),
]


@pytest.mark.parametrize(("table", "least", "most"), SEEN)
def test_the_model_sees_rows_and_points(table: str, least: float, most: float) -> None:
    with playing("just4fun", KINDS[0]) as thinking:
        _, position = begin(parse(f'{HEAD}[Position "{table}"]\n'))
        assert least <= thinking.table_of(position, None).outlook() / CERTAIN <= most


def test_the_model_tells_who_wins_better_than_a_coin() -> None:
    """The mean square of its errors, a quarter for a coin, over the score's games."""
    with playing("just4fun", KINDS[1]) as thinking:
        position = GAMES["just4fun"].begin(setup("just4fun", 2, {}, Random(1)))
        root, play = (thinking.table_of(position, None) for _ in range(2))
        errors = []
        for seed in range(300):
            play.take_after(root)
            play.deal(seed * 7919)
            said = []
            while not play.over:
                said.append((play.seat, play.outlook() / CERTAIN))
                play.play(play.best())
            errors += [(float(play.winners == 1 << seat) - chance) ** 2 for seat, chance in said]
        assert sum(errors) / len(errors) < 0.225

"""Play-outs keep the rules: every move is played by the engine beside them."""

from random import Random

import pytest

from engines import GAMES
from tests.ai.play_outs import BESIDE, COUNTS, KINDS, RULES, playing, setup
from tests.options import Options

TABLES = [(game, count, rules) for game in RULES for count in COUNTS[game] for rules in RULES[game]]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("game", "count", "rules"), TABLES)
def test_play_outs_keep_the_rules_at_every_move(
    game: str, count: int, rules: dict[str, str], kind: str, options: Options
) -> None:
    with playing(game, kind) as thinking:
        for seed in range(1 if kind == "python" else 6 * options.times):
            chance = Random(f"{game} {count} {rules} {seed}")
            position = GAMES[game].begin(setup(game, count, rules, chance))
            BESIDE[game](thinking, position, chance.getrandbits(32)).to_the_end(chance)


@pytest.mark.parametrize("game", RULES)
def test_compiled_and_as_python_play_outs_are_the_same(game: str) -> None:
    outcomes = []
    for kind in reversed(KINDS):
        with playing(game, kind) as thinking:
            found = []
            for count in COUNTS[game][:3]:
                chance = Random(count)
                position = GAMES[game].begin(setup(game, count, {}, chance))
                tables = [BESIDE[game](thinking, position, 1).begun(thinking) for _ in range(2)]
                for _ in range(5):
                    winners = tables[1].try_move(tables[0], -2, chance.getrandbits(32))
                    found.append((winners, tables[1].moves))
            outcomes.append(found)
    assert outcomes[0] == outcomes[1]

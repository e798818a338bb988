"""What an AI answers: every legal move, best first, the same for the same seed."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from ai import AI
from ai.api import Option
from ai.halving import FEWEST, LEVELS, best_of, halve, pick_move
from engines import GAMES, Plugin, begin, parse
from tests.ai.play_outs import COUNTS, seconds_for, setup


def positions(game: str, games: int = 2) -> Iterator[tuple[Any, Any]]:
    """Return every ninth position of some games, with what is given there."""
    for seed in range(games):
        chance = Random(f"{game} {seed}")
        deal = AI[game].deal(setup(game, COUNTS[game][seed], {}, chance), chance)
        for number in range(200):
            if deal.position.result is not None:
                break
            given = deal.given()
            if number % 9 == 0:
                yield deal.position, given
            deal.play(chance.choice(deal.position.legal(given)))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_may_do_without_wits(game: str) -> None:
    assert (game in AI) == (game in COUNTS)


def test_a_part_that_nobody_needs_is_no_fault() -> None:
    assert not Plugin("x", "engines:GAMES", "engines:GAMES", "engines:GAMES").fault()
    assert Plugin("x", "engines:GAMES", "engines:GAMES", "engines:GAMES", "engines:NONE").fault()


@pytest.mark.parametrize("game", COUNTS)
def test_a_search_returns_every_legal_move_best_first(game: str) -> None:
    for position, given in positions(game):
        options = AI[game].search(position, given, 0.001, Random(1))
        legal = position.legal(given)
        assert sorted(o.move.token for o in options) == sorted(m.token for m in legal)
        assert all(0 <= option.chance <= 1 for option in options)
        assert options[0].tries >= max(option.tries for option in options)


@pytest.mark.parametrize("game", COUNTS)
def test_the_same_seed_gives_the_same_answer(game: str) -> None:
    ai = AI[game]
    for position, given in positions(game, 1):
        answers = [
            (
                ai.search(position, given, 0.001, Random(7)),
                ai.choose(position, given, "club", 0.001, Random(7)),
                ai.chances(position, 3, Random(7)),
                ai.chances(position, 3, Random(7), given),
            )
            for _ in range(2)
        ]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", COUNTS)
def test_every_level_plays_legal_moves(game: str, level: str) -> None:
    for position, given in positions(game, 1):
        move = AI[game].choose(position, given, level, 0.0005, Random(3))
        assert position.refusal(move) is None


@pytest.mark.parametrize("game", COUNTS)
def test_chances_are_one_a_player_and_add_up_to_one_win(game: str) -> None:
    for position, _ in positions(game, 1):
        found = AI[game].chances(position, 5, Random(5))
        assert len(found) == len(position.players)
        teams: dict[str, float] = {}
        for player, chance in zip(position.players, found, strict=True):
            teams[player.colour] = chance
        assert 0 <= sum(teams.values()) <= 1.000001


@pytest.mark.parametrize("game", COUNTS)
def test_a_game_that_is_over_has_its_winners_and_no_moves(game: str) -> None:
    chance = Random(game)
    deal = AI[game].deal(setup(game, 2, {}, chance), chance)
    given = None
    while deal.position.result is None:
        given = deal.given()
        deal.play(AI[game].choose(deal.position, given, "best", 0.0001, chance))
    names = deal.position.result.winners
    wanted = [float(player.name in names) for player in deal.position.players]
    assert AI[game].chances(deal.position, 9, chance) == wanted
    assert AI[game].search(deal.position, given, 0.001, chance) == []


HEAD = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
SURE = [
    ('[Position "yellow 1x2 14x2 30x2; red 7x1"]\n', (12, 12, 9, 3), 24),
    ('[Position "red 1x2 14x2 30x2; yellow 7x1 8x1 2x1"]\n', (12, 12, 9, 3), 24),
]


@pytest.mark.parametrize(("table", "hand", "field"), SURE, ids=["wins the row", "stops the row"])
def test_what_wins_at_once_or_would_lose_at_once_is_seen(
    table: str, hand: tuple[int, ...], field: int
) -> None:
    _, position = begin(parse(HEAD + table))
    ai = AI["just4fun"]
    option = ai.search(position, hand, seconds_for("just4fun", 12_000), Random(1))[0]
    assert sum(int(card) for card in option.move.token.split("+")) == field
    codes = [code for code, _ in ai.reasons(position, option.move, hand)]
    assert codes[0] == ("wins-row" if "yellow 1x2" in table else "stops-row")


def test_halving_spends_its_budget_on_what_is_best() -> None:
    wins = [0.2, 0.8, 0.5, 0.1]

    def trial(index: int, seed: int) -> tuple[float, int]:
        return float(Random(seed).random() < wins[index]), 1

    tried = halve(4, 4_000, trial, Random(2))
    assert tried[0].option == 1
    assert tried[0].tries > 2 * tried[-1].tries
    assert abs(tried[0].wins / tried[0].tries - 0.8) < 0.05
    assert 3_900 < sum(one.tries for one in tried) < 4_100


def play_of(
    chances: list[float], *, shared: bool = True
) -> Callable[[int, int], tuple[float, int]]:
    """Return play-outs of options with these chances, which all share their luck or do not."""

    def trial(index: int, seed: int) -> tuple[float, int]:
        luck = Random(seed if shared else f"{seed} {index}").random()
        return float(luck < chances[index]), 1

    return trial


class OneWins:
    """A play-out that wins with move 1 and loses with move 0."""

    moves = 1

    def try_move(self, root: None, move: int, seed: int) -> int:
        del root, seed
        return move


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (0.0, [("1", 1.0), ("0", 0.0)]),
        (1.0, [("1", 0.65), ("0", 0.35)]),
        (3.0, [("0", 0.525), ("1", 0.475)]),
    ],
)
def test_chances_are_the_mean_of_what_play_outs_and_score_say(
    weight: float, expected: list[tuple[str, float]]
) -> None:
    """The score finds move 1 worse by 0.4, so it expects 0.3 and 0.7, where 0.5 is usual."""
    behind = [0.0, weight * 0.4]
    options = best_of(
        "01", [0, 1], (None, OneWins()), float, 2, 300, Random(1), behind, weight=weight
    )
    assert [str(option.move) for option in options] == [move for move, _ in expected]
    assert [option.chance for option in options] == pytest.approx([each for _, each in expected])


def spent(
    chances: list[float],
    seed: int = 1,
    *,
    most: int = 40_000,
    decide: bool = True,
    shared: bool = True,
) -> int:
    tried = halve(len(chances), most, play_of(chances, shared=shared), Random(seed), decide=decide)
    return sum(one.tries for one in tried)


def test_thinking_ends_once_one_option_is_clearly_the_best() -> None:
    assert spent([0.2, 0.8, 0.5, 0.1]) < 1_000
    assert halve(4, 40_000, play_of([0.2, 0.8, 0.5, 0.1]), Random(1), decide=True)[0].option == 1
    assert spent([0.2, 0.8, 0.5, 0.1], decide=False) > 39_000, "a tip says how good the others are"
    assert spent([0.5, 0.5, 0.5]) > 39_000, "nobody is ahead"


def test_nothing_is_clear_before_there_are_a_few_play_outs() -> None:
    tried = halve(2, 40_000, play_of([1.0, 0.0]), Random(1), decide=True)
    assert [one.tries for one in tried] == [FEWEST, FEWEST]


def test_luck_that_all_options_share_is_no_reason_to_think_longer() -> None:
    assert spent([0.5, 0.54]) < spent([0.5, 0.54], shared=False) / 3


def test_an_only_option_needs_no_thinking() -> None:
    assert spent([0.5]) == 1


def test_equal_options_are_hardly_ever_taken_for_a_clear_best() -> None:
    """Play-outs that do not share their luck: by chance alone one of two seems ahead."""
    games = 100
    clear = sum(spent([0.5, 0.5], seed, most=2_000, shared=False) < 1_950 for seed in range(games))
    assert clear < 0.05 * games


@pytest.mark.parametrize("game", COUNTS)
def test_a_move_that_is_decided_early_is_the_one_of_the_whole_search(game: str) -> None:
    ai, seconds, same = AI[game], seconds_for(game, 4_000), []
    for number, (position, given) in enumerate(positions(game, 1)):
        best = ai.search(position, given, seconds, Random(number))[0].move
        same.append(ai.choose(position, given, "best", seconds, Random(number)) == best)
    assert sum(same) >= 0.8 * len(same)


def test_a_beginner_overlooks_but_never_plays_badly_on_purpose() -> None:
    options = [Option("good", 0.6, 9), Option("fair", 0.5, 9), Option("bad", 0.1, 9)]  # type: ignore[arg-type]
    rng = Random(4)
    taken = [pick_move(options, LEVELS["beginner"], rng) for _ in range(2_000)]
    assert taken.count("good") > taken.count("fair") > taken.count("bad") > 0
    assert taken.count("bad") < 0.35**2 * 1.2 * 2_000
    assert {pick_move(options, LEVELS["best"], rng) for _ in range(50)} == {"good"}


def test_the_ai_of_all_games_take_little_memory() -> None:
    program = (
        "import resource, sys\n"
        "from random import Random\n"
        "from engines import GAMES, Player, Setup\n"
        "from ai import AI\n"
        "starts = [GAMES[g].begin(Setup((Player('A', GAMES[g].colours[0]), Player('B',"
        " GAMES[g].colours[1])), tags={'Open': '24'})) for g in"
        " ('just4fun', 'numeri', 'sequence', 'einmaleins')]\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for g, start in zip(('just4fun', 'numeri', 'sequence', 'einmaleins'), starts):\n"
        "    AI[g].chances(start, 2, Random(1))\n"
        "taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before\n"
        "print(taken)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=120, capture_output=True, text=True
    )
    assert int(run.stdout) <= 8 * 1024

"""What an AI answers: every legal move, best first, the same for the same seed."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from ai import AI
from ai.api import LEVELS, Level, Option, final_shares, levels_of
from ai.pace import looks_a_second
from ai.search import FEWEST, GameAI, OpenDeal, pick_move
from engines import GAMES, Plugin, begin, parse
from engines.game import Player
from engines.games import has_ai
from tests.ai.games import COUNTS, deals, setup


@pytest.mark.parametrize("game", GAMES)
def test_every_game_that_has_an_ai_or_hides_nothing_can_be_played_with(game: str) -> None:
    assert (game in AI) == has_ai(game) == (game in COUNTS or GAMES[game].hides_nothing)


def test_a_game_that_is_not_installed_has_no_ai() -> None:
    assert "halma" not in AI
    with pytest.raises(KeyError):
        AI["halma"]


def test_a_part_that_nobody_needs_is_no_fault() -> None:
    assert not Plugin("x", "engines:GAMES", "engines:GAMES", "engines:GAMES").fault()
    assert Plugin("x", "engines:GAMES", "engines:GAMES", "engines:GAMES", "engines:NONE").fault()


@pytest.mark.parametrize("looks", [0, 1, 60])
@pytest.mark.parametrize("game", COUNTS)
def test_a_search_returns_every_legal_move_once_best_first(game: str, looks: int) -> None:
    for deal in deals(game, every=19):
        position, given = deal.position, deal.given()
        options = AI[game].search(position, given, looks, Random(1))
        legal = position.legal(given)
        assert sorted(o.move.token for o in options) == sorted(m.token for m in legal)
        assert all(0 <= option.chance <= 1 for option in options)
        assert options[0].tries >= max(option.tries for option in options)
        assert position.refusal(AI[game].choose(position, given, "club", looks, Random(2))) is None


@pytest.mark.parametrize("game", COUNTS)
def test_a_rating_is_every_legal_move_best_first_and_a_reply_is_one_of_the_best(game: str) -> None:
    ai = AI[game]
    for deal in deals(game, 1, every=3):
        position, given = deal.position, deal.given()
        rated = ai.rated(position, given)
        tokens = [move.token for move, _ in rated]
        assert sorted(tokens) == sorted(move.token for move in position.legal(given))
        chances = [chance for _, chance in rated]
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)
        if chances[0] >= 1 or ai.reply is None:
            continue
        answer = ai.reply(position, given)
        assert dict(zip(tokens, chances, strict=True))[answer.token] == pytest.approx(chances[0])


@pytest.mark.parametrize("game", COUNTS)
def test_a_move_that_wins_at_once_is_rated_as_won_and_one_that_loses_as_lost(game: str) -> None:
    ended = 0
    for seed in range(3):
        for deal in deals(game, seed):
            position, given = deal.position, deal.given()
            for move, chance in AI[game].rated(position, given)[:8]:
                after = position.play(move)[0]
                if after.result is not None:
                    ended += 1
                    assert chance == pytest.approx(final_shares(after)[position.seat])
    assert ended > 5


@pytest.mark.parametrize("game", COUNTS)
def test_the_same_seed_gives_the_same_answer(game: str) -> None:
    ai = AI[game]
    for deal in deals(game, every=40):
        position, given = deal.position, deal.given()
        found = [ai.search(position, given, 80, Random(7)) for _ in range(2)]
        assert found[0] == found[1]


@pytest.mark.parametrize("game", COUNTS)
def test_chances_add_up_to_one_win_and_a_team_has_one_chance(game: str) -> None:
    for deal in deals(game, every=9):
        position = deal.position
        for hand in (None, deal.given()):
            found = AI[game].chances(position, hand)
            sides: dict[str, set[float]] = {}
            for player, chance in zip(position.players, found, strict=True):
                sides.setdefault(player.colour, set()).add(chance)
            assert all(len(each) == 1 for each in sides.values())
            assert sum(max(each) for each in sides.values()) == pytest.approx(1)


@pytest.mark.parametrize("game", COUNTS)
def test_a_game_that_is_over_has_its_winners_and_no_moves(game: str) -> None:
    chance = Random(game)
    deal = AI[game].deal(setup(game, 2, {}, chance), chance)
    given = None
    while deal.position.result is None:
        given = deal.given()
        deal.play(AI[game].choose(deal.position, given, "best", 0, chance))
    names = deal.position.result.winners
    shares = [(player.name in names) / max(1, len(names)) for player in deal.position.players]
    assert AI[game].chances(deal.position) == (shares if names else [0.5, 0.5])
    assert AI[game].search(deal.position, given, 100, chance) == []


# deals


@pytest.mark.parametrize("game", COUNTS)
def test_a_copy_goes_on_with_the_same_luck_and_leaves_the_deal_alone(game: str) -> None:
    for number, deal in enumerate(deals(game, 2, every=11)):
        position, hands = deal.position, deal.hands()
        ends = []
        for _ in range(2):
            chance, copy = Random(number), deal.copy()
            for _ in range(25):
                if copy.position.result is None:
                    copy.play(chance.choice(copy.position.legal(copy.given())))
            ends.append((copy.position, copy.hands()))
        assert ends[0] == ends[1]
        assert (deal.position, deal.hands()) == (position, hands)


@pytest.mark.parametrize("game", COUNTS)
def test_a_deal_that_is_resumed_has_the_given_hand_and_hides_the_others(game: str) -> None:
    others: set[Any] = set()
    for number, deal in enumerate(deals(game, 3, every=7)):
        position, given = deal.position, deal.given()
        world = AI[game].resume(position, given, Random(number))
        assert world.position is position
        hands = world.hands()
        if hands is None:
            continue
        assert sorted(hands[position.seat]) == sorted(given)
        sizes = getattr(position, "hands", None) or [4] * len(position.players)
        assert [len(hand) for hand in hands] == list(sizes)
        others.add(repr(hands) == repr(deal.hands()))
        for _ in range(12):  # what is dealt can be played on
            if world.position.result is None:
                world.play(world.position.legal(world.given())[0])
    assert True not in others


# the search itself


@dataclass(frozen=True)
class Choice:
    """A position with moves that win with these chances, by luck that they share or do not."""

    wins: tuple[float, ...]
    shared: bool = True
    seat = 0
    result = None
    players = (Player("A", "red"), Player("B", "blue"))

    def legal(self, _given: object) -> list[int]:
        return list(range(len(self.wins)))


class Luck:
    """A deal of `Choice`, won or lost after one move."""

    rolls: Sequence[Any] = ()

    def __init__(self, position: Any, luck: str) -> None:
        self.position, self.luck = position, luck

    def given(self) -> None:
        return None

    def hands(self) -> None:
        return None

    def copy(self) -> "Luck":
        return Luck(self.position, self.luck)

    def play(self, move: int) -> tuple[()]:
        luck = Random(self.luck if self.position.shared else f"{self.luck} {move}").random()
        won = luck < self.position.wins[move]
        self.position = replace(self.position, wins=(float(won),))
        return ()


def choice_ai(ratings: Sequence[float], trust: float = 0.0) -> GameAI:
    def rate(position: Choice, _given: object) -> list[tuple[int, float]]:
        found = [(move, ratings[move]) for move in range(len(position.wins))]
        return sorted(found, key=lambda each: -each[1])

    return GameAI(
        lambda setup, rng: Luck(None, ""),
        lambda position, given, rng: Luck(position, str(rng.random())),
        rate,
        lambda position, hand: [position.wins[0], 1 - position.wins[0]],
        trust=trust,
        ahead=1,
    )


def tries(
    wins: tuple[float, ...],
    looks: int = 4_000,
    *,
    seed: int = 1,
    shared: bool = True,
    decide: bool = True,
) -> list[Option]:
    ai = choice_ai([0.5] * len(wins))
    return ai.search(Choice(wins, shared), None, looks, Random(seed), decide=decide)


def spent(wins: tuple[float, ...], **facts: Any) -> int:
    return sum(option.tries for option in tries(wins, **facts))


def test_halving_spends_its_looks_on_what_is_best() -> None:
    found = tries((0.2, 0.8, 0.5, 0.1), 8_000, decide=False)
    assert found[0].move == 1  # type: ignore[comparison-overlap]
    assert found[0].tries > 2 * found[-1].tries
    assert abs(found[0].chance - 0.8) < 0.05
    assert 3_800 < sum(one.tries for one in found) < 4_200, "a try is a move and a rated end"


@pytest.mark.parametrize(
    ("trust", "expected"),
    [(0, [(1, 1.0), (0, 0.0)]), (20, [(1, 0.65), (0, 0.35)]), (60, [(0, 0.525), (1, 0.475)])],
)
def test_a_rating_counts_as_so_many_tries(trust: float, expected: list[tuple[int, float]]) -> None:
    """Twenty tries of each say 0 and 1; the rating expects 0.7 and 0.3 where 0.5 is usual."""
    ai = choice_ai([0.9, 0.5], trust)
    options = ai.search(Choice((0.0, 1.0)), None, 80, Random(1))
    assert [option.tries for option in options] == [20, 20]
    assert [str(option.move) for option in options] == [str(move) for move, _ in expected]
    assert [option.chance for option in options] == pytest.approx([each for _, each in expected])


def test_thinking_ends_once_one_move_is_clearly_the_best() -> None:
    assert spent((0.2, 0.8, 0.5, 0.1)) < 500
    assert tries((0.2, 0.8, 0.5, 0.1))[0].move == 1  # type: ignore[comparison-overlap]
    assert spent((0.2, 0.8, 0.5, 0.1), decide=False) > 1_900, "a search says how good all are"
    assert spent((0.5, 0.5, 0.5)) > 1_900, "nobody is ahead"


def test_nothing_is_clear_before_there_are_a_few_tries() -> None:
    assert [option.tries for option in tries((1.0, 0.0))] == [FEWEST, FEWEST]


def test_luck_that_all_moves_share_is_no_reason_to_think_longer() -> None:
    assert spent((0.5, 0.6)) < spent((0.5, 0.6), shared=False) / 2


def test_equal_moves_are_hardly_ever_taken_for_a_clear_best() -> None:
    """Their tries do not share their luck: by chance alone one of two seems ahead."""
    games = 60
    clear = sum(
        spent((0.5, 0.5), looks=800, seed=seed, shared=False) < 390 for seed in range(games)
    )
    assert clear < 0.05 * games


def test_where_time_adds_nothing_none_is_spent() -> None:
    ai = replace(choice_ai([0.5, 0.6]), gains=lambda _: False)
    assert [each.tries for each in ai.search(Choice((0.9, 0.1)), None, 99, Random(1))] == [0, 0]
    won = choice_ai([0.5, 1.0])
    assert [each.tries for each in won.search(Choice((0.9, 0.1)), None, 99, Random(1))] == [0, 0]


def test_a_die_is_looked_through_before_anything_is_tried() -> None:
    """The rating likes the move that leaves the better mean over all rolls to the other player."""
    _, position = begin(
        parse(
            '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n[Start "Ben"]\n'
            '[Position "yellow 1@24 2@28 3@16 4@17 5@13 6@4; red 1@31 2@12 3@26 4@11 5@22 6@9"]\n'
        )
    )
    ai = AI["numeri"]
    options = ai.search(position, 5, 1_000, Random(1))
    rated = dict(ai.rated(position, 5))
    ai_mean = {option.move: ai.look_further(position, option.move, 5) for option in options}
    assert ai_mean != pytest.approx(rated)
    looked = replace(ai, gains=lambda _: True).search(position, 5, 6 * len(options), Random(1))
    assert {option.move: option.chance for option in looked if not option.tries} == pytest.approx(
        {option.move: ai_mean[option.move] for option in looked if not option.tries}
    )


# games without an AI of their own


@pytest.mark.parametrize("game", [name for name in GAMES if name not in COUNTS])
def test_a_game_that_hides_nothing_gets_an_opponent_and_chances_for_nothing(game: str) -> None:
    ai, rules = AI[game], GAMES[game]
    players = tuple(Player(f"P{seat}", colour) for seat, colour in enumerate(rules.colours[:2]))
    deal = ai.deal(setup(game, 2, {}, Random(1)) if players else None, Random(1))  # type: ignore[arg-type]
    assert isinstance(deal, OpenDeal)
    for _ in range(2):
        move = ai.choose(deal.position, None, "best", 1, Random(1))
        assert deal.position.refusal(move) is None
        deal.play(move)
    assert sum(ai.chances(deal.position)) == pytest.approx(1)


def test_such_an_opponent_takes_the_win_and_stops_the_other_one() -> None:
    if "newgame" not in AI:
        pytest.skip("the template is not installed here")
    game = GAMES["newgame"]
    players = (Player("A", game.colours[0]), Player("B", game.colours[1]))
    position = game.begin(setup("newgame", 2, {}, Random(1)))
    for token in ("1", "4", "2"):
        position = position.play(position.parse(token))[0]
    assert players
    move = AI["newgame"].choose(position, None, "best", 3_000, Random(1))
    assert move == position.parse("3")


# levels


@pytest.mark.parametrize("game", COUNTS)
def test_each_level_is_more_careful_than_the_one_below(game: str) -> None:
    levels = AI[game].levels
    assert list(levels) == list(LEVELS)
    beginner, club, best = (levels[name] for name in ("beginner", "club", "best"))
    assert 1 > beginner.overlooked > club.overlooked > best.overlooked == 0
    assert beginner.softness > club.softness > best.softness == 0
    assert (beginner.searches, club.searches, best.searches) == (False, False, True)


def test_a_games_own_levels_replace_the_usual_ones() -> None:
    levels = levels_of({"club": {"overlooked": 0.2, "softness": 0.1}})
    assert levels == {**LEVELS, "club": Level(0.2, 0.1)}


def test_a_beginner_overlooks_but_never_plays_badly_on_purpose() -> None:
    options = [Option("good", 0.6, 9), Option("fair", 0.5, 9), Option("bad", 0.1, 9)]  # type: ignore[arg-type]
    rng = Random(4)
    taken = [pick_move(options, LEVELS["beginner"], rng) for _ in range(2_000)]
    assert taken.count("good") > taken.count("fair") > taken.count("bad") > 0
    assert taken.count("bad") < 0.35**2 * 1.2 * 2_000
    assert {pick_move(options, LEVELS["best"], rng) for _ in range(50)} == {"good"}


# the machine


@pytest.mark.parametrize("game", COUNTS)
def test_a_second_of_thinking_is_thousands_of_looks_measured_where_there_is_a_choice(
    game: str,
) -> None:
    found = looks_a_second(game)
    assert 64 <= found < 1_000_000
    assert found.bit_count() == 1
    assert looks_a_second(game) == found


def test_nothing_of_the_wits_is_imported_before_it_is_asked_for() -> None:
    program = (
        "import sys, engines, pi_app.commands.play, pi_app.run.session, engines.games\n"
        "[engines.GAMES[name] for name in engines.games.SHIPPED]\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'ai']\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_the_ai_of_all_games_take_little_memory() -> None:
    program = (
        "import resource\n"
        "from engines import GAMES, Player, Setup\n"
        "from engines.games import SHIPPED\n"
        "from ai import AI\n"
        "starts = {g: GAMES[g].begin(Setup((Player('A', GAMES[g].colours[0]), Player('B',"
        " GAMES[g].colours[1])), tags={'Open': '24'} if g == 'einmaleins' else {}))"
        " for g in SHIPPED}\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for g, start in starts.items():\n"
        "    AI[g].chances(start)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=120, capture_output=True, text=True
    )
    assert int(run.stdout) <= 8 * 1024

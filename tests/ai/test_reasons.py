"""Reasons are true: each is checked against the position before the move and after it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ai import AI
from engines.einmaleins.cards import PAIRS
from engines.game import AnyPosition, Facts, Move, Step, attempt
from engines.just4fun.board import Board, standing
from engines.sequence.board import INDEX, TWO_EYED, WINDOW_NAMES
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import LANGUAGES, Texts
from tests.ai.games import COUNTS, setup

Check = Callable[[Any, Any, Any, Any, Mapping[str, Any]], bool]
"""Whether a reason holds: before, after, move, given, its facts."""


def seat_named(position: AnyPosition, name: str) -> int:
    return [player.name for player in position.players].index(name)


def owns(position: Any, seat: int, field: int) -> bool:
    stones = position.counts[field]
    return all(stones[seat] > count for at, count in enumerate(stones) if at != seat)


def completes(position: Any, seat: int, field: int) -> bool:
    """Whether a stone there gives a seat a row, tried by the rules themselves."""
    if position.result is not None or not position.stones_left[seat]:
        return False
    turn = replace(position, seat=seat)
    if turn.barred[seat] >> field & 1:
        return False
    after, _ = turn.play(turn.parse("+".join(map(str, _cards_for(field)))))
    return after.result is not None and after.result.reason == "row"


def _cards_for(field: int) -> list[int]:
    """Return cards of the deck that add up to a field."""
    return [field] if field < 20 else [12, field - 12] if field < 25 else [12, 12, field - 24]


def j4f_threat_gone(b: Any, a: Any, m: Any, g: Any, f: Facts) -> bool:
    seat = seat_named(b, f["player"])
    return completes(b, seat, f["field"]) and not completes(a, seat, f["field"])


def j4f_open(position: Any, seat: int) -> int:
    board: Board = position.terms.board
    return sum(
        all(owns(position, seat, field) or not position.barred[seat] >> field & 1 for field in row)
        and sum(owns(position, seat, field) for field in row) >= 2
        for row in board.rows
    )


def j4f_two_ways(b: Any, a: Any, m: Any, g: Any, f: Facts) -> bool:
    fields = f["fields"]
    return len(fields) >= 2 and all(completes(a, b.seat, field) for field in fields)


def left_of(given: Any, move: Any) -> list[Any]:
    rest = list(given)
    for card in getattr(move, "cards", None) or (move.card,):
        rest.remove(card)
    return rest


JUST4FUN: dict[str, Check] = {
    "wins-row": lambda b, a, m, g, f: all(owns(a, b.seat, n) for n in f["row"]),
    "wins-points": lambda b, a, m, g, f: (
        a.result.winners == (b.players[b.seat].name,) and a.result.reason != "row"
    ),
    "stops-row": j4f_threat_gone,
    "two-ways": j4f_two_ways,
    "makes-three": lambda b, a, m, g, f: (
        completes(a, b.seat, f["field"]) and not completes(b, b.seat, f["field"])
    ),
    "hinders": lambda b, a, m, g, f: (
        j4f_open(a, seat_named(b, f["player"])) < j4f_open(b, seat_named(b, f["player"]))
    ),
    "secures": lambda b, a, m, g, f: (
        standing(a.counts[f["field"]]).secured and owns(a, b.seat, f["field"])
    ),
    "takes-lead": lambda b, a, m, g, f: (
        owns(a, b.seat, f["field"]) and not owns(b, b.seat, f["field"])
    ),
    "ties": lambda b, a, m, g, f: (
        owns(b, seat_named(b, f["player"]), f["field"])
        and not any(owns(a, seat, f["field"]) for seat in range(len(b.players)))
    ),
    "keeps-card": lambda b, a, m, g, f: (
        not [card for card in f["cards"] if f["cards"].count(card) > left_of(g, m).count(card)]
        and sum(f["cards"]) == f["field"]
        and completes(a, b.seat, f["field"])
    ),
}


def sequences_if(position: Any, team: int, square: str) -> int:
    """Return how many sequences a team had with a chip on this square."""
    seat = position.terms.team_of.index(team)
    turn = replace(position, seat=seat)
    move = turn.parse(f"JD@{square}")
    if turn.refusal(move) is not None:
        return 0
    return len(turn.play(move)[0].sequences[team])


def closes(position: Any, team: int, square: str) -> bool:
    return sequences_if(position, team, square) > len(position.sequences[team])


def team_of(position: Any) -> int:
    return int(position.terms.team_of[position.seat])


def chips_on(position: Any, team: int, squares: Any) -> int:
    """Return how many of these squares a team has, corners among them; -1 if another is there."""
    corners = {"r1c1", "r1c10", "r10c1", "r10c10"}
    there = [
        at for at, own in enumerate(position.chips) for s in squares if own >> (99 - INDEX[s]) & 1
    ]
    if any(at != team for at in there):
        return -1
    return len(there) + len(corners & set(squares))


SEQUENCE: dict[str, Check] = {
    "wins": lambda b, a, m, g, f: b.players[b.seat].name in a.result.winners,
    "makes-sequence": lambda b, a, m, g, f: chips_on(a, team_of(b), f["squares"]) == 5,
    "stops-sequence": lambda b, a, m, g, f: all(
        closes(b, b.teams.index(f["team"]), s) and not closes(a, b.teams.index(f["team"]), s)
        for s in f["squares"]
    ),
    "two-ways": lambda b, a, m, g, f: (
        len(f["squares"]) >= 2 and all(closes(a, team_of(b), s) for s in f["squares"])
    ),
    "four-in-line": lambda b, a, m, g, f: (
        chips_on(a, team_of(b), f["squares"]) == 4 != chips_on(b, team_of(b), f["squares"])
    ),
    "hinders": lambda b, a, m, g, f: any(
        chips_on(b, b.teams.index(f["team"]), w) == 3 != chips_on(a, b.teams.index(f["team"]), w)
        for w in WINDOW_NAMES.values()
    ),
    "three-in-line": lambda b, a, m, g, f: (
        chips_on(a, team_of(b), f["squares"]) == 3 != chips_on(b, team_of(b), f["squares"])
    ),
    "hand-completes": lambda b, a, m, g, f: (
        f["card"] in left_of(g, m)
        and closes(a, team_of(b), f["square"])
        and f["square"] in a.free_squares(f["card"])
    ),
    "keeps-jack": lambda b, a, m, g, f: f["card"] in TWO_EYED and f["card"] in left_of(g, m),
    "turns-in": lambda b, a, m, g, f: b.is_dead(f["card"]),
}


def numeri_gains(before: Any, roll: int) -> dict[tuple[int, ...], int]:
    gains = {}
    for move in before.legal(roll):
        after, _ = before.play(move)
        gains[after.fields] = after.points(before.seat) - before.points(before.seat)
    return gains


def most_points(b: Any, a: Any, m: Any, g: Any, f: Facts) -> bool:
    gains = numeri_gains(b, g)
    own = gains.pop(a.fields)
    return bool(own == f["points"] and own > max(gains.values()))


NUMERI: dict[str, Check] = {
    "ends-game": lambda b, a, m, g, f: list(a.result.winners) == f["winners"],
    "rolls-again": lambda b, a, m, g, f: a.seat == b.seat and a.result is None,
    "most-points": most_points,
    "keeps-place": lambda b, a, m, g, f: (
        a.stones(b.seat)[f["stone"] - 1] == f["field"] == b.stones(b.seat)[f["stone"] - 1]
        and f["stone"] * b.track.values[f["field"] - 1] == f["points"] > 0
        and any(
            b.play(other)[0].stones(b.seat)[f["stone"] - 1] != f["field"] for other in b.legal(g)
        )
    ),
    "large-field": lambda b, a, m, g, f: (
        a.stones(b.seat)[f["stone"] - 1] == f["field"] > len(b.track.values) - 3
    ),
    "long-hop": lambda b, a, m, g, f: (
        a.stones(b.seat)[f["stone"] - 1] - b.stones(b.seat)[f["stone"] - 1] == f["fields"] >= 4
    ),
}


def einmaleins_rest(given: Any, move: Any) -> list[str]:
    rest = list(given)
    rest.remove("*" if move.free else str(move.number))
    return rest


def laid_next(after: Any, card: str) -> bool:
    return len(after.legal((card,))) > 1


EINMALEINS: dict[str, Check] = {
    "wins": lambda b, a, m, g, f: a.result.winners == (b.players[b.seat].name,),
    "last-card": lambda b, a, m, g, f: a.hands[b.seat] == 1,
    "misses-turn": lambda b, a, m, g, f: (
        a.seat != (b.seat + 1) % len(b.players) == seat_named(b, f["player"])
    ),
    "stops-last-card": lambda b, a, m, g, f: (
        b.hands[seat_named(b, f["player"])] == 1 and a.seat != seat_named(b, f["player"])
    ),
    "all-fit": lambda b, a, m, g, f: all(laid_next(a, card) for card in einmaleins_rest(g, m)),
    "keeps-going": lambda b, a, m, g, f: (
        [c for c in einmaleins_rest(g, m) if laid_next(a, c)] == f["cards"]
    ),
    "hard-to-follow": lambda b, a, m, g, f: (
        sum(laid_next(a, str(number)) for number in PAIRS) == f["cards"]
    ),
    "keeps-free": lambda b, a, m, g, f: "*" in einmaleins_rest(g, m),
}
CHECKS = {
    "just4fun": JUST4FUN,
    "sequence": SEQUENCE,
    "numeri": NUMERI,
    "einmaleins": EINMALEINS,
}
GAMES_EACH = {"just4fun": 12, "sequence": 12, "numeri": 6, "einmaleins": 12}


@pytest.mark.parametrize("game", CHECKS)
def test_every_reason_is_true_and_has_its_sentence_in_both_languages(game: str) -> None:
    ai = AI[game]
    seen: set[str] = set()
    for seed in range(GAMES_EACH[game]):
        chance = Random(f"{game} {seed}")
        deal = ai.deal(setup(game, COUNTS[game][seed % 3], {}, chance), chance)
        for _ in range(300):
            before = deal.position
            if before.result is not None:
                break
            given = deal.given()
            moves = before.legal(given)
            for move in moves if len(moves) < 8 else chance.sample(moves, 8):
                seen |= _checked(game, before, move, given)
            deal.play(ai.choose(before, given, "beginner", 0, chance))
    assert seen == CHECKS[game].keys()


def _checked(game: str, before: Any, move: Move, given: Any) -> set[str]:
    step = attempt(before, move.token)
    assert isinstance(step, Step)
    after = step.after
    codes = set()
    for code, facts in AI[game].reasons(before, move, given):
        assert CHECKS[game][code](before, after, move, given, facts), (code, facts, move, before)
        words = PRESENTATIONS[game].moves.reason
        sentences = {words(Texts(lang), step, code, facts) for lang in LANGUAGES}
        assert len(sentences) == len(LANGUAGES)
        assert all(sentence.endswith(".") for sentence in sentences)
        codes.add(code)
    return codes

"""What is kept beside moves: stories that keep it step by step, and what a start finds of it.

A story is played by a process (`main`), which says after each confirmed step, as a line of JSON,
what must be found from then on.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ai.evaluation import Evaluation, Mistake, Point, Turn
from engines.game import Refusal
from pi_app.link.contract import Ack
from pi_app.link.outbox import ClubJoined, Outbox
from pi_app.past.evaluation import store_evaluation, stored_evaluation
from pi_app.past.evening import evening_of, rank_players, settler_of
from pi_app.past.moments import due_moments, moments_of, take_moments
from pi_app.past.moments import store_answer as store_moment_answer
from pi_app.past.times_tables import count_wrong_answer, store_answer, tables_of
from pi_app.phones.pairing import Pairing
from pi_app.store.archive import list_games
from pi_app.store.comments import comments_of
from pi_app.store.database import Database
from pi_app.store.derived import Derived
from pi_app.store.store import Store
from pi_app.table import thoughts
from pi_app.table.players import BotSeats, stored_bot_seats
from pi_app.table.table import Table
from tests.pi_app.pilot import Pilot

Steps = Iterator[object]
Found = tuple[object, bool]
"""What is found, and whether damage is told of."""


@dataclass(frozen=True)
class Story:
    """`tell` keeps things in a store's place and yields what is there after each confirmed step.

    `look` returns what a start finds; it is one of what was yielded last and what comes next.
    """

    tell: Callable[[Path], Steps]
    look: Callable[[Path], Found]
    between: Callable[[Any, Any], object] = lambda last, _: last
    """What else may be found between two steps."""


def in_store(look: Callable[[Store], object]) -> Callable[[Path], Found]:
    """Return what opens a store, which must be well, and looks into it."""

    def open_and_look(place: Path) -> Found:
        store = Store(place)
        try:
            assert store.trouble is None
            return look(store), bool(store.news())
        finally:
            store.close()

    return open_and_look


# --- chairs and their cards


def bot_seats(store: Store) -> object:
    games = range(1, (store.latest_game() or 0) + 1)
    return [
        [
            store.load(game).tokens,
            [
                [name, strength, [(d.moves, d.token, d.card, d.came) for d in known.dealt(name)]]
                for known in [BotSeats(store, game)]
                for name, strength in known.strengths().items()
            ],
        ]
        for game in games
    ]


def laid_but_not_forgotten(last: list[Any], following: list[Any]) -> object:
    """Return the last move of a game with the cards that are forgotten at its end."""
    return [
        [tokens, before[1]]
        for (tokens, _), before in zip(following, [*last, [[], []]], strict=False)
    ]


def play_with_chairs(place: Path) -> Steps:
    """Let the companion play in two games, with cards that are keyed, drawn, laid and corrected."""
    thoughts.EFFORT_S = 0.001
    store = Store(place)
    yield bot_seats(store)
    tags = {
        "Game": "just4fun",
        "Players": "Anna yellow, Ben red",
        "Position": "yellow 1x2 3x2 2x2 6x2 4x2 7x2 9x2 8x2 5x2 11x2",
        "Start": "Ben",
    }
    for _ in range(2):
        store.begin(tags, stored_bot_seats({"Ben": "best"}))
        yield bot_seats(store)
        pilot = Pilot(store=store)
        for key in "1# 2# 4# 9# C 4# # # 5# 6# 7# 12# # # 8# 9# 1# 13# # #".replace(" ", ""):
            pilot.key("<" if key == "C" else key)
            yield bot_seats(store)
    BotSeats(store, 1).give({"Ben": None})
    yield bot_seats(store)
    store.begin(
        tags | {"Position": "yellow 1 left=1; red 20 left=1"}, stored_bot_seats({"Ben": "club"})
    )
    yield bot_seats(store)
    pilot = Pilot(store=store)
    for key in "1# 2# 3# 4# # # 5# # #".replace(" ", ""):
        pilot.key(key)
        yield bot_seats(store)
    store.close()


# --- tips


def tips(store: Store) -> object:
    games = range(1, (store.latest_game() or 0) + 1)
    found = [(store.load(game), comments_of(store, game)) for game in games]
    return [
        [game.tokens, game.undone, [(n.before, n.text) for n in notes]] for game, notes in found
    ]


def play_with_tips(place: Path) -> Steps:
    """Play with a tip for every other move; take back, and play another move."""
    store = Store(place)
    yield tips(store)
    for _ in range(2):
        game = Table.begin(store, {"Game": "just4fun", "Players": "Anna yellow, Ben red"})
        yield tips(store)
        for n in range(2, 20):
            if n % 2:
                game.note_tip_shown()
                yield tips(store)
            play(game, str(n))
            yield tips(store)
            if n % 5 == 0:
                game.undo()
                yield tips(store)
                game.note_tip_shown()
                yield tips(store)
                play(game, f"19+{n}")
                yield tips(store)
    store.close()


def play(game: Table, token: str) -> None:
    move = game.judge(token)
    assert not isinstance(move, Refusal), (token, move)
    game.play(move)


# --- answers of the times tables


def answers(store: Store) -> object:
    return [repr(tables_of(store, name)) for name in ("Anna", "Ben")]


def answer(place: Path) -> Steps:
    """Let two children answer for two days; the same tasks more than once."""
    store, now = Store(place), datetime(2026, 3, 1, 16, tzinfo=UTC)
    yield answers(store)
    for n in range(40):
        now += timedelta(hours=1)
        task = (n % 7 + 1, 8)
        name = "Anna" if n % 3 else "Ben"
        store_answer(store, name, task, now, right=n % 4 > 0)
        yield answers(store)
        if n % 4 == 0:
            count_wrong_answer(store, name, task, now)
            yield answers(store)
    store.close()


# --- moments


def moments(store: Store) -> object:
    return [repr(moments_of(store, name)) for name in ("Anna", "Ben")]


def ask_moments(place: Path) -> Steps:
    """Take the moments of some games, of one as it was before a correction, too; answer them."""
    store, now = Store(place), datetime(2026, 3, 1, 16, tzinfo=UTC)
    yield moments(store)
    for n in range(12):
        game = Table.begin(store, {"Game": "numeri", "Players": "Anna yellow, Ben red"})
        for token in ("2", "5", "5", "2", "3"):
            play(game, token)
        for numbers in ((2, 3, 5), (2, 5)):
            found = [Mistake(number, (number + 1) % 2, 0.1, ("4",)) for number in numbers]
            take_moments(store, game, Evaluation(200, (), (), tuple(found)))
            yield moments(store)
        now += timedelta(days=1)
        name = "Anna" if n % 2 else "Ben"
        for moment in due_moments(moments_of(store, name), now)[:3]:
            store_moment_answer(store, name, moment, now, right=n % 3 > 0)
            yield moments(store)
    store.close()


# --- phones


def phones(place: Path) -> list[object]:
    known = Pairing(place.with_name(f"{place.name}.phones"), lambda: 0.0).browsers
    return [[browser.mark, browser.name] for browser in known]


def pair(place: Path) -> Steps:
    """Let phones in, more than are kept, and forget some."""
    pairing = Pairing(place.with_name(f"{place.name}.phones"), lambda: 0.0, lambda: "482913")
    yield phones(place)
    for n in range(40):
        pairing.show_code()
        token = pairing.pair("482913", f"Phone {n}")
        assert isinstance(token, str)
        assert pairing.browser(token) is not None
        yield phones(place)
        if n % 5 == 4:
            pairing.forget(pairing.browsers[n % 3].mark)
            yield phones(place)


# --- evenings


def evening(store: Store) -> object:
    """Return the standings after the last finished game, and how many games there are."""
    listed = list_games(store, 99)
    last = max((entry.id for entry in listed if entry.result is not None), default=0)
    one = evening_of(store, last, timedelta(hours=4))
    lines = () if one is None else rank_players(one, "points", settler_of(store))
    return [
        sorted(entry.id for entry in listed),
        [] if one is None else [game.entry.id for game in one.games],
        [[line.name, line.rank, line.won, list(line.score_history)] for line in lines],
        store.game_on_table(),
    ]


def play_an_evening(place: Path) -> Steps:
    """Play short games of the same people, each begun, moved in and ended."""
    store = Store(place)
    yield evening(store)
    tags = {
        "Game": "just4fun",
        "Players": "Anna yellow, Ben red",
        "Position": "yellow 1 14 30; red 2 3 4",
    }
    for number in range(8):
        game = Table.begin(store, tags | {"Event": f"game {number}"})
        yield evening(store)
        for token in ("5", "6", "12+12") if number % 2 else ("12+12",):
            play(game, token)
            yield evening(store)
    store.close()


# --- results for a club


def reported(store: Store) -> object:
    """Return what a hub would count of each game, and the games on the table that are over.

    The numbers of the events follow on each other.
    """
    box = store.follow(outbox)
    last = box.state().last
    events = box.events(1).events
    assert [event["seq"] for event in events] == list(range(last - len(events) + 1, last + 1))
    counted: dict[str, tuple[int, object]] = {}
    for event in events:
        if "revision" in event:
            now = event["revision"], event.get("record")
            counted[event["game_id"]] = max(
                now, counted.get(event["game_id"], now), key=itemgetter(0)
            )
    listed = sorted(entry.id for entry in list_games(store, 99) if entry.result is not None)
    return [{game: record for game, (_, record) in counted.items()}, listed]


def outbox(db: Database) -> Outbox:
    return Outbox(db, lambda: ClubJoined("club"), lambda: CLOCKS[0])


def report_results(place: Path) -> Steps:
    """Play for a club, correct and take back; a hub acknowledges now and then, and closes."""
    store = Store(place)
    box = store.follow(outbox)
    yield reported(store)
    tags = {
        "Game": "just4fun",
        "Players": "Anna yellow, Ben red",
        "Position": "yellow 1 14 30; red 2 3 4",
    }
    for number in range(6):
        game = Table.begin(store, tags)
        yield reported(store)
        play(game, "12+12")
        yield reported(store)
        if number % 2:
            game.undo()
            yield reported(store)
            game.rewrite(["5", "6", "12+12"])
            yield reported(store)
        if number % 3 == 2:
            answer = box.events(1)
            yield reported(store)
            upto = answer.events[-1]["seq"]
            box.ack(Ack("hub", answer.store, upto, closed=number))
            yield reported(store)
    store.close()


# --- clocks that jump


CLOCKS = (
    datetime(2026, 3, 1, 19, tzinfo=UTC),
    datetime(1970, 1, 1, 0, 0, 20, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 6, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 9, tzinfo=UTC),
    datetime(2026, 3, 1, 18, 59, tzinfo=UTC),
)


def moves(store: Store) -> object:
    games = range(1, (store.latest_game() or 0) + 1)
    loaded = [store.load(game) for game in games]
    listed = sorted(entry.id for entry in list_games(store, 99))
    return [[[g.id, g.tokens, g.undone] for g in loaded], listed, store.game_on_table()]


def play_while_the_clock_jumps(place: Path) -> Steps:
    """Play with another time at every move: before 1970 was over, after 2038, back again."""
    store = Store(place)
    yield moves(store)
    count = 0

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Jumping":
            return cls.fromtimestamp(CLOCKS[count % len(CLOCKS)].timestamp(), tz)

    with patch("pi_app.store.store.datetime", Jumping):
        for _ in range(4):
            game = Table.begin(store, {"Game": "just4fun", "Players": "Anna yellow, Ben red"})
            yield moves(store)
            for n in range(2, 14):
                count += 1
                play(game, str(n))
                yield moves(store)
                if n % 4 == 0:
                    game.undo()
                    yield moves(store)
    store.close()


# --- courses of games: they may be lost, not altered


def evaluation_of(number: int) -> Evaluation:
    points = tuple(Point(move, (move / 99, 1 - move / 99), (0.1, 0.1)) for move in range(60))
    return Evaluation(200 + number, points, (Turn(number, 0, 0.5, "4"),))


def evaluations(place: Path) -> dict[str, str | None]:
    """Return the courses by their keys, None for one that is not kept."""
    derived = Derived.of_store(place)
    kept = {f"key {number}": stored_evaluation(derived, f"key {number}") for number in range(24)}
    derived.close()
    return {key: evaluation.as_text() if evaluation else None for key, evaluation in kept.items()}


def keep_evaluations(place: Path) -> Steps:
    """Keep the courses of games, some of them twice."""
    derived = Derived.of_store(place)
    for number in range(24):
        for _ in range(1 + number % 2):
            store_evaluation(derived, f"key {number}", evaluation_of(number))
            yield number
    derived.close()


STORIES = {
    "chairs": Story(play_with_chairs, in_store(bot_seats), laid_but_not_forgotten),
    "tips": Story(play_with_tips, in_store(tips)),
    "answers": Story(answer, in_store(answers)),
    "moments": Story(ask_moments, in_store(moments)),
    "phones": Story(pair, lambda place: (phones(place), False)),
    "results": Story(
        report_results, in_store(reported), lambda last, following: [following[0], last[1]]
    ),
    "evenings": Story(play_an_evening, in_store(evening)),
    "clocks": Story(play_while_the_clock_jumps, in_store(moves)),
}


def main(name: str, place: str) -> None:
    """Play a story and say after each step what must be found from now on."""
    tell = keep_evaluations if name == "courses" else STORIES[name].tell
    for seen in tell(Path(place)):
        os.write(1, json.dumps(seen).encode() + b"\n")

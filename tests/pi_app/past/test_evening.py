"""Evenings: which games belong together, what counts, and where the table is seen."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.game import Result, steps
from engines.record import begin, parse
from hardware.keys import Key
from pi_app.past.evening import (
    Counting,
    Evening,
    EveningLine,
    InSession,
    evening_of,
    evenings,
    rank_players,
    sentences,
    sessions_of,
    settler_of,
)
from pi_app.past.outcomes import outcomes
from pi_app.store import Store
from pi_app.table.table import record_of
from pi_app.texts.language import Texts
from tests.pi_app.commands.called import printed
from tests.pi_app.pilot import Pilot, add_games, choices_of

PAUSE = timedelta(hours=4)
BEGIN = datetime(2026, 3, 1, 19, tzinfo=UTC)
TWO = '[Game "just4fun"]\n[Players "{a} yellow, {b} red"]\n'
ROW = TWO + '[Position "yellow 1 14 30; red 2 3 4"]\n12+12\n'
POINTS = TWO + '[Position "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"]\n12\n'
NUMERI = '[Game "numeri"]\n[Players "{a} yellow, {b} red"]\n4 6 1 2\n'
OUT = (
    '[Game "einmaleins"]\n[Players "{a} yellow, {b} red, Clara green"]\n'
    '[Position "yellow 1; red 3; green 2; open 28=4x7"]\n36=4x9\n'
)


def put(store: Store, *games: tuple[str, float], a: str = "Anna", b: str = "Ben") -> None:
    """Store records as played so many hours after the first."""
    added = []
    for text, hours in games:
        record = parse(text.format(a=a, b=b))
        _, position = begin(record)
        for step in steps(position, record.tokens):
            position = step.after
        began = (BEGIN + timedelta(hours=hours)).isoformat()
        added.append((record.tags, record.tokens, began, position.result))
    add_games(store, added)


def found(store: Store) -> list[list[int]]:
    """Return the numbers of the games of each evening."""
    return [
        [game.entry.id for game in one.games]
        for one in evenings(outcomes(store, finished=True), PAUSE, sessions_of(store))
    ]


def test_games_of_the_same_people_make_an_evening_until_a_long_pause() -> None:
    store = Store(":memory:")
    put(store, (ROW, 0), (POINTS, 1), (ROW, 5), (ROW, 9.5), (ROW, 13.5), (ROW, 40))
    assert found(store) == [[4, 5], [1, 2, 3]]


def test_seats_do_not_matter_and_other_peoples_games_do_not_end_an_evening() -> None:
    store = Store(":memory:")
    put(store, (ROW, 0))
    put(store, (ROW, 0.5), (OUT, 0.7), a="Dora", b="Emil")
    put(store, (ROW, 1), a="Ben", b="Anna")
    assert found(store) == [[1, 4], [2, 3]]


def evening_with(*games: tuple[str, str, float]) -> tuple[Evening, tuple[EveningLine, ...]]:
    """Return the only evening of games (players, winner, hours), and its standings by wins."""
    store = Store(":memory:")
    for players, winner, hours in games:
        tags = {"Game": "just4fun", "Players": players}
        began = (BEGIN + timedelta(hours=hours)).isoformat()
        add_games(store, [(tags, (), began, Result((winner,), "row"))])
    (evening,) = evenings(outcomes(store, finished=True), PAUSE, sessions_of(store))
    return evening, rank_players(evening, "wins", settler_of(store))


AB, ABC, BC = "Anna yellow, Ben red", "Anna yellow, Ben red, Carla pink", "Ben red, Carla pink"


@pytest.mark.parametrize(
    ("games", "english", "german"),
    [
        (
            [(AB, "Anna", 0), (ABC, "Carla", 1), (BC, "Carla", 2)],
            ("Carla leads: 2 of 2 games won.", "1. Carla: 2 of 2 won", "2. Anna: 1 of 2 won",
             "3. Ben: 0 of 3 won", "Carla played 2 of 3 games.", "Anna played 2 of 3 games."),
            ("Carla führt: 2 von 2 Spielen gewonnen.", "1. Carla: 2 von 2 gewonnen",
             "2. Anna: 1 von 2 gewonnen", "3. Ben: 0 von 3 gewonnen",
             "Carla war bei 2 von 3 Spielen dabei.", "Anna war bei 2 von 3 Spielen dabei."),
        ),
        (
            [(AB, "Anna", 0), (AB, "Ben", 1), (ABC, "Carla", 2), (BC, "Ben", 3)],
            ("Ben and Carla lead.", "1. Ben: 2 of 4 won", "1. Carla: 1 of 2 won",
             "3. Anna: 1 of 3 won", "Carla played 2 of 4 games.", "Anna played 3 of 4 games."),
            None,
        ),
    ],
)  # fmt: skip
def test_an_evening_survives_a_changing_circle_and_its_standings_are_by_points_a_game(
    games: list[tuple[str, str, float]], english: tuple[str, ...], german: tuple[str, ...] | None
) -> None:
    evening, lines = evening_with(*games)
    assert evening.names == ("Anna", "Ben", "Carla")
    assert sentences(Texts("en"), evening, lines) == english
    if german:
        assert sentences(Texts("de"), evening, lines) == german
    assert {len(line.score_history) for line in lines} == {len(games) + 1}
    assert len({line.colour for line in lines}) == 3


def test_points_are_said_with_the_number_of_games_where_the_circle_changed() -> None:
    evening, _ = evening_with((AB, "Anna", 0), (ABC, "Carla", 1), (AB, "Anna", 2))
    lines = rank_players(evening, "ranks", lambda _: {})
    assert sentences(Texts("en"), evening, lines)[:3] == (
        "Carla leads: 2 points in 1 game.",
        "1. Carla: 2 points in 1 game, 1 of 1 won",
        "2. Anna: 2 points in 3 games, 2 of 3 won",
    )
    assert sentences(Texts("de"), evening, lines)[2] == (
        "2. Anna: 2 Punkte in 3 Spielen, 2 von 3 gewonnen"
    )


def test_games_that_go_on_count_for_nobody() -> None:
    store = Store(":memory:")
    put(store, (ROW, 0), (NUMERI, 0.5), (ROW, 1))
    assert found(store) == [[1, 3]]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 300), st.sampled_from(["AB", "BA", "AC", "CD", "EF"]), st.booleans()
        ),
        max_size=12,
    )
)
def test_the_evening_of_a_game_is_the_one_in_the_list(
    games: list[tuple[int, str, bool]],
) -> None:
    """Read back from one game, and found among all of them: the same evenings."""
    store = Store(":memory:")
    for minutes, names, over in sorted(games):
        tags = {"Game": "just4fun", "Players": f"{names[0]} yellow, {names[1]} red"}
        result = Result((names[0],), "row") if over else None
        began = (BEGIN + timedelta(minutes=20 * minutes)).isoformat()
        add_games(store, [(tags, ("5",), began, result)])
    for evening in evenings(outcomes(store, finished=True), PAUSE, sessions_of(store)):
        last = evening_of(store, evening.games[-1].entry.id, PAUSE)
        assert last is not None
        assert [game.entry for game in last.games] == [game.entry for game in evening.games]


def test_a_game_that_goes_on_or_is_not_there_ends_no_evening() -> None:
    store = Store(":memory:")
    put(store, (ROW, 0), (ROW, 1), (NUMERI, 1.5))
    assert [evening_of(store, game, PAUSE) is None for game in (2, 3, 9, 0)] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("counting", "expected"),
    [
        ("wins", {"Anna": (1, (0, 1, 2, 3)), "Ben": (2, (0, 0, 0, 0))}),
        ("ranks", {"Anna": (1, (0, 1, 2, 3)), "Ben": (2, (0, 0, 0, 0))}),
        # a row settles as it lies: the row's fields and the other's
        ("points", {"Anna": (1, (0, 35, 104, 139)), "Ben": (2, (0, 33, 42, 75))}),
    ],
)
def test_what_counts_makes_the_table(
    counting: Counting, expected: dict[str, tuple[int, tuple[int, ...]]]
) -> None:
    store = Store(":memory:")
    put(store, (POINTS, 0), (ROW, 1), (POINTS, 2))
    (evening,) = evenings(outcomes(store, finished=True), PAUSE, sessions_of(store))
    lines = rank_players(evening, counting, settler_of(store))
    assert {line.name: (line.rank, line.score_history) for line in lines} == expected
    assert [line.won for line in lines] == [3, 0]


def test_places_are_a_point_for_each_player_behind_and_a_game_without_points_one_for_a_win() -> (
    None
):
    store = Store(":memory:")
    put(store, (OUT, 0), (OUT, 1))
    (evening,) = evenings(outcomes(store, finished=True), PAUSE, sessions_of(store))
    settled = settler_of(store)
    assert {line.name: line.points for line in rank_players(evening, "ranks", settled)} == {
        "Anna": 4,
        "Ben": 0,
        "Clara": 0,
    }
    assert {line.name: line.points for line in rank_players(evening, "points", settled)} == {
        "Anna": 2,
        "Ben": 0,
        "Clara": 0,
    }


def test_two_of_one_colour_have_curves_of_two_colours() -> None:
    text = (
        '[Game "sequence"]\n[Players "A blue, B green, C blue, D green"]\n'
        '[Rules "sequences=1"]\n[Position "blue r1c2 r1c3 r1c4; green r9c9"]\n5S@r1c5\n'
    )
    store = Store(":memory:")
    put(store, (text, 0), (text, 1))
    (evening,) = evenings(outcomes(store, finished=True), PAUSE, sessions_of(store))
    lines = rank_players(evening, "wins", settler_of(store))
    assert len({line.colour for line in lines}) == 4


# --- at the table


def second_game() -> Pilot:
    store = Store(":memory:")
    began = datetime.now(UTC).isoformat(timespec="seconds")
    result = Result(("Ben",), "row")
    add_games(
        store, [({"Game": "just4fun", "Players": "Ben red, Anna yellow"}, ("5",), began, result)]
    )
    table = Pilot(
        {
            "Game": "just4fun",
            "Players": "Anna yellow, Ben red",
            "Position": "yellow 1 14 30; red 2 3 4",
        },
        store=store,
    )
    table.key("12*12#")
    return table


def test_after_a_second_game_the_result_leads_to_the_evening_and_on_to_the_next_game() -> None:
    table = second_game()
    assert (Key.D0, "table") in {(key.key, key.label) for key in table.frame.keys.soft}
    frame = table.key("0")
    assert (frame.header.title, frame.header.corner) == ("The evening", "2 games")
    assert frame.body.lines[:3] == (
        "All have 1 win.",
        "1. Ben: 1 of 2 won",
        "1. Anna: 1 of 2 won",
    )
    assert {curve.name: curve.points for curve in frame.board.curves} == {
        "Ben": (0, 1, 1),
        "Anna": (0, 0, 1),
    }
    table.key("#")
    frame = table.choose("the loser")
    assert frame.header.title == "Ben"


def test_what_counts_is_changed_at_the_table_and_kept() -> None:
    table = second_game()
    table.key("0")
    saved: list[tuple[str, object]] = []
    table.ctx.save = lambda key, value: saved.append((key, value))
    table.key("?")
    frame = table.choose("game points")
    assert saved == [("evening.count", "points")]
    assert frame.body.lines[0].startswith("Anna leads: ")
    assert frame.body.lines[-1] == "What counts: game points. D changes that."


def test_the_history_lists_evenings_and_can_be_left() -> None:
    store = Store(":memory:")
    put(store, (ROW, 0), (POINTS, 1))
    table = Pilot(store=store)
    frame = table.choose("History", "Evenings")
    assert choices_of(frame).items == ("1 Mar Anna, Ben: 2",)
    frame = table.key("#")
    assert frame.body.lines[0] == "Anna leads: 2 wins."
    assert table.key("#").header.title == "The evening"
    assert table.key("<<").header.title == "Evenings"


# --- the command


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "t.db"
    store = Store(place)
    put(store, (ROW, 0), (POINTS, 1), (ROW, 24), (ROW, 25), (ROW, 26))
    store.close()
    return place


def test_the_command_shows_the_latest_evening_and_lists_them(path: Path) -> None:
    lines = printed("show", "evening", "--store", path).splitlines()
    assert "3 games" in lines[0]
    assert "Anna leads: 3 wins." in lines
    assert len(printed("show", "evening", "--store", path, "--list").splitlines()) == 2
    assert "Anna führt: 2 Siege." in printed(
        "show", "evening", "2", "--store", path, "--lang", "de"
    )


@dataclass
class Machine:
    """A machine without a battery: what its clock says, whether that is right, its sessions."""

    store: Store
    now: datetime = BEGIN
    is_set: bool = True
    session: str = "one"
    seconds: int = 0

    def play(self, text: str = ROW) -> int:
        """Play a game that ends with its first move, and wait an hour; return its number."""
        record = parse(text.format(a="Anna", b="Ben"))
        _, position = begin(record)
        (step,) = steps(position, record.tokens)
        game = self.store.begin(record.tags)
        self.store.append(game, 0, record.tokens[0], step.after.result)
        self.wait(1)
        return game

    def wait(self, hours: int) -> None:
        self.now += timedelta(hours=hours)
        self.seconds += hours * 3600

    def start(self, now: datetime, *, is_set: bool) -> None:
        """Start it anew."""
        self.session, self.seconds, self.now, self.is_set = f"{self.session}+", 0, now, is_set


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made: list[Machine] = []
    made.append(Machine(Store(":memory:", now=lambda: made[0].now)))
    monkeypatch.setattr("pi_app.store.store.clock_is_sure", lambda _: made[0].is_set)
    monkeypatch.setattr(
        "pi_app.store.store.boot_moment", lambda: (made[0].session, made[0].seconds)
    )
    return made[0]


EPOCH = datetime(1970, 1, 1, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "wrong", [EPOCH, BEGIN - timedelta(minutes=50)], ids=["1970", "the last time that was kept"]
)
def test_games_before_the_clock_is_set_belong_to_the_evening_in_which_they_were_played(
    machine: Machine, wrong: datetime
) -> None:
    before = machine.play()
    machine.start(wrong, is_set=False)
    first = machine.play()
    machine.now, machine.is_set = BEGIN + timedelta(days=7), True  # the network has set it
    last = machine.play(POINTS)
    assert found(machine.store) == [[first, last]]
    assert [game.id for game in machine.store.list_games(9)] == [last, first, before]
    evening = evening_of(machine.store, last, PAUSE)
    assert evening is not None
    assert [game.entry.id for game in evening.games] == [first, last]


def test_without_a_clock_an_evening_lasts_as_long_as_its_session(machine: Machine) -> None:
    games = []
    for _ in range(3):
        machine.start(EPOCH, is_set=False)
        games.append([machine.play(), machine.play(POINTS)])
    assert found(machine.store) == games[::-1]
    order = [game for each in games for game in each]
    assert [game.id for game in machine.store.list_games(9)] == order[::-1]


def test_a_game_that_lasted_long_is_found_behind_those_of_others(machine: Machine) -> None:
    """What began after it may have ended before it, and longer ago than a pause."""
    record = parse(ROW.format(a="Anna", b="Ben"))
    long_game = machine.store.begin(record.tags)
    machine.wait(1)
    tags = {**record.tags, "Players": "Dora yellow, Emil red"}
    machine.store.append(machine.store.begin(tags), 0, "5", Result(("Dora",), "row"))
    machine.wait(6)
    machine.store.append(long_game, 0, "12+12", Result(("Anna",), "row"))
    machine.wait(3)
    last = machine.play()
    evening = evening_of(machine.store, last, PAUSE)
    assert evening is not None
    assert [game.entry.id for game in evening.games] == [long_game, last]


@pytest.mark.parametrize(
    ("session", "seconds", "together"),
    [("one", 12 * 3600, True), ("one", 12 * 3600 + 1, False), ("two", 60, False)],
)
def test_without_a_clock_games_belong_together_as_long_as_a_game_and_a_pause_may_last(
    session: str, seconds: int, together: bool
) -> None:
    store = Store(":memory:")
    put(store, (ROW, 0), (ROW, 1))
    sessions = {1: InSession("one", 0, False), 2: InSession(session, seconds, False)}
    several = evenings(outcomes(store, finished=True), PAUSE, sessions)
    assert [len(one.games) for one in several] == ([2] if together else [])


def test_a_game_that_today_s_rules_refuse_counts_as_a_win_in_points_too() -> None:
    store = Store(":memory:")
    tags = parse(ROW.format(a="Anna", b="Ben")).tags
    for _ in range(2):
        add_games(store, [(tags, ("99",), BEGIN.isoformat(), Result(("Anna",), "row"))])
    (evening,) = evenings(outcomes(store, finished=True), PAUSE, {})
    table = rank_players(evening, "points", settler_of(store))
    assert [(line.name, line.points) for line in table] == [("Anna", 2), ("Ben", 0)]


def test_an_evening_with_the_clock_set_outlasts_a_session(machine: Machine) -> None:
    machine.start(EPOCH, is_set=False)
    games = [machine.play()]
    machine.now, machine.is_set = BEGIN, True
    games.append(machine.play(POINTS))
    machine.start(machine.now, is_set=True)
    games.append(machine.play())
    assert found(machine.store) == [games]


def test_games_whose_time_nobody_knows_make_an_evening_of_their_own() -> None:
    store = Store(":memory:")
    put(store, (ROW, 0))
    put(store, (ROW, -490_000), (POINTS, -489_999))  # 1970
    put(store, (ROW, 24))
    assert found(store) == [[2, 3]]


def test_an_export_names_no_day_that_the_clock_did_not_know(machine: Machine) -> None:
    machine.start(EPOCH, is_set=False)
    game = machine.store.find_game(machine.play())
    assert game is not None
    assert "Date" not in record_of(machine.store.load(game.id)).tags

"""Statistics: who won how often, against whom, and what of it is said."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.past.outcomes import Outcome, Placing, outcomes
from pi_app.past.statistics import SENTENCE_LIMIT, count, statistics_report
from pi_app.store import GameEntry, Store
from pi_app.texts.language import Texts
from tests.pi_app.pilot import store_games

EN = Texts("en")
BEGAN = datetime.fromisoformat("2026-03-01T20:00:00+00:00")


def game(
    *names: str, won: int | None = 0, starter: int = 0, colours: str = "YRGB", minutes: float = 25
) -> Outcome:
    """Return a game of players with these names; who won sits at `won`, with all of the colour."""
    ended = (BEGAN + timedelta(minutes=minutes)).isoformat()
    entry = GameEntry(1, "just4fun", names, BEGAN.isoformat(), ended, {})
    winner = "" if won is None else colours[won]
    placings = tuple(
        Placing(name, colour, seat == starter, colour == winner, 1, None)
        for seat, (name, colour) in enumerate(zip(names, colours, strict=False))
    )
    return Outcome(entry, 10, placings)


def lines(*played: Outcome, language: str = "en") -> tuple[str, ...]:
    (found,) = count(played)
    return statistics_report(Texts(language), found).lines


@given(
    st.lists(
        st.tuples(
            st.permutations(["Anna", "Ben", "Clara", "Yellow", "Gelb 2"]),
            st.integers(2, 4),
            st.none() | st.integers(0, 1),
            st.integers(0, 1),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_counts_are_those_of_somebody_who_looks_at_each_game(
    drawn: list[tuple[list[str], int, int | None, int]],
) -> None:
    played = [game(*names[:most], won=won, starter=starter) for names, most, won, starter in drawn]
    (one,) = count(played)
    people = {"Anna", "Ben", "Clara"}
    seated = {each.name for outcome in played for each in outcome.placings}
    assert {each.names[0] for each in one.players} == people & seated
    for player in one.players:
        (name,) = player.names
        mine = [each for outcome in played for each in outcome.placings if each.name == name]
        course = "".join("W" if each.won else "." for each in mine)
        assert (player.played, player.won[0]) == (len(mine), course.count("W"))
        assert player.longest_run == max(map(len, course.split(".")))
        assert player.first == sum(each.starts for each in mine)
        assert player.first_won == sum(each.starts and each.won for each in mine)
    for pair in one.pairs:
        both = [
            {each.name: each.won for each in outcome.placings}
            for outcome in played
            if set(pair.names) <= {each.name for each in outcome.placings}
        ]
        assert pair.played == len(both)
        assert pair.won == [sum(each[name] for each in both) for name in pair.names]
    decided = [each for each in played if any(placing.won for placing in each.placings)]
    assert one.decided == len(decided)
    assert one.first_won == sum(p.starts and p.won for each in decided for p in each.placings)


def test_partners_are_no_opponents() -> None:
    (one,) = count([game(*"ABCD", colours="BGBG", starter=1)])
    partners = next(each for each in one.pairs if each.names == ("A", "C"))
    rivals = next(each for each in one.pairs if each.names == ("A", "B"))
    assert (partners.together, partners.played, partners.won[0]) == (True, 1, 1)
    assert (rivals.together, rivals.played, rivals.won) == (False, 1, [1, 0])
    assert (one.first_won, one.first_share) == (0, 0.5)


@pytest.mark.parametrize(("minutes", "said"), [(0.1, False), (1, False), (5, True), (600, False)])
def test_a_game_that_was_only_keyed_or_lay_on_the_shelf_has_no_length(
    minutes: float, said: bool
) -> None:
    assert any("minute" in line for line in lines(game("A", "B", minutes=minutes))) is said


def test_each_sentence_says_what_it_counts() -> None:
    played = [game("Anna", "Ben"), game("Ben", "Anna", won=1), game("Anna", "Ben", won=1)]
    assert lines(*played) == (
        "3 finished games",
        "A game took 25 minutes on average.",
        "Anna won 2 of 3 games (67 %).",
        "Ben won 1 of 3 games (33 %).",
        "Anna against Ben, 3 games: 2 to 1",
        "Longest winning streak: 2 (Anna)",
        "Whoever begins won 33 % (without an advantage: 50 %).",
    )
    assert "Wer beginnt, gewann 33 % (ohne Vorteil: 50 %)." in lines(*played, language="de")


def test_of_many_people_those_with_the_most_wins_are_said_and_all_are_rows() -> None:
    (found,) = count(game(f"A{n:02}", f"B{n:02}") for n in range(30))
    report = statistics_report(EN, found)
    assert sum(" won " in line for line in report.lines) == SENTENCE_LIMIT + 1  # who begins, too
    assert len(report.rows) == 60 + 30


def test_a_game_that_is_not_installed_any_more_counts_by_its_own_name() -> None:
    store = Store(":memory:")
    store_games(
        store,
        '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
        '[Position "yellow 1@36; red 6@35 5@37"]\n3 6\n',
    )
    (outcome,) = outcomes(store, finished=True)
    (found,) = count([outcome])
    found.game = "halma"
    assert statistics_report(EN, found).title == "halma"


def test_editions_are_counted_apart() -> None:
    """Points and luck of one edition say nothing of the other."""
    store = Store(":memory:")
    head = '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
    end = '[Position "yellow 1@{0}; red 1@{1} 2@{2}"]\n'
    first = head + end.format(36, 37, 38)
    later = head + '[Rules "edition=2009"]\n' + end.format(35, 36, 37)
    named = head + '[Rules "edition=1973"]\n' + end.format(36, 37, 38)
    store_games(store, first, later, named)
    found = count(outcomes(store, finished=True))
    assert [(each.edition, each.games) for each in found] == [("", 2), ("2009", 1)]
    assert [statistics_report(EN, each).title for each in found] == ["numeri", "numeri 2009"]

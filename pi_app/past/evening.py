"""Evenings: games that a circle of people played one after the other, and who leads.

People are identified by their names, in any seat and game. A game belongs to the evening
of their previous game if the pause between them is short enough; games of other people in between
do not matter. While the clock is not set, the time since the machine's start is used instead, so
such an evening ends when the machine is switched off.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from itertools import accumulate, chain, count, takewhile
from typing import Literal

from engines.notation import Fault
from pi_app.past.outcomes import LONGEST, Outcome, knows_day, moment, outcome_in
from pi_app.store import CLOCK_SET, SESSION, GameEntry, Reader
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.common import day_words, join_names
from pi_app.texts.language import Texts
from pi_app.view.frame import Curve
from pi_app.view.report import Report

Counting = Literal["wins", "ranks", "points"]
"""How an evening is counted: by games won, places (a point for each player ranked lower), or the
points of the games; in a game without points the winner gets one point."""

PointsOf = Callable[[Outcome], Mapping[str, int]]
"""Returns the points in a game's final position by player; empty for a game without points."""


@dataclass(frozen=True, slots=True)
class InSession:
    """When a game began in a session, measured without the clock."""

    session: str
    seconds: int
    clock_set: bool
    """Whether the clock was set then."""


Sessions = Mapping[int, InSession]
"""By the game's number; games that need only the clock are left out."""

_READ = 32
"""How many games are read from the store at a time, the latest first."""
# for players with a colour that somebody else has
_COLOURS = ("yellow", "red", "green", "blue", "white", "pink")


@dataclass(frozen=True, slots=True)
class Evening:
    """Finished games of the same people, the earliest first; at least one."""

    games: tuple[Outcome, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who played: the players of the first game, then newcomers."""
        placings = (placing for game in self.games for placing in game.placings)
        return tuple(dict.fromkeys(placing.display_name for placing in placings))

    @property
    def began(self) -> str:
        return self.games[0].entry.began


@dataclass(frozen=True, slots=True)
class EveningLine:
    """One line of an evening's table.

    `score_history` has the points at the start and after each game.
    """

    name: str
    colour: str
    rank: int
    won: int
    played: int
    score_history: tuple[int, ...]

    @property
    def points(self) -> int:
        return self.score_history[-1]


def evenings(games: Iterable[Outcome], pause: timedelta, sessions: Sessions) -> list[Evening]:
    """Return the evenings of more than one game, the latest first; `games` are in their order."""
    played = list(games)
    places = {game.entry.id: place for place, game in enumerate(played)}
    several = [each for each in _grouped(played, pause, sessions) if len(each.games) > 1]
    return sorted(several, key=lambda evening: places[evening.games[-1].entry.id], reverse=True)


def _grouped(games: Iterable[Outcome], pause: timedelta, sessions: Sessions) -> list[Evening]:
    """Return the evenings of games given in order, those of one game too.

    A game joins the evening with which it shares the most people; in a tie, the latest.
    """
    groups: list[tuple[set[str], list[Outcome]]] = []
    for game in games:
        people = _people(game)
        best: tuple[set[str], list[Outcome]] = set(), []
        for group in groups:
            goes_on = _continues(sessions, group[1][-1].entry, game.entry, pause)
            if goes_on and people & group[0] and len(people & group[0]) >= len(people & best[0]):
                best = group
        if not best[1]:
            groups.append(best)
        best[0].update(people)
        best[1].append(game)
    return [Evening(tuple(group)) for _, group in groups]


def evening_of(store: Reader, game: int, pause: timedelta) -> Evening | None:
    """Return the evening that ends with this finished game; None without such a game.

    The store is read from the latest game back to the beginning of the evening.
    """
    games: list[Outcome] = []
    sessions = sessions_of(store)
    entry = store.find_game(game)
    if entry is None or entry.result is None:  # else the whole store would be searched for it
        return None
    pages = (store.list_games(_READ, offset) for offset in count(0, _READ))
    for entry in chain.from_iterable(takewhile(bool, pages)):
        if not games and entry.id != game:  # the evening's last game was not reached yet
            continue
        # the games that are left began even earlier, and none lasts longer than LONGEST: so none
        # of them can have ended late enough
        if games and not _continues(sessions, entry, games[0].entry, pause + LONGEST):
            break
        if entry.result is not None:
            games.insert(0, outcome_in(entry))
    ended = (each for each in _grouped(games, pause, sessions) if each.games[-1].entry.id == game)
    return next(ended, None)


def _people(game: Outcome) -> frozenset[str]:
    """Return who played a game: the companion is nobody, unless it played alone."""
    people = frozenset(placing.name for placing in game.placings if not placing.companion)
    return people or frozenset(placing.display_name for placing in game.placings)


def sessions_of(store: Reader) -> Sessions:
    """Return when games began in their session, for games that the clock cannot order."""
    sessions = {}
    for game in store.games_with(SESSION):
        with suppress(ValueError):  # not what was written
            session, seconds, clock = game.notes[SESSION].split()
            sessions[game.id] = InSession(session, int(seconds), clock == CLOCK_SET)
    return sessions


def _continues(sessions: Sessions, before: GameEntry, after: GameEntry, pause: timedelta) -> bool:
    """Tell whether the pause between two games is short enough."""
    one, two = sessions.get(before.id), sessions.get(after.id)
    if not (_clock_was_set(before, one) and _clock_was_set(after, two)):
        if one and two:  # the end of `before` is unknown, but it took LONGEST at most
            longest_s = (pause + LONGEST).total_seconds()
            return one.session == two.session and two.seconds - one.seconds <= longest_s
        if one or two or _clock_was_set(before, one) or _clock_was_set(after, two):
            return False
    ended, began = moment(before.ended or before.began), moment(after.began)
    return ended is not None and began is not None and began - ended <= pause


def _clock_was_set(game: GameEntry, begin: InSession | None) -> bool:
    return begin.clock_set if begin else knows_day(game.began)


def rank_players(evening: Evening, counting: Counting, settle: PointsOf) -> tuple[EveningLine, ...]:
    """Return the standings, the leaders first; equal points a game share a place.

    `settle` adds up a game that has a score but was won otherwise, such as by a row.
    """
    names = evening.names
    points_won: dict[str, list[int]] = defaultdict(list)  # a number for each game
    wins: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for number, game in enumerate(evening.games, 1):
        points: Mapping[str, int] = {}  # by the names of this game's seats
        if counting == "points":
            scores = ((placing.name, placing.points) for placing in game.placings)
            # no points in the result: it was won by a row, for instance
            points = {name: n for name, n in scores if n is not None} or settle(game)
        for placing in game.placings:
            won = int(placing.won)
            wins[placing.display_name] += won
            played[placing.display_name] += 1
            if counting == "ranks":
                won = sum(other.rank > placing.rank for other in game.placings)
            elif points:
                won = points.get(placing.name, 0)
            points_won[placing.display_name].append(won)
        for name in names:  # absent people get no points
            points_won[name] += [0] * (number - len(points_won[name]))
    # points per game, so that a missed game costs nobody a place
    shares = {name: Fraction(sum(points_won[name]), played[name]) for name in names}
    colours = _colours(evening)
    lines = (
        EveningLine(
            name,
            colours[name],
            1 + sum(other > shares[name] for other in shares.values()),
            wins[name],
            played[name],
            tuple(accumulate(points_won[name], initial=0)),
        )
        for name in names
    )
    return tuple(sorted(lines, key=lambda line: line.rank))


def settler_of(store: Reader) -> PointsOf:
    """Return a function that settles a stored game by replay; no points if that is impossible."""

    def settle(game: Outcome) -> Mapping[str, int]:
        presentation = PRESENTATIONS.get(game.entry.game)
        if presentation is None or presentation.game.score is None:
            return {}
        try:
            position = Table.resume(None, store.load(game.entry.id)).position
        except (Fault, KeyError):
            return {}
        points: Mapping[str, int] = presentation.game.score(position).facts["points"]
        return points

    return settle


def _colours(evening: Evening) -> dict[str, str]:
    """Return a colour for each player: the last one played, or a free one if two had the same."""
    colours: dict[str, str] = {}
    for placing in (placing for game in reversed(evening.games) for placing in game.placings):
        if placing.display_name not in colours:
            free = (colour for colour in _COLOURS if colour not in colours.values())
            is_taken = placing.colour in colours.values()
            colour = next(free, placing.colour) if is_taken else placing.colour
            colours[placing.display_name] = colour
    return colours


def sentences(tx: Texts, evening: Evening, lines: tuple[EveningLine, ...]) -> tuple[str, ...]:
    """Say who leads, then everybody's points, unless these are their wins, and wins.

    If people came or left, points per game count, and everybody who missed a game is named.
    """
    leaders = [line for line in lines if line.rank == 1]
    are_wins = all(line.points == line.won for line in lines)
    amounts = {_amount(tx, lines, line, are_wins=are_wins) for line in leaders}
    amount, names = next(iter(amounts)), join_names(tx, [line.name for line in leaders])
    if len(amounts) > 1:  # equal shares of different numbers of games
        lead = tx("line", "{names} lead.", names=names)
    elif len(leaders) == len(lines):
        lead = tx("line", "All have {amount}.", amount=amount)
    elif len(leaders) == 1:
        lead = tx("line", "{name} leads: {amount}.", name=names, amount=amount)
    else:
        lead = tx("line", "{names} lead: {amount}.", names=names, amount=amount)
    rows: list[str] = []
    for line in lines:
        known = {"place": line.rank, "name": line.name, "count": line.won, "most": line.played}
        if are_wins:
            rows.append(tx("line", "{place}. {name}: {count} of {most} won", **known))
        else:
            n = line.points if _is_constant(lines) else _amount(tx, lines, line, are_wins=False)
            rows.append(tx("line", "{place}. {name}: {n}, {count} of {most} won", n=n, **known))
    games = len(evening.games)
    away = (line for line in lines if line.played < games)
    there = (
        tx("line", "{name} played {n} of {most} games.", name=line.name, n=line.played, most=games)
        for line in away
    )
    return (lead, *rows, *there)


def _is_constant(lines: tuple[EveningLine, ...]) -> bool:
    """Tell whether all played the same number of games."""
    return len({line.played for line in lines}) == 1


def _amount(tx: Texts, lines: tuple[EveningLine, ...], line: EveningLine, *, are_wins: bool) -> str:
    """Say somebody's wins or points; if people came or left, also in how many games."""
    is_constant = _is_constant(lines)
    if are_wins and is_constant:
        return tx.many("word", "{n} win", "{n} wins", line.points)
    if are_wins:
        return tx.many(
            "line", "{won} of {n} game won", "{won} of {n} games won", line.played, won=line.won
        )
    points = tx.many("word", "{n} point", "{n} points", line.points)
    if is_constant:
        return points
    return tx.many(
        "line", "{points} in {n} game", "{points} in {n} games", line.played, points=points
    )


def evening_report(
    tx: Texts, evening: Evening, lines: tuple[EveningLine, ...], number: int = 1
) -> Report:
    """Return an evening's standings, and how everybody's points grew from game to game.

    `number` is its place in the list of evenings; 1 is the latest.
    """
    rows = tuple(
        {
            "evening": number,
            "began": evening.began,
            "games": len(evening.games),
            "player": line.name,
            "colour": line.colour,
            "rank": line.rank,
            "played": line.played,
            "won": line.won,
            "points": line.points,
        }
        for line in lines
    )
    curves = tuple(Curve(line.name, line.colour, line.score_history) for line in lines)
    return Report(evening_title(tx, evening), sentences(tx, evening, lines), rows, curves)


def evening_title(tx: Texts, evening: Evening) -> str:
    """Return an evening's day, players and number of games."""
    games = tx.many("title", "{n} game", "{n} games", len(evening.games))
    return f"{day_words(tx, evening.began)}  {', '.join(evening.names)}  {games}"


def counting_words(tx: Texts) -> dict[Counting, str]:
    """Return the name of each way to count."""
    return {
        "wins": tx("item", "games won"),
        "ranks": tx("item", "places"),
        "points": tx("item", "game points"),
    }

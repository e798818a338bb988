"""Statistics of the finished games of each kind: who won how often.

Unnamed seats ("Yellow") have no statistics of their own, but their games count for the kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from pi_app.past.games import edition_of, game_words
from pi_app.past.outcomes import Outcome, Placing
from pi_app.table.default_names import is_default_name
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.view.report import Report, Row

SENTENCE_LIMIT = 20
"""Limit of players, and of pairs, with a sentence: those with the most games."""


@dataclass(slots=True)
class Tally:
    """The games of a player, or of two players: together as partners, or against each other.

    `won` has the wins of each player, of partners only one number. `first` counts the games that a
    single player began, `first_won` how many of these were won, `run` the wins since the last
    defeat, `longest_run` its maximum.
    """

    names: tuple[str, ...]
    together: bool = False
    played: int = 0
    won: list[int] = field(default_factory=lambda: [0, 0])
    first: int = 0
    first_won: int = 0
    run: int = 0
    longest_run: int = 0

    def add(self, *placings: Placing) -> None:
        """Count one more game with the players' places in it."""
        self.played += 1
        for index, placing in enumerate(placings):
            self.won[index] += placing.won
        one = placings[0]
        self.first += one.starts
        self.first_won += one.starts and one.won
        self.run = self.run + 1 if one.won else 0
        self.longest_run = max(self.longest_run, self.run)


@dataclass(slots=True)
class Statistics:
    """The finished games of one kind.

    `decided` games were won by somebody, `first_won` of them by the player who began; `first_share`
    is the expected number if beginning made no difference.
    """

    game: str
    edition: str = ""
    """The edition of the game, "" for the default one."""
    games: int = 0
    timed: int = 0
    minutes: int = 0
    decided: int = 0
    first_won: int = 0
    first_share: float = 0.0
    tallies: dict[tuple[str, ...], Tally] = field(default_factory=dict)
    """By the players' names; partners have "" as a third one."""

    def add(self, outcome: Outcome) -> None:
        """Count one more game; games must come in order, the earliest first."""
        self.games += 1
        # shorter games were keyed in, not played
        if outcome.minutes is not None and outcome.minutes > 1:
            self.timed += 1
            self.minutes += outcome.minutes
        if any(placing.won for placing in outcome.placings):
            self.decided += 1
            self.first_won += any(each.starts and each.won for each in outcome.placings)
            # partners share a colour and win together
            self.first_share += 1 / len({each.colour for each in outcome.placings})
        named = sorted(
            (each for each in outcome.placings if not is_default_name(each.display_name)),
            key=lambda each: each.display_name,
        )
        for placing in named:
            self._tally((placing.display_name,)).add(placing)
        for one, two in combinations(named, 2):
            names = (one.display_name, two.display_name)
            if one.colour == two.colour:
                self._tally(names, together=True).add(one)
            else:
                self._tally(names).add(one, two)

    def _tally(self, names: tuple[str, ...], *, together: bool = False) -> Tally:
        key = (*names, "") if together else names
        return self.tallies.setdefault(key, Tally(names, together))

    @property
    def players(self) -> list[Tally]:
        """The players, those with the most wins first."""
        players = (each for each in self.tallies.values() if len(each.names) == 1)
        return sorted(players, key=lambda each: (-each.won[0], -each.played, each.names))

    @property
    def pairs(self) -> list[Tally]:
        """The pairs, those with the most games first; rivals before partners."""
        pairs = (each for each in self.tallies.values() if len(each.names) == 2)
        return sorted(pairs, key=lambda each: (-each.played, each.together, each.names))


def count(outcomes: Iterable[Outcome]) -> list[Statistics]:
    """Count finished games, given in order; return statistics, of the most played game first."""
    by_game: dict[tuple[str, str], Statistics] = {}
    for outcome in outcomes:
        game = outcome.entry.game, edition_of(outcome.entry.tags)
        by_game.setdefault(game, Statistics(*game)).add(outcome)
    return sorted(by_game.values(), key=lambda each: (-each.games, each.game, each.edition))


def statistics_report(tx: Texts, statistics: Statistics) -> Report:
    """Return the statistics of one kind of game in sentences, each saying what it counts."""
    lines = [tx.many("line", "{n} finished game", "{n} finished games", statistics.games)]
    if statistics.timed:
        minutes = round(statistics.minutes / statistics.timed)
        lines.append(
            tx.many(
                "line", "A game took {n} minute.", "A game took {n} minutes on average.", minutes
            )
        )
    lines += [
        tx.many(
            "line",
            "{name} won {won} of {n} game ({share} %).",
            "{name} won {won} of {n} games ({share} %).",
            each.played,
            name=each.names[0],
            won=each.won[0],
            share=_percent(each.won[0], each.played),
        )
        for each in statistics.players[:SENTENCE_LIMIT]
    ]
    lines += [_pair_line(tx, each) for each in statistics.pairs[:SENTENCE_LIMIT]]
    longest = max((each.longest_run for each in statistics.players), default=0)
    if longest > 1:
        holders = [each.names[0] for each in statistics.players if each.longest_run == longest]
        names = join_names(tx, sorted(holders))
        lines.append(tx("line", "Longest winning streak: {n} ({names})", n=longest, names=names))
    if statistics.decided:
        lines.append(
            tx(
                "line",
                "Whoever begins won {n} % (without an advantage: {even} %).",
                n=_percent(statistics.first_won, statistics.decided),
                even=_percent(statistics.first_share, statistics.decided),
            )
        )
    rows = (*map(_row, statistics.players), *map(_row, statistics.pairs))
    edition = {"edition": statistics.edition} if statistics.edition else {}
    named_rows = tuple({"game": statistics.game, **edition, **row} for row in rows)
    title = f"{game_words(tx, statistics.game)} {statistics.edition}".rstrip()
    return Report(title, tuple(lines), named_rows)


def _percent(part: float, whole: float) -> int:
    return round(100 * part / whole)


def _pair_line(tx: Texts, tally: Tally) -> str:
    one, two = tally.names
    facts: dict[str, object] = {"one": one, "two": two, "won": tally.won[0]}
    if tally.together:
        return tx.many(
            "line",
            "{one} and {two} together won {won} of {n} game.",
            "{one} and {two} together won {won} of {n} games.",
            tally.played,
            **facts,
        )
    return tx.many(
        "line",
        "{one} against {two}, {n} game: {won} to {lost}",
        "{one} against {two}, {n} games: {won} to {lost}",
        tally.played,
        **facts,
        lost=tally.won[1],
    )


def _row(tally: Tally) -> Row:
    one, two = (*tally.names, None)[:2]
    alone = two is None
    return {
        "player": one,
        "other": two,
        "together": tally.together,
        "played": tally.played,
        "won": tally.won[0],
        "lost": None if alone or tally.together else tally.won[1],
        "began": tally.first if alone else None,
        "won_beginning": tally.first_won if alone else None,
        "longest_run": tally.longest_run if alone else None,
    }

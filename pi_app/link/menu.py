"""The menu "Club and home": both connections, each game's verdict, and the assignment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from engines.game import AnyPosition, Game, Result
from engines.seating import player_pairs
from pi_app.link.contract import TIME
from pi_app.link.joining import join_screen
from pi_app.link.offer import OfferScreen
from pi_app.link.outbox import ClubGame
from pi_app.link.protocol import PASSWORD_LIMIT
from pi_app.link.settings import ClubSettings, HomeSettings
from pi_app.link.table import LinkAtTable
from pi_app.link.words import standing, why_words
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Greyed,
    Item,
    ListScreen,
    Open,
    PageScreen,
    Pop,
    Push,
    Stay,
    grey_if,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import SettingsMenu, change, not_stored_page
from pi_app.screens.text_entry import PasswordEntry
from pi_app.settings.schema import value_of
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.view.frame import Viewers

SHOWN_GAMES = 30
"""How many of the last games are listed."""


class LinkMenu(SettingsMenu):
    """Everything about the link."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, link: LinkAtTable) -> None:
        super().__init__(ctx)
        self.link = link

    def heading(self) -> str:
        return self.tx("item", "Club and home")

    def entries(self) -> tuple[Item, ...]:
        tx, settings, offer = self.tx, self.ctx.settings, self.link.offers.assignment
        is_club, is_home = settings.of(ClubSettings).enabled, settings.of(HomeSettings).enabled
        club = tx("item", "Club: on") if is_club else tx("item", "Club: off")
        home = tx("item", "Home: on") if is_home else tx("item", "Home: off")
        no_club = "" if self.link.outbox.club else tx("line", "Join a club first.")
        no_home = "" if is_home else tx("line", "Switch the smart home on first.")
        no_round = tx("line", "Nothing is assigned to this table now.")
        no_game = tx("line", "No game of a round goes on here.")
        return (
            (club, partial(self._switch, "club")),
            (tx("title", "Join a club"), lambda: Push(join_screen(self.ctx, self.link))),
            (tx("item", "Waiting: {n}", n=self.link.outbox.waiting), self._status),
            (tx("item", "Its games"), grey_if(no_club, self._games)),
            (
                tx("title", "Round {n}", n=offer.round if offer else "").rstrip(),
                grey_if(
                    "" if offer else no_round, lambda: Push(OfferScreen(self.ctx, self.link.offers))
                ),
            ),
            (tx("item", "Time is up"), self._end() or Greyed(no_game)),
            (home, partial(self._switch, "home")),
            (tx("item", "Call for help"), grey_if(no_home, self._help)),
            (tx("title", "Password"), self._password),
        )

    def _switch(self, end: str) -> Action:
        is_on = value_of(self.ctx.settings, f"{end}.enabled")
        if change(self.ctx, f"{end}.enabled", not is_on):
            return Stay(OK)
        return Push(not_stored_page(self.ctx, self.heading()), signals=BAD)

    def _status(self) -> Action:
        return Push(PageScreen(self.ctx, self.heading(), status_lines(self.link)))

    def _games(self) -> Action:
        """List the last games with their verdicts; ENTER shows one, or sends a game."""
        tx, games = self.tx, self.link.outbox.last_games(SHOWN_GAMES)
        if not games:
            line = tx("line", "No game of this club has ended yet.")
            return Push(PageScreen(self.ctx, tx("item", "Its games"), (line,)))
        titles = [f"{game.number} {self._players(game)}" for game in games]
        standings = [standing(tx, game.note.evening, game.verdict) for game in games]
        labels = tuple(map("{}: {}".format, titles, standings))

        def choose(index: int) -> Action:
            game = games[index]
            if game.note.evening is None:
                if self.link.outbox.send(game.number):
                    return Pop(OK, then=self._games)
                line = tx("line", "No evening is open at the hub.")
            else:
                line = standings[index]
            return Push(PageScreen(self.ctx, titles[index], (line,)))

        return Push(ListScreen(self.ctx, tx("item", "Its games"), labels, choose))

    def _players(self, game: ClubGame) -> str:
        try:
            tags = self.ctx.store.load(game.number).tags
        except KeyError:
            return ""
        return join_names(self.tx, tuple(name for name, _ in player_pairs(tags["Players"])))

    def _end(self) -> Callable[[], Action] | None:
        """Return the question before settling a round's game as it stands; None without one."""
        table = self.link.round_game()
        if table is None:
            return None

        def settle_if_confirmed(index: int) -> Action:
            if not index:  # "no"
                return Pop(TICK)
            self.ctx.store.end(table.id, time_result(table.game, table.position))
            return Open(OK)

        labels = (self.tx("item", "no"), self.tx("item", "yes"))
        title = self.tx("title", "End the game?")
        return lambda: Push(ListScreen(self.ctx, title, labels, settle_if_confirmed))

    def _help(self) -> Action:
        self.link.call_for_help()
        return Stay(OK)

    def _password(self) -> Action:
        title, nothing = self.tx("title", "Password"), self.tx("verdict", "nothing keyed yet")

        def objection(text: str) -> str:
            return "" if text.strip() else nothing

        limits = ("", PASSWORD_LIMIT, objection, self._keep_password)
        return Push(PasswordEntry(self.ctx, title, *limits))

    def _keep_password(self, password: str) -> Action:
        self.link.keep_password(password)
        return Stay(OK)


def time_result(game: Game, position: AnyPosition) -> Result:
    """Return the result of a game when its round's time is up; a draw in a game without points."""
    if game.score is None:
        return Result((), TIME)
    return replace(game.score(position), reason=TIME)


# --- words


def end_words(tx: Texts, end: str, link: LinkAtTable) -> str:
    """Return the trouble with the club or the house, or that it is connected."""
    if not value_of(link.ctx.settings, f"{end}.enabled"):
        return tx("line", "switched off")
    if not link.is_there:
        return tx("line", "the link does not run")
    status = link.status.get(end)
    why = "waiting" if status is None else status.why
    return why_words(tx, end, why)


def status_lines(link: LinkAtTable) -> tuple[str, ...]:
    """Return how many results wait, why, and the club's name."""
    tx, club = link.ctx.texts, link.outbox.club
    lines = [
        tx.many("line", "{n} result waits.", "{n} results wait.", link.outbox.waiting),
        tx("line", "Club: {why}", why=end_words(tx, "club", link)),
    ]
    if club is not None:
        lines += [club.club, tx("line", "Table {table}", table=club.table)]
    lines.append(tx("line", "Home: {why}", why=end_words(tx, "home", link)))
    return tuple(line for line in lines if line)


def notice(link: LinkAtTable) -> str:
    """Return how many results wait and why, for the first screen, or ""."""
    count, settings, tx = link.outbox.waiting, link.ctx.settings, link.ctx.texts
    club, home = link.status.get("club"), link.status.get("home")
    if settings.of(ClubSettings).enabled and (count or club is None or club.why):
        why = end_words(tx, "club", link)
        if count:
            return tx("line", "{n} wait: {why}", n=count, why=why)
        return tx("line", "Club: {why}", why=why)
    if settings.of(HomeSettings).enabled and (home is None or home.why):
        return tx("line", "Home: {why}", why=end_words(tx, "home", link))
    return ""

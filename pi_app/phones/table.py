"""Carries out phones' requests about the table: keys and moves in the loop, lookups outside it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from engines.game import Correction
from engines.notation import Fault
from hardware.keys import Key
from pi_app.phones import protocol as messages
from pi_app.phones.frames import picture_data
from pi_app.phones.pairing import Browser, Claims, Pairing
from pi_app.phones.protocol import Answered, FromBrowser, Reply, refused
from pi_app.run.loop import Companion
from pi_app.screens.base import OK, DeclinedError, Open, Screen
from pi_app.screens.place import place_of
from pi_app.screens.playing.games import SCREENS, given_of, undo_move
from pi_app.screens.playing.result import ResultScreen
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.tips import find_tips, gives_tips, missing_cards, no_tip_line
from pi_app.settings.schema import HelpLevel
from pi_app.system.worker import Job
from pi_app.table.given import Die, Given, Hand, HandError, Picked
from pi_app.table.players import find_player
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.printable import printable
from pi_app.view.data import as_data
from pi_app.view.frame import Picture

log = logging.getLogger(__name__)

Answering = Answered | Callable[[], Answered]
"""An answer, or a function that finds it outside the loop."""
_Act = Callable[[Any, Any, Any], Answering]
_ANSWERS: dict[type[FromBrowser], _Act] = {}
_A = TypeVar("_A", bound=_Act)


def _answers(*kinds: type[FromBrowser]) -> Callable[[_A], _A]:
    """Return a decorator: the method answers these requests of a browser, in the loop."""

    def declare(act: _A) -> _A:
        _ANSWERS.update(dict.fromkeys(kinds, act))
        return act

    return declare


class _RefusedError(Exception):
    """A request is refused: the error's code, and further facts for the answer."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class _Streak:
    """Consecutive keys of one page, while nobody else keyed and the position stayed the same.

    They all count, although the page may not have shown the effect of the earlier ones yet.
    """

    page: str = ""
    """The mark of the page's browser."""
    since: int = 0
    """The number of the keyed frame before the first key; `until` is that after the last key."""
    until: int = -1

    def covers(self, page: str, seen: int, now: int) -> bool:
        """Tell whether this page alone keyed everything after the frame `seen`."""
        return page == self.page and now == self.until and self.since <= seen <= now


class RemoteTable:
    """Answers browsers' requests about the table."""

    def __init__(
        self,
        program: Companion,
        pairing: Pairing,
        shown: Callable[[], int],
        keyed: Callable[[], int],
    ) -> None:
        """Answer for the table of `program`.

        `shown` returns the number of the newest frame, `keyed` the number of the first frame after
        anybody's last input.
        """
        self.ctx = program.ctx
        self._program = program
        self._pairing = pairing
        self._newest_frame = shown
        self._keyed = keyed
        self._streak = _Streak()
        self._claims = Claims(pairing)
        self._seats_changed = 0
        """Counts how often a seat was taken or left."""
        self._position: tuple[int, Table | None, int] = (0, None, 0)
        """What `position` returned last, for which table, and the table's `changes` then."""
        self.changed: Callable[[], None] = lambda: None
        """Called when a seat has changed but no frame: pages should ask for their seats again."""
        self.ask_wifi: Callable[[FromBrowser], Answered] | None = None
        """Answers what phones ask about the table's Wi-Fi; None: it can do nothing about it."""

    def on_show(self) -> str | None:
        """Return the kind of game on the screens; None without a game."""
        return next((table.game.name for table in tables_on(self._program.stack)), None)

    def news(self) -> int:
        """Return a number that increases whenever the position or a seat has changed."""
        return self.position() + self._seats_changed

    def position(self) -> int:
        """Return a number that increases with every new position, also if an old one returns."""
        table, (number, last_table, changes) = self._table(), self._position
        if table is not last_table or (table is not None and table.changes != changes):
            self._position = number + 1, table, 0 if table is None else table.changes
        return self._position[0]

    # --- requests that change the table

    @_answers(messages.PressKey)
    def key(self, browser: Browser, asked: messages.PressKey) -> Answered:
        """Press a key, tap the board or take a text; `seen`: the keyed frame that was shown."""
        program, now, position = self._program, self._keyed(), self.position()
        if asked.seen != now and not self._streak.covers(browser.mark, asked.seen, now):
            raise _RefusedError("stale")
        if asked.text:
            program.do(lambda: program.screen.type_text(asked.text))
        elif asked.tap:
            program.tap(asked.tap)
        else:
            program.press(Key(asked.key))
        since, until = now, self._keyed()
        if self.position() != position:
            since = until  # earlier touches were meant for the old position
        elif self._streak.covers(browser.mark, now, now):
            since = self._streak.since
        self._streak = _Streak(browser.mark, since, until)
        return self._shown()

    @_answers(messages.PlayMove)
    def play(self, browser: Browser, asked: messages.PlayMove) -> Answered:
        """Play a move for a seat that this browser has, if it is its turn."""
        screen = self._program.stack[0]
        self._free_table(browser, asked)
        # after the end there is another screen
        if not isinstance(screen, TurnScreen) or screen.table.position.seat != asked.seat:
            raise _RefusedError("turn")
        try:
            judged = screen.turn.judge(asked.move)
        except DeclinedError as why:
            raise _RefusedError("illegal", text=str(why)) from why
        if isinstance(judged, Correction):  # corrections are made at the table only
            raise _RefusedError("bad")
        self._program.act_on_lowest(lambda: screen.act_for_phone(lambda: screen.turn.play(judged)))
        return self._shown()

    @_answers(messages.UndoMove)
    def undo(self, browser: Browser, asked: messages.UndoMove) -> Answered:
        """Take back the last move of a seat that this browser has, while nobody has moved since."""
        screen, table = self._program.stack[0], self._free_table(browser, asked)
        last = table.steps[-1] if table.steps else None
        if last is None or last.player.name != self._name(asked.seat):
            raise _RefusedError("moved")
        if table.last_edit is not None:  # no single player owns an edit
            raise _RefusedError("moved")
        if isinstance(screen, ResultScreen):
            self._program.do(lambda: undo_move(self.ctx, table))
        elif isinstance(screen, TurnScreen):
            self._program.act_on_lowest(lambda: screen.act_for_phone(screen.undo))
        else:
            raise _RefusedError("elsewhere")
        return self._shown()

    def _free_table(self, browser: Browser, asked: messages.PlayMove | messages.UndoMove) -> Table:
        """Return the table where a seat can move or take back now."""
        self._check_free(asked.seen)
        return self._table_of(browser, asked.seat)

    def _check_free(self, seen: int) -> None:
        """Refuse while something holds the table, or if it has moved on."""
        if what := next((each.busy_with for each in self._program.stack if each.busy_with), ""):
            text = self.ctx.texts("page", "{what} is open at the table.", what=what)
            raise _RefusedError("elsewhere", text=text)
        self._check_seen(seen)

    def _check_seen(self, seen: int) -> None:
        """Refuse if the table has moved on from the position `seen`."""
        if seen != self.position():
            raise _RefusedError("stale")

    # --- which game is played

    @_answers(messages.AskGames)
    def games(self, _: Browser, asked: messages.AskGames) -> Answered:
        """List the games that a phone may begin."""
        from pi_app.screens.starting.starting_on_phones import games_data  # not needed at a start

        return {"ok": True, **games_data(self.ctx, asked.game, _names(asked.players))}

    @_answers(messages.ContinueGame, messages.PlayAgain, messages.StartGame)
    def begin(
        self, browser: Browser, asked: messages.ContinueGame | messages.PlayAgain
    ) -> Answered:
        """Begin or continue a game, if none is being played."""
        from pi_app.screens.starting.starting_on_phones import StartError  # as above

        over = self._table()
        self._check_free(asked.seen)
        if over is not None and over.position.result is None:
            raise _RefusedError("stale")
        try:
            table = self._begun(asked, over)
        except StartError as error:
            raise _RefusedError("setup", text=str(error), tag=error.tag) from error
        if table is None:
            raise _RefusedError("none")
        self._program.do(lambda: Open(OK, "table", table=table))
        if isinstance(asked, messages.StartGame) and asked.me:
            self._seat(browser, asked.me)
        return self._shown()

    def _begun(
        self, asked: messages.ContinueGame | messages.PlayAgain, over: Table | None
    ) -> Table | None:
        from pi_app.screens.starting import starting_on_phones as starting  # as above

        if isinstance(asked, messages.ContinueGame):
            return starting.continued(self.ctx, asked.game)
        missing = {asked.tag: asked.value} if asked.tag else {}
        if isinstance(asked, messages.StartGame):
            return starting.begun(self.ctx, asked.game, _names(asked.players), missing)
        return None if over is None else starting.begun_again(self.ctx, over, missing)

    def _shown(self) -> Answered:
        return {"ok": True, "shown": self._newest_frame()}

    # --- who sits where

    @_answers(messages.ClaimSeat)
    def claim(self, browser: Browser, asked: messages.ClaimSeat) -> Answered:
        """Give a browser a seat; with `over`, even if another browser has it."""
        name = self._name(asked.seat)
        self._check_seen(asked.seen)
        if name is None:
            raise _RefusedError("none")
        owner = self._claims.browser(name)
        if owner is not None and owner.mark != browser.mark and not asked.over:
            raise _RefusedError("claimed")
        self._seat(browser, name)
        return self.seats(browser)

    @_answers(messages.ReleaseSeat)
    def release(self, browser: Browser, asked: messages.ReleaseSeat) -> Answered:
        name = self._name(asked.seat)
        self._check_seen(asked.seen)
        if name is None or not self._claims.has(browser, name):
            raise _RefusedError("unclaimed")
        self._claims.free(name)
        self._reseated()
        return self.seats(browser)

    @_answers(messages.InvitePhones)
    def invite(self, _: Browser, _asked: messages.InvitePhones) -> Answered:
        """Return the code that lets more phones in, and the address to open."""
        from pi_app.phones.menu import pages_port  # as above

        code, urls = self._pairing.invite(), self.ctx.urls(pages_port(self.ctx))
        left_s = round(self._pairing.until - self.ctx.clock(), 1)
        return {"ok": True, "code": code, "left_s": left_s, "urls": list(urls)}

    def _seat(self, browser: Browser, name: str) -> None:
        """Give a browser a seat and the name of the player on it."""
        self._claims.give(browser, name)
        phone_name = self.ctx.texts("page", "{name}'s phone", name=name)
        self._pairing.rename(browser.mark, phone_name, called=False)
        self._reseated()

    def _reseated(self) -> None:
        """Tell every page that a seat has changed."""
        self._seats_changed += 1
        self.changed()

    @_answers(messages.AskSeats)
    def seats(self, browser: Browser | None, _: messages.AskSeats | None = None) -> Answered:
        table = self._table()
        if table is None:
            nobody: Answered = {"game": None, "seats": [], "free": 0, "star": 0}
            return {"ok": True, **nobody, "position": self.position()}
        presentation, position = PRESENTATIONS[table.game.name], table.position
        game = given_of(table.game.name)
        cards = game if isinstance(game, Hand) else None
        seats: list[dict[str, Any]] = []
        for number, seat in enumerate(presentation.current_seats(self.ctx.texts, position)):
            owner = self._claims.browser(seat.name)
            mine = owner is not None and browser is not None and owner.mark == browser.mark
            seats.append(
                {
                    **as_data(seat),
                    "seat": number,
                    "name": printable(seat.name),
                    "claimed": owner is not None,
                    "mine": mine,
                    "holds": None if cards is None else cards.size(position, number),
                    "place": self._place(table, number) if mine else None,
                }
            )
        free = 0 if cards is None else cards.free(position)
        star = game.star(position) if isinstance(game, Die) else 0
        found = {"game": table.game.name, "seats": seats, "free": free, "star": star}
        return {"ok": True, **found, "position": self.position()}

    def _place(self, table: Table, seat: int) -> dict[str, Any]:
        """Return the view of a seat's player, as JSON values."""
        view = place_of(self.ctx, table, seat, given_of(table.game.name))
        data = asdict(replace(view, picture=Picture("grid", 0, ())))  # a cached one follows
        return {**data, "picture": picture_data(view.picture)}

    def _name(self, seat: int) -> str | None:
        table = self._table()
        players = () if table is None else table.position.players
        return players[seat].name if seat < len(players) else None

    def _table_of(self, browser: Browser, seat: int) -> Table:
        """Return the game on the table, in which this browser has a seat."""
        table = self._table()
        if table is None:
            raise _RefusedError("none")
        name = self._name(seat)
        if name is None or not self._claims.has(browser, name):
            raise _RefusedError("unclaimed")
        return table

    # --- requests that change nothing

    def _hand_at(self, browser: Browser, seat: int) -> tuple[Table, Given]:
        """Return the table, and the cards or the die of its game."""
        table = self._table_of(browser, seat)
        game = SCREENS[table.game.name].given
        if game is None:
            raise _RefusedError("none")
        return table, game

    @_answers(messages.ShowHand)
    def hand(self, browser: Browser, asked: messages.ShowHand) -> Answering:
        """Return a hand's possible moves, computed outside the loop and stored nowhere."""
        seat = asked.seat
        table, game = self._hand_at(browser, seat)
        position, tx = table.position, self.ctx.texts
        name = position.players[seat].name
        level = self.ctx.help_level(name)
        is_turn = position.result is None and position.seat == seat
        tips = is_turn and gives_tips(self.ctx, table)
        answer = {"ok": True, "help": level, "turn": is_turn, "tips": tips}
        answer["position"] = self.position()
        player = find_player(self.ctx.store, name)
        picked = Picked(asked.cards, asked.picked, asked.cell, player)

        def find() -> Answered:
            if level is HelpLevel.NONE:
                moves = game.tries(tx, position, picked) if is_turn else ()
                text = tx("alert", "{name} plays without help.", name=name)
                options = [asdict(option) for option in moves]
                return {**answer, "cards": [], "options": options, "text": text}
            hand = game.options(tx, position, seat, level, asked.cards)
            options = [asdict(option) for option in hand.options]
            return {**answer, "cards": list(hand.cards), "options": options}

        return find

    @_answers(messages.AskTip)
    def tip(self, browser: Browser, asked: messages.AskTip) -> Answered:
        """Return tips for a hand."""
        table, game = self._hand_at(browser, asked.seat)
        position = table.position
        self._check_seen(asked.seen)
        if position.result is not None or position.seat != asked.seat:
            raise _RefusedError("turn")
        if not gives_tips(self.ctx, table):
            raise _RefusedError("help")
        return self._tips(table, game, asked.cards)

    def _tips(self, table: Table, game: Given, cards: str) -> Answered:
        """Return the tips for the cards, and note for the record that they are shown."""
        tx, position, presentation = self.ctx.texts, table.position, game.presentation
        try:
            given = game.read(position, cards)
        except Fault:
            raise _RefusedError("cards") from None
        missing = missing_cards(position, given)
        found = () if missing else find_tips(table.game.name, position, given)
        if not found:
            return {"ok": True, "tips": [], "text": no_tip_line(tx, missing)}
        table.note_tip_shown()
        tips = [
            {
                "token": tip.step.token,
                "text": presentation.moves.tip(tx, tip.step),
                "chance": round(100 * tip.chance),
                "reasons": list(tip.why(tx, presentation)),
            }
            for tip in found
        ]
        return {"ok": True, "tips": tips}

    @_answers(
        messages.AskNetworks, messages.LookAround, messages.JoinNetwork, messages.ForgetNetwork
    )
    def wifi(self, _: Browser, asked: FromBrowser) -> Answering:
        """Answer a request about the table's Wi-Fi, if this table has anything to do with it."""
        ask = self.ask_wifi
        if ask is None:
            raise _RefusedError("no-wifi")
        return lambda: ask(asked)

    @_answers(messages.AskHistory, messages.AskGame, messages.AskStatistics)
    def past(self, _: Browser, asked: FromBrowser) -> Answering:
        """Look up past games."""
        from pi_app.phones.history import past_data  # not needed at a start

        tx, store, evaluations = self.ctx.texts, self.ctx.store, self.ctx.evaluations

        def find() -> Answered:
            found = past_data(tx, store, evaluations, asked)
            if found is None:
                raise _RefusedError("none")
            return {"ok": True, **found}

        return find

    @_answers(messages.AskMoments, messages.AnswerMoment)
    def moments(self, _: Browser, asked: messages.AskMoments | messages.AnswerMoment) -> Answered:
        """Answer a request about moments; an answer of a player is stored before it is judged."""
        from pi_app.screens.starting.moments_on_phones import facts_for  # as above

        found = facts_for(self.ctx, asked.kind, asked.facts())
        if found is None:
            raise _RefusedError("none")
        return {"ok": True, **as_data(found)}

    # --- the loop

    def answer(self, browser: Browser | None, asked: FromBrowser, done: Reply) -> bool:
        """Let the loop answer a request; return whether it has room.

        The answer goes to `done`, in any thread; from the loop once its effect is stored and shown.
        """

        def run() -> None:
            try:
                found = _ANSWERS[type(asked)](self, browser, asked)
            except _RefusedError as error:
                found = self._no(error.code, **error.facts)
            except Exception:
                log.exception("what a phone asked for failed")
                found = self._no("fault")
            if not callable(found):
                done(found)
            elif not self._find_outside_loop(found, done):
                done(self._no("busy"))

        return self._program.keys.post(run)

    def _find_outside_loop(self, find: Callable[[], Answered], done: Reply) -> bool:
        """Let the worker's thread find an answer; return whether there is room."""

        def find_in_thread(_: Job) -> None:
            try:
                found = find()
            except _RefusedError as error:
                found = self._no(error.code, **error.facts)
            except HandError:
                found = self._no("cards")
            except Exception as error:  # noqa: BLE001  # its text may name the cards of a hand
                log.warning("what a phone asked for failed: %s", type(error).__name__)
                found = self._no("fault")
            done(found)

        return self.ctx.worker.queue(find_in_thread) is not None

    def _table(self) -> Table | None:
        """Return the game on the table: that of the lowest screen, its turn or its result."""
        return next(tables_on(self._program.stack[:1]), None)

    def _no(self, error: str, **facts: str) -> Answered:
        return refused(self.ctx.texts, error, **facts)


def tables_on(stack: Sequence[Screen]) -> Iterator[Table]:
    """Yield the games that screens are about, that of the uppermost screen first."""
    for screen in reversed(stack):
        table = getattr(screen, "table", None)
        if isinstance(table, Table):
            yield table


def _names(players: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in players.split(",") if name.strip()]
